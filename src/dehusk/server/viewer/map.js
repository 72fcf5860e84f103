"use strict";
// The map of a site: every page as a bar and as a row. Pages that do not share the template come first.
// A page that was not measured yet has no share of template. Pages are grouped and sorted by it when all have one.

const ROW = 46, GROUP = 30, BEYOND = 300;
const REST = "The others";
const BARS = "One bar for each page; red is template.";
const percent = share => (share === null || share === undefined ? "…" : `${Math.round(share * 100)}%`);
const isMeasured = row => row.share_removed !== null;
// The share of template in the text of all these pages: long pages count more.
const shareOf = given => {
  const rows = given.filter(isMeasured);
  const length = rows.reduce((sum, row) => sum + row.length, 0);
  return length ? rows.reduce((sum, row) => sum + row.length * row.share_removed, 0) / length : 0;
};
const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

class PageMap {
  constructor(chosen) {
    this.chosen = chosen; // called with the id of the chosen page
    this.rows = [];
    this.shown = [];
    this.family = null;
    this.current = null;
    this.list = document.getElementById("rows");
    this.bars = document.getElementById("bars");
    this.search = document.getElementById("search");
    this.barName = document.getElementById("bar-name");
    this.search.addEventListener("input", () => this.filter());
    this.list.addEventListener("scroll", () => this.drawRows(), { passive: true });
    this.list.addEventListener("click", event => {
      const row = event.target.closest(".row");
      if (row) this.chosen(row.dataset.id);
    });
    this.list.addEventListener("keydown", event => this.key(event));
    this.bars.addEventListener("click", event => {
      const row = this.rowAt(event);
      if (row) this.chosen(row.id);
    });
    this.bars.addEventListener("mousemove", event => {
      const row = this.rowAt(event);
      if (row) this.barName.textContent = `${percent(row.share_removed)} template: ${row.title || row.name}`;
    });
    this.bars.addEventListener("mouseleave", () => { this.barName.textContent = BARS; });
    this.barName.textContent = BARS;
    new ResizeObserver(() => this.draw()).observe(this.list);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.drawBars());
  }

  show(rows) {
    this.family = null;
    this.search.value = "";
    this.update(rows);
  }

  update(rows) {
    const all = rows.every(isMeasured), order = row => (!all ? "" : row.outlier ? "!" : `${row.family ?? "~"}`);
    this.rows = rows.map(row => ({ ...row, group: order(row), words: `${row.title ?? ""} ${row.name}`.toLowerCase() }));
    if (all) this.rows.sort((a, b) => a.group.localeCompare(b.group, "en", { numeric: true }) || a.share_removed - b.share_removed || (a.name < b.name ? -1 : 1));
    const groups = new Set(this.rows.map(row => row.group));
    if (this.family !== null && !groups.has(this.family)) this.family = null;
    this.families = [...groups].filter(group => /\d/.test(group)).length;
    const from = this.list.scrollTop;
    this.drawChips();
    this.filter();
    this.list.scrollTop = from;
    this.drawRows();
  }

  // What the pages of a group have in common. A site with one template has one group, which is not named.
  label(group) {
    if (group === "!") return "Unlike the other pages";
    if (group === "~") return "In no family";
    return group === "" || this.families < 2 ? REST : `Family ${group}`;
  }

  drawChips() {
    const groups = [...new Set(this.rows.map(row => row.group))];
    const chip = (group, text) => make("button", {
      type: "button", "aria-pressed": String(this.family === group),
      onclick: () => { this.family = group; this.drawChips(); this.filter(); },
    }, text);
    const chips = document.getElementById("families");
    chips.replaceChildren(...(groups.length > 1 ? [chip(null, "All"), ...groups.map(group => chip(group, this.label(group)))] : []));
  }

  filter() {
    const wanted = this.search.value.trim().toLowerCase().split(/\s+/);
    this.shown = this.rows.filter(row => (this.family === null || row.group === this.family) && wanted.every(word => row.words.includes(word)));
    // Rows and the headings between them, with their vertical positions: only visible ones are drawn.
    this.items = [];
    this.tops = [];
    let top = 0, group = null;
    const groups = new Map();
    for (const row of this.shown) groups.has(row.group) ? groups.get(row.group).push(row) : groups.set(row.group, [row]);
    for (const row of this.shown) {
      if (row.group !== group) {
        group = row.group;
        this.items.push(`${this.heading(group, groups.get(group))}`);
        this.tops.push(top);
        top += GROUP;
      }
      row.top = top;
      this.items.push(row);
      this.tops.push(top);
      top += ROW;
    }
    this.height = top;
    this.list.scrollTop = 0;
    this.draw();
  }

  heading(group, rows) {
    const measured = rows.filter(isMeasured);
    if (measured.length < rows.length) return `Measured ${measured.length.toLocaleString("en")} of ${plural(rows.length, "page")} …`;
    const label = this.label(group), count = plural(rows.length, "page");
    return `${label === REST ? count : `${label} · ${count}`} · ${percent(shareOf(rows))} template`;
  }

  draw() {
    this.drawRows();
    this.drawBars();
  }

  drawRows() {
    if (!this.items) return;
    const from = this.list.scrollTop - BEYOND, to = this.list.scrollTop + this.list.clientHeight + BEYOND;
    let low = 0, high = this.tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle] + ROW < from) low = middle + 1; else high = middle;
    }
    let end = low;
    while (end < this.items.length && this.tops[end] < to) end++;
    // Keep existing rows: a row that is replaced while it is being tapped gets no click.
    const now = [this.items, low, end, this.current];
    if (now.every((one, k) => one === this.drawn?.[k])) return;
    this.drawn = now;
    const drawn = [];
    for (let k = low; k < end; k++) drawn.push(this.item(this.items[k], this.tops[k]));
    if (!this.items.length) drawn.push(make("div", { class: "group" }, this.rows.length ? "No page matches." : "No pages."));
    const below = make("div", { "aria-hidden": "true" });
    below.style.cssText = `top:${this.height}px;height:1px`;
    this.list.replaceChildren(...drawn, below);
    this.list.setAttribute("aria-activedescendant", `row-${this.current}`);
  }

  item(item, top) {
    const place = element => {
      element.style.cssText = `top:${top}px;height:${typeof item === "string" ? GROUP : ROW}px`;
      return element;
    };
    if (typeof item === "string") return place(make("div", { class: "group", role: "presentation" }, item));
    const bar = make("i", { "aria-hidden": "true" }, make("u"));
    bar.firstChild.style.width = percent(item.share_removed ?? 0);
    if (!isMeasured(item)) bar.className = "unmeasured";
    return place(make("div", {
      class: item.absent ? "row absent" : "row", role: "option", id: `row-${item.id}`, "data-id": item.id,
      "aria-selected": String(item.id === this.current), title: item.name,
    }, make("span", {}, item.title || item.name), make("span", { class: "soft" }, percent(item.share_removed)), make("span", { class: "soft" }, item.name), bar));
  }

  drawBars() {
    const width = this.bars.clientWidth, height = this.bars.clientHeight, scale = devicePixelRatio || 1;
    if (!width || !this.shown) return;
    this.bars.width = width * scale;
    this.bars.height = height * scale;
    const pen = this.bars.getContext("2d"), style = getComputedStyle(document.documentElement);
    pen.scale(scale, scale);
    const [kernel, husk, ink] = ["--kernel", "--husk", "--ink"].map(name => style.getPropertyValue(name));
    const room = width - 12, top = 8, tall = height - 16, count = this.shown.length;
    this.step = Math.min(24, room / Math.max(1, count));
    const gap = this.step > 4 ? 1.5 : this.step > 2 ? .5 : 0;
    for (let k = 0; k < count; k++) {
      const row = this.shown[k], x = 6 + k * this.step, wide = Math.max(.75, this.step - gap), red = tall * (row.share_removed ?? 0);
      pen.globalAlpha = isMeasured(row) ? 1 : .2;
      pen.fillStyle = kernel;
      pen.fillRect(x, top, wide, tall - red);
      pen.fillStyle = husk;
      pen.fillRect(x, top + tall - red, wide, red);
    }
    pen.globalAlpha = 1;
    const at = this.shown.findIndex(row => row.id === this.current);
    if (at >= 0) {
      pen.strokeStyle = ink;
      pen.lineWidth = 2;
      pen.strokeRect(6 + at * this.step - 1, top - 2, Math.max(3, this.step - gap + 2), tall + 4);
    }
  }

  rowAt(event) {
    const k = Math.floor((event.offsetX - 6) / this.step);
    return this.shown[Math.max(0, Math.min(k, this.shown.length - 1))];
  }

  select(id) {
    this.current = id;
    const row = this.shown.find(one => one.id === id);
    if (row) {
      const { scrollTop, clientHeight } = this.list;
      if (row.top < scrollTop) this.list.scrollTop = row.top - GROUP;
      else if (row.top + ROW > scrollTop + clientHeight) this.list.scrollTop = row.top + ROW - clientHeight;
    }
    this.draw();
  }

  // The page `count` rows further, without the pages that are not in a report.
  beyond(count) {
    const here = this.shown.filter(row => !row.absent || row.id === this.current);
    const at = here.findIndex(row => row.id === this.current);
    return here[Math.max(0, Math.min(at + count, here.length - 1))];
  }

  move(count) {
    const row = this.beyond(count);
    if (row && !row.absent && row.id !== this.current) this.chosen(row.id);
  }

  key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const step = steps[event.key];
    this.move(Number.isFinite(step) ? step : Math.sign(step) * this.shown.length);
  }
}
