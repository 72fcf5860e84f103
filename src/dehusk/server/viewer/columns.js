"use strict";
// The columns of a table as outlines on the page, with their names. They are drawn over the page, in a shadow tree that
// the style of the page does not reach.

const LAYER = "husk-columns";
const LAYER_STYLE = "all:initial!important;position:absolute!important;left:0!important;top:0!important;width:0!important;height:0!important;z-index:2147483647!important;pointer-events:none!important";
const OUTLINE_STYLE = `
div { position: absolute; border: 2px solid #1f5fbf; border-radius: 4px; box-sizing: border-box; }
div[data-on] { border-width: 3px; background: #1f5fbf2b; }
button { position: absolute; font: 600 11px/1.4 system-ui, sans-serif; color: #fff; background: #1f5fbf; border: 0; border-radius: 4px; padding: 0 5px; pointer-events: auto; cursor: pointer; white-space: nowrap; }
`;
const NAME_HIGH = 16;
// A name this wide or less fits beside its outline.
const NAME_WIDE = 110;

class Outlines {
  constructor(frame, picked) {
    this.page = frame;
    this.picked = picked; // called with the name of a column
    this.cells = [];
    this.on = "";
    new ResizeObserver(() => this.draw()).observe(frame.frame);
  }

  show(cells) {
    this.cells = cells;
    this.draw();
  }

  select(name) {
    this.on = name;
    this.draw();
    const element = this.elementsOf(name)[0];
    if (element) this.page.reveal(element);
  }

  // Shows where the columns begin.
  begin() {
    const first = this.cells.flatMap(cell => this.page.at(cell.path)).filter(one => boxOf(one).height).sort((a, b) => boxOf(a).top - boxOf(b).top)[0];
    if (first) this.page.reveal(first, "start");
  }

  elementsOf(name) {
    return this.page.view ? this.cells.filter(cell => cell.column === name).flatMap(cell => this.page.at(cell.path)) : [];
  }

  // The column of the innermost outline around an element.
  columnAt(target) {
    const around = this.cells.flatMap(cell => this.page.at(cell.path).filter(one => one === target || one.contains(target)).map(one => [cell.column, one]));
    around.sort((a, b) => (a[1].contains(b[1]) ? 1 : -1));
    return around[0]?.[0] ?? "";
  }

  draw() {
    if (!this.page.view) return;
    const { root } = this.page, { document } = this.page.frame.contentWindow;
    for (const old of childrenOf(root)) if (tagOf(old) === LAYER) old.remove();
    if (!this.cells.length || this.page.look !== "table") return;
    const layer = document.createElement(LAYER);
    layer.setAttribute("style", LAYER_STYLE);
    layer.setAttribute("aria-hidden", "true");
    const shadow = layer.attachShadow({ mode: "open" });
    root.append(layer);
    const from = boxOf(layer), wide = this.page.frame.contentWindow.innerWidth;
    shadow.append(make("style", {}, OUTLINE_STYLE));
    const shared = new Map();
    for (const { column, path } of this.cells) for (const element of this.page.at(path)) shared.set(element, [...(shared.get(element) ?? []), column]);
    const named = new Set();
    for (const [element, columns] of shared) {
      const box = boxOf(element), fresh = columns.filter(name => !named.has(name));
      if (!box.width || !box.height) continue;
      fresh.forEach(name => named.add(name));
      const [x, y] = [box.left - from.left, box.top - from.top];
      const outline = make("div", { "data-on": columns.includes(this.on) });
      outline.style.cssText = `left:${x - 2}px;top:${y - 1}px;width:${box.width + 4}px;height:${box.height + 2}px`;
      shadow.append(outline);
      if (!fresh.length) continue;
      const name = make("button", { type: "button", tabindex: -1, onclick: () => this.picked(fresh.includes(this.on) ? this.on : fresh[0]) }, fresh.join(", "));
      const beside = x + box.width + NAME_WIDE < wide;
      name.style.cssText = beside ? `left:${x + box.width + 4}px;top:${y}px` : `right:${-Math.min(x + box.width, wide - 2)}px;top:${y - NAME_HIGH}px`;
      shadow.append(name);
    }
  }
}
