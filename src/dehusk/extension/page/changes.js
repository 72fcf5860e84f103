// What changed since the last visit: marked on the page and listed beside it.

var dehusk = globalThis.dehusk ?? {}; // not `??=`: that would take an element of the page with this id

dehusk.changes = (() => {
  const { call, make, paint, panel, places } = dehusk;
  const LISTED = 60;
  const WORDS = { added: "added", removed: "removed", moved: "moved", rewritten: "rewritten", link: "new link target" };

  /** Marks the changes on the page, and returns a summary in a sentence. */
  function show(snapshot, visit, close) {
    paint.view("changes");
    const placed = visit.changes.map(change => ({ change, element: painted(snapshot, change) }));
    const content = placed.filter(({ change }) => !change.husk);
    const husk = placed.filter(({ change }) => change.husk);
    const said = sentence(visit, content.length, husk.length);
    const parts = [make("p", { textContent: said })];
    const found = content.filter(({ element }) => element);
    if (found.length) parts.push(steps(found));
    if (content.length) parts.push(listed(content));
    if (husk.length) parts.push(dimmed(husk));
    panel.card("What changed", close, ...parts);
    if (found.length) point(found[0].element);
    return said;
  }

  /** Buttons that lead to the previous and the next change, and where we are. */
  function steps(found) {
    let at = 0;
    const where = make("span", { className: "soft" });
    const button = (textContent, step) => make("button", { type: "button", textContent, onclick: panel.trusted(() => go(at + step)) });
    const [previous, next] = [button("Previous", -1), button("Next", 1)];
    const go = to => {
      at = to;
      where.textContent = `${at + 1} of ${found.length}`;
      [previous.disabled, next.disabled] = [at === 0, at === found.length - 1];
      if (previous.isConnected) point(found[at].element);
    };
    go(0);
    return make("div", { className: "row steps" }, previous, where, next);
  }

  function painted(snapshot, change) {
    const place = change.path && places.find(snapshot, change.path);
    if (!place) return null;
    const word = change.husk ? `${change.what} husk` : change.what;
    if (change.what === "removed") return inTable(place) ? elementOf(place) : paint.gone(place, change.where, change.before, word);
    if (change.husk || !change.words?.length || !paintedWords(elementOf(place), change.words)) paint.mark(place, word, change);
    return elementOf(place);
  }

  /**
   * Marks the words of a line that were added, and shows those that were removed. Returns false, and marks nothing, if the
   * line is not on the page: it has pictures, or a script has changed it.
   */
  function paintedWords(element, runs) {
    const tokens = tokensOf(element);
    const after = runs.flatMap(({ kind, text }) => (kind === "removed" ? [] : split(text)));
    const first = after.length ? tokens.findIndex((_, k) => after.every((word, n) => tokens[k + n]?.text === word)) : -1;
    if (first < 0) return false;
    const gone = [];
    const came = [];
    let at = first;
    for (const { kind, text } of runs) {
      const length = kind === "removed" ? 0 : split(text).length;
      if (kind === "removed") gone.push([at, text]);
      if (kind === "added") came.push([at, at + length]);
      at += length;
    }
    // From the last to the first, so that the offsets of the others stay right. Words removed at the end of the line come
    // after its last word.
    for (const [place, text] of gone.reverse()) {
      const { node, start, end } = tokens[Math.min(place, at - 1)];
      paint.goneWords(node, place < at ? start : end, text, "removed");
    }
    const now = gone.length ? tokensOf(element) : tokens; // texts were split
    for (const [from, to] of came) for (const range of rangesOf(now.slice(from, to))) paint.mark(range, "added");
    return true;
  }

  const split = text => text.split(/\s+/).filter(Boolean);

  /** The words of an element, with their text nodes and offsets. */
  function tokensOf(element) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const tokens = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (["script", "style", "noscript"].includes(node.parentNode.localName) || call(node.parentNode, "matches", dehusk.OWN)) continue;
      for (const found of node.data.matchAll(/\S+/g)) tokens.push({ node, start: found.index, end: found.index + found[0].length, text: found[0] });
    }
    return tokens;
  }

  /** A range over consecutive words of each text node. */
  function rangesOf(words) {
    const ranges = new Map();
    for (const { node, start, end } of words) {
      if (!ranges.has(node)) {
        ranges.set(node, document.createRange());
        ranges.get(node).setStart(node, start);
      }
      ranges.get(node).setEnd(node, end);
    }
    return ranges.values();
  }

  const elementOf = place => (place instanceof Range ? place.startContainer.parentElement : place);
  const inTable = place => Boolean(call(elementOf(place), "closest", "table, select, svg"));

  function sentence(visit, content, husk) {
    const since = visit.since && new Date(`${visit.since}Z`).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    const dim = husk ? ` ${counted(husk, "template change")} ${husk === 1 ? "is" : "are"} dimmed.` : "";
    if (visit.private && visit.first) return "Pages in private windows are not stored, so there is nothing to compare with.";
    if (visit.first) return "This is your first visit with dehusk. The page is now stored on this computer. Ask again at your next visit.";
    if (visit.verdict === "nothing") return `Nothing changed since ${since}.`;
    if (visit.verdict === "husk only") return `Only the template changed since ${since}. The content is the same.${dim}`;
    if (visit.verdict === "redesigned") return `The page was redesigned since ${since}. Save its template again.${dim}`;
    const hint = visit.template ? "" : " Save the template to tell template changes from content changes.";
    return `${counted(content, "content change")} since ${since}.${dim}${hint}`;
  }

  const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

  function dimmed(placed) {
    const details = make("details", { className: "dim" }, make("summary", { textContent: counted(placed.length, "template change") }));
    details.append(listed(placed));
    return details;
  }

  function listed(placed) {
    const list = make("ul", {}, ...placed.slice(0, LISTED).map(item));
    if (placed.length > LISTED) list.append(make("li", { className: "soft", textContent: `and ${placed.length - LISTED} more` }));
    return list;
  }

  function item({ change, element }) {
    const why = [WORDS[change.what] ?? change.what, change.husk && change.why, !element && "not found on the page"].filter(Boolean).join(", ");
    const go = make("button", { className: "go", type: "button" }, make("span", { className: "chip", textContent: why }));
    if (change.words?.length) go.append(...change.words.flatMap(shownRun));
    else if (change.before && change.what !== "moved") go.append(make("del", { textContent: shortened(change.before) }), " ");
    if (change.after && !change.words?.length) go.append(make(change.what === "moved" ? "span" : "mark", { textContent: shortened(change.after) }));
    go.disabled = !element;
    go.onclick = panel.trusted(() => point(element));
    return make("li", {}, go);
  }

  /** Consecutive words of a line: long unchanged texts are shortened. */
  function shownRun({ kind, text }) {
    if (kind !== "same") return [make(kind === "added" ? "mark" : "del", { textContent: shortened(text) }), " "];
    return [text.length > 60 ? `${text.slice(0, 25)} … ${text.slice(-25)} ` : `${text} `];
  }

  function point(element) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    call(element, "scrollIntoView", { block: "center", behavior: calm ? "auto" : "smooth" });
    call(element, "addEventListener", "scrollend", () => panel.frame(element), { once: true });
    panel.frame(element);
  }

  const shortened = text => (text.length > 200 ? `${text.slice(0, 199)}…` : text);

  return { show };
})();
