"use strict";
// The content of a page in our own type, alone or beside the page. Beside it, both scroll together, block by block.

const BLOCKS = "h1,h2,h3,h4,h5,h6,p,li,pre,td,th,dt,dd,blockquote,figcaption";
// Letters that a block of the content is found by on the page.
const FOUND_BY = 60;
const READER_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";
const READER_STYLE = `
:root { color-scheme: var(--scheme); }
body { margin: 0 auto; max-width: min(68ch, 38em); padding: 1.6rem 1.4rem 4rem; background: var(--card); color: var(--ink); font: 1.06rem/1.65 Charter, "Bitstream Charter", "Iowan Old Style", Georgia, serif; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { font-family: system-ui, sans-serif; line-height: 1.25; margin: 1.7em 0 .5em; letter-spacing: -.01em; }
h1 { font-size: 1.75rem; margin-top: 0; } h2 { font-size: 1.35rem; } h3 { font-size: 1.13rem; } h4, h5, h6 { font-size: 1rem; }
p, ul, ol, dl, pre, table, blockquote, figure { margin: 0 0 1em; }
a { color: var(--focus); text-decoration-thickness: 1px; text-underline-offset: 2px; }
pre, code, kbd, samp { font-family: ui-monospace, monospace; font-size: .88em; }
pre { background: var(--well); padding: .8em 1em; border-radius: 8px; overflow-x: auto; line-height: 1.45; }
:not(pre) > code { background: var(--well); padding: .1em .3em; border-radius: 4px; }
table { border-collapse: collapse; display: block; overflow-x: auto; font: .92rem/1.45 system-ui, sans-serif; }
td, th { padding: .15em .6em .15em 0; text-align: start; vertical-align: top; }
table:has(th) :is(td, th) { border: 1px solid var(--line); padding: .3em .6em; }
th { background: var(--well); }
blockquote { margin-inline: 0; padding-inline-start: 1em; border-inline-start: 3px solid var(--line); color: var(--soft); }
img { max-width: 100%; height: auto; } figcaption { color: var(--soft); font-size: .9em; }
li:has(h1, h2, h3, h4, h5, h6) { list-style: none; } li > p { margin-bottom: .3em; }
dt { font-weight: 600; } dd { margin-inline-start: 1.5em; }
[data-here] { background: var(--well); box-shadow: -.5em 0 var(--well), .5em 0 var(--well); border-radius: 2px; }
`;
const COLOURS = ["--ink", "--soft", "--line", "--card", "--well", "--focus"];
const letters = text => text.replace(/\s+/g, "");

// Blocks that are left out if nothing is in them, and what a table has that arranges a page.
const EMPTY = "ul,ol,dl,li,dt,dd,p,h1,h2,h3,h4,h5,h6,div,section,article,blockquote,figure,table,tr";
const AROUND = ["BODY", "DIV", "TD", "LI", "P", "SECTION", "ARTICLE"];
const ARRANGED = "table,div,p,ul,ol,h1,h2,h3,h4,h5,h6";

// Leaves out what is left of blocks whose texts are template: bullets, rows, gaps.
function tidy(body) {
  for (const block of [...body.querySelectorAll(EMPTY)].reverse()) if (!block.textContent.trim() && !block.querySelector("img")) block.remove();
  for (const table of [...body.querySelectorAll("table")].reverse()) {
    if (table.querySelector("th") || !table.querySelector(ARRANGED)) continue;
    const cells = [...table.querySelectorAll("td")].filter(cell => cell.closest("table") === table && cell.textContent.trim());
    table.replaceWith(...cells.map(cell => make("div", {}, ...cell.childNodes)));
  }
  for (const gap of body.querySelectorAll("br")) {
    let before = gap.previousSibling;
    while (before && before.nodeType === Node.TEXT_NODE && !before.data.trim()) before = before.previousSibling;
    if (before ? ["BR", "DIV"].includes(before.nodeName) : AROUND.includes(gap.parentNode.nodeName)) gap.remove();
  }
}

class Reader {
  constructor(frame, key) {
    this.page = frame;
    this.frame = document.getElementById("reader");
    this.key = key;
    this.view = null;
    this.frame.addEventListener("load", () => this.loaded());
    new ResizeObserver(() => { this.anchors = null; }).observe(this.frame);
  }

  show(view) {
    this.view = view;
    this.anchors = null;
    this.resolve?.();
    this.ready = new Promise(resolve => { this.resolve = resolve; });
    this.frame.srcdoc = this.written(view);
    return this.ready;
  }

