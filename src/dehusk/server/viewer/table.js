"use strict";
// The tables of a site: the columns are outlined on the page, the rows of its pages are beside it, and the name of a
// column is edited where it stands.

// Pages in one request for rows, and in one table. There may be many pages, and a browser draws each row.
const ROWS_ASKED = 50, ROWS_SHOWN = 500;
const NO_TABLES = "The pages of this site make no table: they have no places in common whose text differs.";
const NO_ROW = "This page has no row: it has not the places that other pages share.";
const LONG_VALUE = 90;

const inCell = value => (Array.isArray(value) ? value.map(inCell).join(" · ") : value === null || value === undefined ? "" : String(value));
const cut = text => (text.length > LONG_VALUE ? `${text.slice(0, LONG_VALUE)}…` : text);

class TableView {
  constructor({ source, frame, state, chosen, selected, renamed, failed }) {
    this.source = source;
    this.frame = frame;
    this.state = state;
    this.told = { chosen, selected, renamed, failed };
    this.panel = document.getElementById("panel");
    this.outlines = new Outlines(frame, name => this.pick(name));
    this.forget();
    for (const name of ["wheel", "pointerdown", "keydown"]) this.panel.addEventListener(name, () => { this.follows = false; }, { passive: true });
  }

  get hint() { return "A blue outline is a column: what differs from page to page. Beside the page is the row of each page. Type over a name to change it."; }

  // Forgets the tables: their columns may have other names now.
  forget() {
    this.way = null;
  }

  async show() {
    const run = this.run = Symbol("run"), { site, page, method, grain } = this.state;
    const way = JSON.stringify([site, method, grain]);
    if (way !== this.way) {
      Object.assign(this, { way, heads: null, rows: new Map(), read: 0, total: Infinity, most: ROWS_SHOWN });
      this.panel.replaceChildren(make("p", { class: "soft said" }, "Looking for what differs between the pages …"));
    }
    const heads = this.heads ?? await this.source.tables(site, method, grain);
    const here = await this.source.cells(site, page, method, grain);
    if (this.run !== run || this.way !== way) return;
    Object.assign(this, { heads, here });
    this.rows.set(here.row.id, here.row);
    this.outlines.on = this.state.part;
    this.outlines.show(here.cells);
    const inRow = document.activeElement?.closest?.("#panel tbody");
    this.draw();
    if (inRow) this.ownRow?.querySelector("button").focus({ preventScroll: true });
    if (this.focus) this.fieldOf(this.focus)?.focus({ preventScroll: true });
    this.focus = "";
    this.follows = true;
    this.toRow();
    if (!this.state.part) this.outlines.begin();
    this.load(run).catch(this.told.failed);
  }

  hide() {
    this.run = null;
    this.outlines.show([]);
  }

  // Reads the rows of the other pages, some at a time.
  async load(run) {
    const { site, method, grain } = this.state;
    while (this.read < Math.min(this.total, this.most)) {
      const found = await this.source.tableRows(site, method, grain, this.read, ROWS_ASKED);
      if (this.run !== run) return;
      this.total = found.total;
      this.read += ROWS_ASKED;
      for (const row of found.rows) this.rows.set(row.id, row);
      this.drawRows();
      this.toRow();
    }
  }

  get head() { return this.heads.find(one => one.name === this.here.row.table); }

