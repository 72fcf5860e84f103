// How the service names places of a page: elements by selectors, loose texts by the element around them (`body > p::text(2)`).

globalThis.dehusk ??= {};

dehusk.places = (() => {
  const LOOSE = /::text(?:\((\d+)\))?$/;
  // Names that are of one page or one build: the same rules as in places.py of the package.
  const GENERATED = /\d{3}|(?=[a-z]*\d[a-z\d]*[a-z]\d|\d+[a-z]+\d)[a-z\d]{5}/i;

  /** The living element of a path, or a range over a loose text; null where the page has changed since. */
  function find(snapshot, path) {
    const loose = LOOSE.exec(path);
    try {
      const element = snapshot.find(path.replace(LOOSE, ""));
      return loose && element ? range(element, Number(loose[1] ?? 1)) : element;
    } catch {
      return null; // no selector that this browser can read
    }
  }

  function range(element, number) {
    const texts = Array.from(element.childNodes).filter(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!texts[number - 1]) return null;
    const found = document.createRange();
    found.selectNodeContents(texts[number - 1]);
    return found;
  }

  /** What an element has in common with those at the same place of other pages. */
  function kind(element) {
    const steps = [];
    for (let one = element; one && one.localName !== "body"; one = one.parentElement) steps.unshift(step(one));
    return ["body", ...steps].join(" > ");
  }

  function step(element) {
    const id = element.id && !GENERATED.test(element.id) ? `#${CSS.escape(element.id)}` : "";
    const classes = Array.from(element.classList).filter(name => !GENERATED.test(name) && name !== "");
    return CSS.escape(element.localName) + id + classes.map(name => `.${CSS.escape(name)}`).join("");
  }

  return { find, kind };
})();
