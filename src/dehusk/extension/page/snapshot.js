// A snapshot of the page as HTML for the service, with a map from places in that HTML back to elements of the page.
// Scripts and text typed by the user are left out: neither is needed to judge the page.

globalThis.dehusk ??= {};

dehusk.PANEL = "data-dehusk-panel";
dehusk.OWN = `[${dehusk.PANEL}], dehusk-gone`; // elements that we add to a page
dehusk.MARK = "data-dehusk";
dehusk.VIEW = "data-dehusk-view";

dehusk.Failure = class extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
};

// Fields of a form are properties of the form: with `<input name=id>`, `form.id` is that field. So a page could make us fail
// or loop. These two read a property and call a method as the browser defines them, whatever fields an element has.
dehusk.get = (element, name) => Reflect.get(HTMLElement.prototype, name, element);
dehusk.call = (element, name, ...given) => HTMLElement.prototype[name].apply(element, given);

dehusk.snapshot = (() => {
  const { call, get } = dehusk;
  const BUTTONS = ["button", "submit", "reset"]; // their values are labels, not typed by the user
  const PAGES = ["text/html", "application/xhtml+xml"];

  /** A copy of the page to send: html, url, and find(path), which returns the element of the page or null. */
  function snapshot() {
    if (!document.body || !PAGES.includes(document.contentType)) throw new dehusk.Failure("notpage", "This is a file, not an HTML page.");
    const html = written();
    const parsed = new DOMParser().parseFromString(html, "text/html");
    const living = paired(parsed.body, document.body);
    const copies = new Map(Array.from(living, ([copy, element]) => [element, copy]));
    return {
      html,
      url: location.href,
      find: path => connected(living.get(parsed.querySelector(path))),
      all: path => Array.from(parsed.querySelectorAll(path), copy => connected(living.get(copy))).filter(Boolean),
      copy: element => copies.get(element) ?? null,
    };
  }

  const connected = element => (element && get(element, "isConnected") ? element : null);

  function written() {
    const copy = document.documentElement.cloneNode(true);
    for (const own of copy.querySelectorAll(dehusk.OWN)) own.remove();
    copy.removeAttribute(dehusk.VIEW);
    for (const marked of copy.querySelectorAll(`[${dehusk.MARK}]`)) call(marked, "removeAttribute", dehusk.MARK);
    // The content of noscript is text here, but the service would parse it as elements.
    for (const unseen of copy.querySelectorAll("script:not([type='application/ld+json' i]), noscript")) unseen.textContent = "";
    forget(copy);
    return (document.compatMode === "CSS1Compat" ? "<!DOCTYPE html>" : "") + copy.outerHTML;
  }

  /** Removes the values of form fields: typed, chosen or hidden. */
  function forget(copy) {
    for (const input of copy.querySelectorAll("input")) {
      input.removeAttribute("checked");
      if (!BUTTONS.includes(input.type)) input.removeAttribute("value");
    }
    for (const option of copy.querySelectorAll("option[selected]")) option.removeAttribute("selected");
    for (const typed of copy.querySelectorAll("textarea, [contenteditable]:not([contenteditable=false i])")) call(typed, "replaceChildren");
  }

  /** Maps elements of the parsed copy to elements of the page. Where the two differ, descendants are not mapped. */
  function paired(copy, element) {
    const pairs = new Map();
    const open = [[copy, element]];
    while (open.length) {
      const [a, b] = open.pop();
      pairs.set(a, b);
      const copies = get(a, "children");
      const below = Array.from(get(b, "children")).filter(child => !call(child, "matches", dehusk.OWN));
      if (copies.length === below.length && below.every((child, k) => get(child, "localName") === get(copies[k], "localName"))) {
        below.forEach((child, k) => open.push([copies[k], child]));
      }
    }
    return pairs;
  }

  return snapshot;
})();