  draw() {
    const { head, heads } = this;
    if (!heads.length) return this.panel.replaceChildren(make("p", { class: "said" }, NO_TABLES));
    const pick = make("select", { id: "table", onchange: () => this.go(pick.value) },
      ...(head ? [] : [make("option", { value: "" }, "none")]), ...heads.map((one, k) => make("option", { value: one.name }, `${k + 1} of ${heads.length}`)));
    pick.value = head?.name ?? "";
    this.status = make("p", { class: "soft", role: "status", id: "table-note" });
    this.body = make("tbody", {});
    this.panel.replaceChildren(
      make("div", { class: "line" }, heads.length > 1 ? make("label", { class: "pick" }, "Table ", pick) : null, this.status),
      head ? make("table", { class: "grid" },
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Page"), ...head.columns.map(column => this.column(column)))), this.body)
        : make("p", { class: "said" }, NO_ROW));
    this.drawRows();
    this.mark();
  }

  column(column) {
    const { name } = column, what = `${column.type}, on ${column.share > .995 ? "all" : `${percent(column.share)} of`} pages${column.label ? `, after “${column.label}”` : ""}`;
    const field = make("input", {
      type: "text", value: name, "data-column": name, "aria-label": `Name of the column ${name}`, maxlength: 60, spellcheck: "false", autocomplete: "off", size: Math.max(4, name.length),
      title: "Type another name, then press Enter", onfocus: () => this.pick(name, false), onchange: () => this.rename(name, field),
      onkeydown: event => {
        if (event.key === "Escape") field.value = name;
        if (event.key === "Enter") field.blur();
      },
    });
    return make("th", { scope: "col" }, field, make("span", { class: "soft", title: column.place }, what));
  }

  drawRows() {
    if (!this.head || !this.body) return;
    const { head, here } = this, rows = [...this.rows.values()].filter(row => row.table === head.name).sort((a, b) => (a.name < b.name || (a.name === b.name && a.id < b.id) ? -1 : 1));
    const names = head.columns.map(column => column.name);
    this.body.replaceChildren(...rows.map(row => {
      const own = row.id === here.row.id, title = inCell(row.values[names[0]]) || row.name;
      return make("tr", { "data-id": row.id, "aria-current": own ? "true" : null },
        make("th", { scope: "row" }, make("button", { type: "button", title: `Show ${title}`, onclick: () => this.told.chosen(row.id) }, row.name)),
        ...names.map(name => make("td", { "data-of": name, dir: "auto", onclick: () => (own ? this.pick(name) : this.told.chosen(row.id)) }, make("div", {}, cut(inCell(row.values[name]))))));
    }));
    const left = this.total - this.read, shown = `${plural(rows.length, "row")} of ${plural(head.columns.length, "column")}`;
    this.status.replaceChildren(this.read < Math.min(this.total, this.most) ? `${shown} so far …` : shown,
      left > 0 && this.read >= this.most ? make("button", { type: "button", id: "more-rows", onclick: () => this.more() }, "More rows") : "");
    this.mark();
  }

  more() {
    this.most += ROWS_SHOWN;
    this.load(this.run).catch(this.told.failed);
  }

  // Shows a page of another table.
  go(name) {
    const row = [...this.rows.values()].find(one => one.table === name);
    if (row) this.told.chosen(row.id);
  }

  // Selects a column. `typing` says whether its name gets the focus.
  pick(name, typing = true) {
    if (!this.head?.columns.some(column => column.name === name)) return;
    const field = this.fieldOf(name);
    if (typing && field) return void field.focus();
    this.told.selected(name);
    this.outlines.select(name);
    this.mark();
    const head = field?.closest("th"), { panel } = this;
    if (head && (head.offsetLeft < panel.scrollLeft || head.offsetLeft + head.offsetWidth > panel.scrollLeft + panel.clientWidth)) panel.scrollLeft = head.offsetLeft - 16;
  }

  fieldOf(name) { return [...this.panel.querySelectorAll("[data-column]")].find(one => one.dataset.column === name); }

  get ownRow() { return this.panel.querySelector("tr[aria-current]"); }

  // Scrolls the panel alone, until the user does: the whole viewer must stay where it is.
  toRow() {
    const { ownRow: row, panel } = this;
    if (this.follows && row && (row.offsetTop < panel.scrollTop + row.offsetHeight || row.offsetTop + row.offsetHeight > panel.scrollTop + panel.clientHeight)) panel.scrollTop = row.offsetTop - panel.clientHeight / 3;
  }

  select(part) { if (part && this.here) this.pick(part, false); }

  at(target) {
    const name = this.outlines.columnAt(target);
    if (name) this.pick(name);
  }

  step(by) {
    const names = this.head?.columns.map(column => column.name) ?? [];
    if (names.length) this.pick(names[(names.indexOf(this.state.part) + by + names.length) % names.length], false);
  }

  mark() {
    for (const cell of this.panel.querySelectorAll("[data-of], [data-column]")) cell.toggleAttribute("data-on", (cell.dataset.of ?? cell.dataset.column) === this.state.part);
  }

  async rename(name, field) {
    const wanted = field.value.trim();
    if (!wanted || wanted === name) return void (field.value = name);
    if (!this.source.editable) {
      this.status.replaceChildren("A report cannot save names. Type: ", make("code", {}, this.source.renaming(name, wanted)));
      field.value = name;
      return;
    }
    try {
      const edit = await this.source.rename(this.state.site, name, wanted);
      this.told.selected(wanted);
      this.focus = wanted;
      this.forget();
      this.told.renamed(edit);
    } catch (trouble) {
      if (trouble.kind !== "failed") return this.told.failed(trouble);
      field.value = name;
      this.status.replaceChildren(make("span", { class: "husk" }, trouble.message));
    }
  }
}
