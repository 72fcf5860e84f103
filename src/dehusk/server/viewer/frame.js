"use strict";
// A page in its frame. Scripts of the page do not run; the viewer handles all events of the frame from outside.

const VIEWS = { original: "", tinted: "husk-tinted", content: "husk-tinted", template: "husk-template", beside: "husk-tinted", table: "" };
const MOST = 10_000;
// Red parts that are looked at to find the place where a page opens: those of a long page would take too long.
const MOST_EDGES = 80;
const MAIN = ["title", "lead", "body", "post", "record", "table", "code"];

// Whether a page came without its style sheets, and is set in plain type.
const isPlain = view => /^[^>]*>\s*<html[^>]* data-husk-plain/.test(view.tinted);

class PageFrame {
  constructor({ over, pinned, key }) {
    this.told = { over, pinned, key };
    this.frame = document.getElementById("frame");
    this.frame.addEventListener("load", () => this.loaded());
    this.view = null;
    this.look = "tinted";
  }

  show(view) {
    this.view = null;
    this.given = view;
    this.left = this.frame.contentDocument;
    this.frame.title = view.title || view.name;
    this.frame.removeAttribute("data-page");
    this.resolve?.();  // nobody waits for the page before
    this.ready = new Promise(resolve => { this.resolve = resolve; });
    this.number = (this.number ?? 0) + 1;
    this.frame.srcdoc = `${view.tinted}<!--${this.number}-->`;
    return this.ready;
  }

  // Ignores a page that finishes loading after the next one was requested.
  loaded() {
    if (!this.given || this.frame.contentDocument === this.left || lastOf(this.frame.contentWindow.document)?.data !== String(this.number)) return;
    this.root = this.frame.contentDocument.documentElement;
    this.view = this.given;
    this.elements = new Map();
    for (const element of within(this.root, "[data-husk]")) this.elements.set(Number(attributeOf(element, "data-husk")), element);
    this.release();
    this.listen();
    this.as(this.look);
    this.meet();
    this.frame.dataset.page = this.view.name;
    this.resolve();
  }

  // Marks sticky and fixed elements, so that the style sheet releases them: they would cover other parts.
  release() {
    const stays = element => ["sticky", "fixed"].includes(this.frame.contentWindow.getComputedStyle(element).position);
    for (const element of within(this.root, "body *").slice(0, MOST)) if (stays(element)) setAttributeOf(element, "data-husk-still", "");
  }

  listen() {
    const on = (name, listener) => Node.prototype.addEventListener.call(this.frame.contentWindow.document, name, listener, true);
    const still = event => event.preventDefault();
    for (const name of ["click", "auxclick", "submit", "dragstart", "contextmenu"]) on(name, name === "contextmenu" ? () => {} : still);
    on("mouseover", event => this.told.over(this.regionOf(event.target)));
    on("mouseleave", () => this.told.over(null));
    on("click", event => this.told.pinned(event.target));
    on("keydown", event => this.told.key(event));
  }

  regionOf(target) {
    const element = closestTo(target, "[data-husk]");
    return element ? this.view.regions[Number(attributeOf(element, "data-husk"))] : null;
  }

  elementOf(region) { return this.elements.get(region.n); }

  // Changes the look. Scrolls so that the first visible part of the content keeps its position.
  as(look) {
    this.look = look;
    if (!this.view) return;
    const first = this.view.regions.map(region => region.removed ? null : this.elementOf(region)).find(one => one && boxOf(one).bottom > 0 && boxOf(one).height);
    const before = first && boxOf(first).top;
    for (const name of Object.values(VIEWS)) if (name) this.root.classList.remove(name);
    if (VIEWS[look]) this.root.classList.add(VIEWS[look]);
    if (first && boxOf(first).height) this.frame.contentWindow.scrollBy(0, boxOf(first).top - before);
  }

  // The part where the content begins: the title, or else the first main part.
  start() {
    const stays = this.view.regions.filter(region => !region.removed && this.elementOf(region) && boxOf(this.elementOf(region)).height);
    return stays.find(one => one.role === "title") || stays.find(one => MAIN.includes(one.role)) || stays[0];
  }

  jump() {
    const region = this.start();
    if (region) this.reveal(this.elementOf(region), "start");
  }

  // Scrolls to where template and content meet, so that both are in sight; near the start of the content if possible.
  meet() {
    const first = this.start();
    if (!first) return;
    const { contentWindow: inside, clientHeight: tall } = this.frame;
    const from = boxOf(this.elementOf(first)).top + inside.scrollY;
    const boxes = removed => this.view.regions.filter(one => one.removed === removed && this.elementOf(one)).map(one => boxOf(this.elementOf(one)))
      .filter(box => box.height && box.width).map(box => ({ top: box.top + inside.scrollY, bottom: box.bottom + inside.scrollY }))
      .sort((a, b) => Math.abs(a.top - from) - Math.abs(b.top - from)).slice(0, MOST_EDGES);
    const red = boxes(true), green = boxes(false);
    const share = (some, top) => Math.min(.35, some.reduce((sum, box) => sum + Math.max(0, Math.min(box.bottom, top + tall) - Math.max(box.top, top)), 0) / tall);
    const worth = top => {
      const reds = share(red, top), greens = share(green, top);
      return Math.min(reds, greens) * 2 + reds + greens + (top <= from && from < top + tall * .8 ? .5 : 0) - Math.abs(top - from) / tall / 20;
    };
    const tops = [from - 24, from - tall * .3, from - tall * .5, ...red.flatMap(box => [box.bottom - tall * .4, box.top - tall * .6])];
    inside.scrollTo(0, tops.reduce((best, top) => (worth(top) > worth(best) ? top : best)));
  }

  reveal(element, block = "nearest") {
    const { contentWindow: inside, clientHeight: tall } = this.frame;
    const box = boxOf(element);
    if (block === "start") inside.scrollBy(0, box.top - 24);
    else if (box.top < 0 || box.bottom > tall) inside.scrollBy(0, box.top - Math.max(24, (tall - box.height) / 2));
  }

  mark(name, elements) {
    for (const element of within(this.root, `[data-husk-${name}]`)) dropAttributeOf(element, `data-husk-${name}`);
    for (const element of elements) if (element) setAttributeOf(element, `data-husk-${name}`, "");
  }

  // The elements to choose from: the chain of first children of this one (innermost first), itself, and its ancestors.
  levels(target) {
    let inner = tagOf(target) === LOOSE ? parentOf(target) : target;
    const below = [];
    for (let one = inner; (one = childrenOf(one).find(child => tagOf(child) !== LOOSE && contentOf(child).trim()));) below.unshift(one);
    const above = wayTo(inner).slice(1).reverse();
    return [...below, ...above];
  }

  // "goes" or "stays" if this holds for the whole element, else "both".
  fate(element) {
    if (closestTo(element, "[data-husk-removed]")) return "goes";
    return within(element, "[data-husk-removed]").length ? "both" : "stays";
  }

  // The elements that match a selector; none if it is invalid.
  at(selector) {
    try {
      return within(this.root, selector);
    } catch {
      return [];
    }
  }
}
