// Marks parts of the page: elements by an attribute, text nodes by a highlight. The colours are in paint.css and texts.css.
// Nothing else on the page changes, and `clear` restores it.

var dehusk = globalThis.dehusk ?? {}; // not `??=`: that would take an element of the page with this id

dehusk.paint = (() => {
  const { call, get } = dehusk;
  const before = new Map(); // the original attribute of each marked element
  const added = new Set(); // elements that we added to the page
  const texts = new Map(); // highlights of text ranges by mark
  const joints = []; // text nodes that were split to put a removed word between
  const about = new Map(); // what is known about each marked element
  const words = new Set(); // the marks

  /** Marks an element or a text range, and remembers what is known about it. */
  function mark(place, word, what) {
    if (place instanceof Range) {
      if (!texts.has(word)) texts.set(word, new Highlight());
      texts.get(word).add(place);
      CSS.highlights.set(`dehusk-${word}`, texts.get(word));
      return;
    }
    if (!before.has(place)) before.set(place, call(place, "getAttribute", dehusk.MARK));
    call(place, "setAttribute", dehusk.MARK, word);
    words.add(word);
    if (what) about.set(place, what);
  }

  /** Marks the slots for content: the largest elements without any template inside. */
  function slots() {
    const around = new Set([document.body]);
    const husks = [...Array.from(texts.get("husk") ?? [], range => range.startContainer), ...Array.from(about.keys()).filter(isHusk)];
    for (const husk of husks) for (let one = get(husk, "parentElement"); one && !around.has(one); one = get(one, "parentElement")) around.add(one);
    for (const element of around) {
      if (!document.body.contains(element)) continue;
      for (const child of get(element, "children")) {
        if (around.has(child) || isHusk(child)) continue;
        const word = call(child, "getAttribute", dehusk.MARK) === "kernel" ? "kernel slot" : "slot";
        mark(child, word, about.get(child));
      }
    }
  }

  /** Prepares flex rows and grids for the removal of their template parts, so that the other children keep their columns. */
  function close() {
    const inside = Map.groupBy(Array.from(about.keys()).filter(isHusk), husk => get(husk, "parentElement"));
    inside.delete(null); // the page has taken these out meanwhile
    // All is measured before the first mark: each mark makes the browser lay out the page again.
    const measured = Array.from(inside, ([parent, husks]) => ({ parent, husks, display: getComputedStyle(parent).display, staying: staying(parent) }));
    for (const { parent, husks, display, staying } of measured) {
      if (/flex|grid/.test(display) && staying < 2) mark(parent, `${call(parent, "getAttribute", dehusk.MARK) ?? ""} alone`, about.get(parent));
      else if (/grid/.test(display)) for (const husk of husks) mark(husk, "husk held", about.get(husk));
    }
  }

  const staying = parent => Array.from(get(parent, "children")).filter(child => !isHusk(child) && call(child, "getClientRects").length).length;

  const isHusk = element => /^husk/.test(call(element, "getAttribute", dehusk.MARK));

  /** Shows a removed text after or inside an element. */
  function gone(place, where, text, word) {
    const element = place instanceof Range ? place.startContainer.parentElement : place; // the container is a text
    const ghost = document.createElement("dehusk-gone");
    ghost.textContent = text;
    ghost.setAttribute(dehusk.MARK, word);
    words.add(word);
    call(element, where === "within" ? "prepend" : "after", ghost);
    added.add(ghost);
    return ghost;
  }

  /** Shows removed words inside a text node, at this offset. */
  function goneWords(node, offset, text, word) {
    const ghost = document.createElement("dehusk-gone");
    ghost.textContent = text;
    ghost.setAttribute(dehusk.MARK, `${word} words`);
    if (offset > 0 && offset < node.length) joints.push([node, node.splitText(offset)]);
    if (offset > 0) node.after(ghost);
    else node.before(ghost);
    added.add(ghost);
    return ghost;
  }

  /** Makes one text node again of each that was split, unless the page has changed them meanwhile. */
  function join() {
    for (const [node, rest] of joints.splice(0).reverse()) {
      if (rest.previousSibling !== node) continue;
      node.appendData(rest.data);
      rest.remove();
    }
  }

  /** Chooses the view. */
  function view(name) {
    document.documentElement.setAttribute(dehusk.VIEW, name);
  }

  function clear() {
    for (const copy of document.querySelectorAll(`[${dehusk.MARK}]`)) forget(copy);
    for (const [element, value] of before) {
      if (value === null) call(element, "removeAttribute", dehusk.MARK);
      else call(element, "setAttribute", dehusk.MARK, value);
    }
    for (const ghost of added) ghost.remove();
    join();
    for (const word of texts.keys()) CSS.highlights.delete(`dehusk-${word}`);
    document.documentElement.removeAttribute(dehusk.VIEW);
    for (const kept of [before, added, texts, about, words]) kept.clear();
  }

  /** Removes our mark from an element that a script of the page has copied with it. */
  function forget(copy) {
    if (before.has(copy) || added.has(copy) || !words.has(call(copy, "getAttribute", dehusk.MARK))) return;
    if (get(copy, "localName") === "dehusk-gone") copy.remove();
    else call(copy, "removeAttribute", dehusk.MARK);
  }

  /** The closest marked element, the element itself or an ancestor, and what is known about it. */
  function closest(element) {
    for (let one = element; one; one = get(one, "parentElement")) if (about.has(one)) return { element: one, what: about.get(one) };
    return null;
  }

  return { mark, slots, close, gone, goneWords, view, clear, closest };
})();
