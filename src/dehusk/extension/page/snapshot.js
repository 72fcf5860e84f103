// A snapshot of the page as HTML for the service, with a map from places in that HTML back to elements of the page.
// Scripts and text typed by the user are left out: neither is needed to judge the page.

var dehusk = globalThis.dehusk ?? {}; // not `??=`: that would take an element of the page with this id

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
    const parsed = inert(html);
    const living = paired(parsed.body, document.body);
    const copies = new Map(Array.from(living, ([copy, element]) => [element, copy]));
    const place = finder(parsed);
    return {
      html,
      url: location.href,
      find: path => connected(living.get(place(path))),
      copy: element => copies.get(element) ?? null,
      texts: new Map(), // text nodes by element, for places
    };
  }

  const connected = element => (element && get(element, "isConnected") ? element : null);

  /** A document in which nothing is loaded, played or run, not even what an element of the page does when it is made. */
  const inert = html => new DOMParser().parseFromString(html, "text/html");

  function written() {
    const copy = inert("").importNode(document.documentElement, true);
    copy.removeAttribute(dehusk.VIEW);
    const roots = [copy];
    for (const root of roots) {
      for (const own of root.querySelectorAll(dehusk.OWN)) call(own, "remove");
      for (const marked of root.querySelectorAll(`[${dehusk.MARK}]`)) call(marked, "removeAttribute", dehusk.MARK);
      // The content of noscript is text here, but the service would parse it as elements.
      for (const unseen of root.querySelectorAll("script:not([type='application/ld+json' i]), noscript")) unseen.textContent = "";
      forget(root);
      for (const { content } of root.querySelectorAll("template")) if (content) roots.push(content);
    }
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

  /**
   * A function that returns the element at a path of the service: `body > div#list > p:nth-of-type(2)`. Each step is looked up
   * among the children of the last: a selector would search the whole page for each of thousands of paths.
   */
  function finder(parsed) {
    const known = new Map();
    const below = element => {
      if (!known.has(element)) known.set(element, named(get(element, "children")));
      return known.get(element);
    };
    return path => {
      const [root, ...steps] = path.split(" > ");
      let at = parsed.querySelector(root);
      for (const step of steps) at = at && (below(at).get(step) ?? null);
      return at;
    };
  }

  /** Children by their steps: each by its tag and number, and by its tag and id, with and without a number. */
  function named(children) {
    const found = new Map();
    const counts = new Map();
    for (const child of children) {
      const [tag, id] = [CSS.escape(get(child, "localName")), get(child, "id")];
      const number = (counts.get(tag) ?? 0) + 1;
      counts.set(tag, number);
      for (const name of id ? [tag, `${tag}#${CSS.escape(id)}`] : [tag]) {
        if (!found.has(name)) found.set(name, child);
        found.set(`${name}:nth-of-type(${number})`, child);
      }
    }
    return found;
  }

  return snapshot;
})();
