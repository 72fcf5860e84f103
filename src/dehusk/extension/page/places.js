// Finds places on the page by the paths of the service: CSS selectors for elements, `body > p::text(2)` for text nodes.

var dehusk = globalThis.dehusk ?? {}; // not `??=`: that would take an element of the page with this id

dehusk.places = (() => {
  const { get } = dehusk;
  const LOOSE = /::text(?:\((\d+)\))?$/;
  // Generated ids and classes, which other pages do not have. Same rule as in page/places.py of the package.
  const GENERATED = /\d{3}|(?=[a-z]*\d[a-z\d]*[a-z]\d|\d+[a-z]+\d)[a-z\d]{5}/i;

  /** The element of the page at a path, or a range over a text node; null if the page has changed meanwhile. */
  function find(snapshot, path) {
    const loose = LOOSE.exec(path);
    const element = snapshot.find(path.replace(LOOSE, ""));
    return loose && element ? range(textsOf(snapshot, element)[Number(loose[1] ?? 1) - 1], element) : element;
  }

  /** The text nodes of an element when it was first asked for. */
  function textsOf({ texts }, element) {
    if (!texts.has(element)) texts.set(element, Array.from(get(element, "childNodes")).filter(node => node.nodeType === Node.TEXT_NODE && node.data.trim()));
    return texts.get(element);
  }

  function range(text, element) {
    if (text?.parentNode !== element) return null;
    const found = document.createRange();
    found.selectNodeContents(text);
    return found;
  }

  /** A selector for the element that also matches the same place on other pages. */
  function kind(element) {
    const steps = [];
    for (let one = element; one && get(one, "localName") !== "body"; one = get(one, "parentElement")) steps.unshift(step(one));
    return ["body", ...steps].join(" > ");
  }

  function step(element) {
    const named = get(element, "id");
    const id = named && !GENERATED.test(named) ? `#${CSS.escape(named)}` : "";
    const classes = Array.from(get(element, "classList")).filter(name => !GENERATED.test(name) && name !== "");
    return CSS.escape(get(element, "localName")) + id + classes.map(name => `.${CSS.escape(name)}`).join("");
  }

  return { find, kind };
})();
