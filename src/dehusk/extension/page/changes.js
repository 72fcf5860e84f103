// What changed since the last visit: marked on the page and listed beside it.

globalThis.dehusk ??= {};

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
    if (content.length) parts.push(listed(content));
    if (husk.length) parts.push(dimmed(husk));
    panel.card("What changed", close, ...parts);
    return said;
  }

  function painted(snapshot, change) {
    const place = change.path && places.find(snapshot, change.path);
    if (!place) return null;
    const word = change.husk ? `${change.what} husk` : change.what;
    if (change.what === "removed") return inTable(place) ? elementOf(place) : paint.gone(place, change.where, change.before, word);
    paint.mark(place, word, change);
    return elementOf(place);
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
    if (change.before && change.what !== "moved") go.append(make("del", { textContent: shortened(change.before) }), " ");
    if (change.after) go.append(make(change.what === "moved" ? "span" : "mark", { textContent: shortened(change.after) }));
    go.disabled = !element;
    go.onclick = panel.trusted(() => point(element));
    return make("li", {}, go);
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
