// Reads pages to compare this page with: linked pages of the same origin, fetched without cookies.

var dehusk = globalThis.dehusk ?? {}; // not `??=`: that would take an element of the page with this id

dehusk.gather = (() => {
  const PAGES = 12;
  const LARGEST = 2_000_000;
  const EACH_MS = 6_000;
  const ALL_MS = 12_000;
  const AT_ONCE = 4;

  /** Reads linked pages until there are enough, or time or room has run out. Pages that cannot be read are left out. */
  async function gather(urls, room, progress) {
    const end = AbortSignal.timeout(ALL_MS);
    const wanted = urls.filter(url => new URL(url).origin === location.origin).slice(0, PAGES);
    const pages = [];
    let next = 0;
    const worker = async () => {
      while (next < wanted.length && room > 0 && !end.aborted) {
        const url = wanted[next++];
        const html = await read(url, end).catch(() => null);
        room -= html?.length ?? 0;
        if (html && room > 0) pages.push({ url, html });
        progress(`Reading linked pages: ${pages.length} of ${wanted.length}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return pages.sort((a, b) => wanted.indexOf(a.url) - wanted.indexOf(b.url));
  }

  async function read(url, end) {
    const response = await fetch(url, {
      credentials: "omit",
      mode: "same-origin",
      headers: { Accept: "text/html" },
      signal: AbortSignal.any([end, AbortSignal.timeout(EACH_MS)]),
    });
    const kind = response.headers.get("Content-Type") ?? "";
    if (!response.ok || !/html/i.test(kind)) {
      await response.body?.cancel();
      return null;
    }
    return decoded(response, /charset="?([\w-]+)/i.exec(kind)?.[1] ?? document.characterSet);
  }

  async function decoded(response, charset) {
    const decoder = new TextDecoder(charset);
    const reader = response.body.getReader();
    let html = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      html += decoder.decode(piece.value, { stream: true });
      if (html.length > LARGEST) {
        await reader.cancel();
        return null;
      }
    }
    return html + decoder.decode();
  }

  gather.LIMIT = PAGES;
  return gather;
})();