  // The content as a document that loads nothing. Its HTML was made safe by the writer.
  written(view) {
    const [start, body] = view.html.split(/<body>/, 2);  // its head has a base address, which a document here may not have
    const given = new DOMParser().parseFromString(body, "text/html");
    const document = new DOMParser().parseFromString("<!DOCTYPE html><title></title>", "text/html");
    for (const name of ["lang", "dir"]) document.documentElement.setAttribute(name, new RegExp(`<html[^>]* ${name}="([\\w-]*)"`).exec(start)?.[1] ?? "");
    const policy = document.createElement("meta"), style = document.createElement("style");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = READER_POLICY;
    style.textContent = `:root { ${this.colours()} } ${READER_STYLE}`;
    document.title = view.title || view.name;
    document.head.prepend(policy);
    document.head.append(style);
    document.body.append(...given.body.childNodes);
    tidy(document.body);
    if (!document.body.textContent.trim() && !document.body.querySelector("img")) document.body.innerHTML = "<p>Nothing is left of this page.</p>";
    else if (view.title && !document.querySelector("h1")) document.body.prepend(make("h1", {}, view.title));
    return `<!DOCTYPE html>${document.documentElement.outerHTML}`;
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    return [...COLOURS.map(name => `${name}: ${style.getPropertyValue(name)};`), `--scheme: ${style.colorScheme};`].join(" ");
  }

  // Takes over the colours of the viewer, after a change from light to dark.
  recolour() {
    if (this.root) this.root.style.cssText = this.colours();
  }

  loaded() {
    if (!this.view || !this.frame.contentDocument?.body) return;
    this.root = this.frame.contentDocument.documentElement;
    const inside = this.frame.contentWindow;
    for (const name of ["click", "auxclick", "submit", "dragstart"]) inside.document.addEventListener(name, event => event.preventDefault(), true);
    inside.document.addEventListener("keydown", this.key, true);
    inside.addEventListener("scroll", () => this.follow(inside, this.page.frame.contentWindow, 1), { passive: true });
    this.resolve?.();
  }

  // Called when the page beside it has loaded.
  link() {
    this.anchors = null;
    const page = this.page.frame.contentWindow;
    page.addEventListener("scroll", () => this.follow(page, this.frame.contentWindow, 0), { passive: true });
  }

  // Scrolls the content to what the page shows.
  align() {
    this.anchors = null;
    if (this.root && this.page.view) this.follow(this.page.frame.contentWindow, this.frame.contentWindow, 0);
  }

  // Scrolls the other side to the same block. `side` is 0 if the page was scrolled, 1 if the content was.
  follow(moved, other, side) {
    if (this.frame.hidden || this.page.frame.hidden || !this.page.view || !this.root) return;
    if (this.set === moved && Math.abs(this.at - moved.scrollY) < 2) return void (this.set = null);
    this.set = null;
    this.anchors ??= this.found();
    const line = moved.innerHeight / 4, y = moved.scrollY + line;
    const after = this.anchors.findIndex(pair => pair[side] > y), pairs = this.anchors;
    const [low, high] = after < 0 ? [pairs.at(-2), pairs.at(-1)] : [pairs[after - 1], pairs[after]];
    if (!low || !high) return;
    const share = Math.min(1, (y - low[side]) / Math.max(1, high[side] - low[side]));
    const to = low[1 - side] + share * (high[1 - side] - low[1 - side]) - line;
    other.scrollTo(0, to);
    this.set = other;
    this.at = other.scrollY;
  }

  // The vertical positions of each block on the page and in the content, found by its first letters.
  found() {
    const page = this.page.frame.contentWindow, content = this.frame.contentWindow;
    const walker = page.document.createTreeWalker(this.page.root, NodeFilter.SHOW_TEXT);
    const starts = [], nodes = [];
    let all = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const above = parentOf(node), text = letters(node.data);
      if (!text || !above || closestTo(above, "[data-husk-removed], head")) continue;
      starts.push(all.length);
      nodes.push(node);
      all += text;
    }
    const pairs = [[0, 0]];
    let from = 0, node = 0;
    for (const block of this.root.querySelectorAll(BLOCKS)) {
      const text = letters(block.textContent).slice(0, FOUND_BY);
      if (!text || block.querySelector(BLOCKS)) continue;
      const place = all.indexOf(text, from);
      if (place < 0) continue;
      from = place + text.length;
      while (starts[node + 1] <= place) node++;
      const pair = [boxOf(parentOf(nodes[node])).top + page.scrollY, block.getBoundingClientRect().top + content.scrollY];
      if (pair[0] > pairs.at(-1)[0] && pair[1] > pairs.at(-1)[1]) pairs.push(pair);
    }
    pairs.push([this.page.root.scrollHeight, this.root.scrollHeight]);
    return pairs;
  }
}
