// The page as it stands, as HTML for the service, and the way back from a place in that HTML to the living element.
// What people typed is left out, and so are the page's scripts: neither says what the page is.

globalThis.dehusk ??= {};

dehusk.OWN = ["dehusk-panel", "dehusk-gone"]; // elements that we add to a page
dehusk.MARK = "data-dehusk";
dehusk.VIEW = "data-dehusk-view";

dehusk.Failure = class extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
};

dehusk.snapshot = (() => {
  const BUTTONS = ["button", "submit", "reset"]; // their values are words of the page
  const PAGES = ["text/html", "application/xhtml+xml"];

  /** A copy of the page that can be sent: html, url and find(path), which gives the living element or null. */
  function snapshot() {
    if (!document.body || !PAGES.includes(document.contentType)) throw new dehusk.Failure("notpage", "This is a file, not a web page.");
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

  const connected = element => (element?.isConnected ? element : null);

  function written() {
    const copy = document.documentElement.cloneNode(true);
    for (const own of copy.querySelectorAll(dehusk.OWN.join())) own.remove();
    copy.removeAttribute(dehusk.VIEW);
    for (const marked of copy.querySelectorAll(`[${dehusk.MARK}]`)) marked.removeAttribute(dehusk.MARK);
    // What is for browsers without scripts is text here, and would be elements to the service.
    for (const unseen of copy.querySelectorAll("script:not([type='application/ld+json' i]), noscript")) unseen.textContent = "";
    forget(copy);
    return (document.compatMode === "CSS1Compat" ? "<!DOCTYPE html>" : "") + copy.outerHTML;
  }

  /** Takes out what people typed, chose or were given to send back. */
  function forget(copy) {
    for (const input of copy.querySelectorAll("input")) {
      input.removeAttribute("checked");
      if (!BUTTONS.includes(input.type)) input.removeAttribute("value");
    }
    for (const option of copy.querySelectorAll("option[selected]")) option.removeAttribute("selected");
    for (const typed of copy.querySelectorAll("textarea, [contenteditable]:not([contenteditable=false i])")) typed.textContent = "";
  }

  /** Elements of the parsed copy and of the page that are the same. Where the two differ, what is below has no pair. */
  function paired(copy, element) {
    const pairs = new Map();
    const open = [[copy, element]];
    while (open.length) {
      const [a, b] = open.pop();
      pairs.set(a, b);
      const below = Array.from(b.children).filter(child => !dehusk.OWN.includes(child.localName));
      if (a.children.length === below.length && below.every((child, k) => child.localName === a.children[k].localName)) {
        below.forEach((child, k) => open.push([a.children[k], child]));
      }
    }
    return pairs;
  }

  return snapshot;
})();
