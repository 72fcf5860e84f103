"use strict";
// The source of the data: the service that served this page, or the report embedded in it. Both have the same methods.

class Trouble extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

const CHUNK = 500;
// Pages to measure in one request: few, because the next page that is asked for may have to wait for it.
const MEASURED = 16;
// Views that are kept: going back to a page, and to the next one, needs no request.
const VIEWS_KEPT = 12;

class Service {
  editable = true;
  views = new Map();

  constructor() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (given.get("token")) {
      sessionStorage.setItem("dehusk-token", given.get("token"));
      given.delete("token");
      history.replaceState(null, "", `${location.pathname}${given.size ? `#${given}` : ""}`);
    }
  }

  set token(token) { sessionStorage.setItem("dehusk-token", token); }

  async ask(path, method = "GET", body = undefined) {
    let answer;
    try {
      answer = await fetch(`api/${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${sessionStorage.getItem("dehusk-token") || ""}`,
          ...(body ? { "Content-Type": "application/json" } : {}),
        },
        body: body && JSON.stringify(body),
      });
    } catch {
      throw new Trouble("gone", "The service does not answer.");
    }
    const found = await answer.json().catch(() => null);
    if (answer.ok) return found;
    const kind = answer.status === 401 || answer.status === 403 ? "token" : answer.status === 413 ? "large" : "failed";
    throw new Trouble(kind, found?.error || `The service answered ${answer.status}.`);
  }

  async open() {
    const [status, sites] = await Promise.all([this.ask("status"), this.ask("sites")]);
    return { sites, roles: status.roles, methods: status.methods, grains: status.grains };
  }

  async site(one, method, grain) {
    return { ...one, ...(await this.rows(one.site, method, grain)), template: null };
  }

  // All pages. Those that were not measured yet have no figures: see `measures`.
  async rows(site, method, grain) {
    const rows = [];
    let missing = 0;
    for (let total = 1; rows.length < total;) {
      const found = await this.ask(`${at(site)}/pages?${query({ method, grain, offset: rows.length, limit: CHUNK, measured: false })}`);
      total = found.pages.length ? found.total : rows.length;
      missing = found.missing;
      rows.push(...found.pages);
    }
    return { rows, note: missing ? `${rows.length.toLocaleString("en")} of ${(rows.length + missing).toLocaleString("en")} pages are here: the source is too large.` : "" };
  }

  // Measures the pages from this place of the list on.
  async measures(site, method, grain, offset) {
    return (await this.ask(`${at(site)}/measures?${query({ method, grain, offset, limit: MEASURED })}`)).pages;
  }

  view(site, page, method, grain) {
    const address = `${of(site, page)}?${query({ method, grain })}`;
    const kept = this.views.get(address) ?? this.ask(address);
    this.views.delete(address);
    this.views.set(address, kept);
    kept.catch(() => this.views.delete(address));
    if (this.views.size > VIEWS_KEPT) this.views.delete(this.views.keys().next().value);
    return kept;
  }

  edits(site) { return this.ask(`${at(site)}/edits`); }

  correct(site, edit) {
    this.views.clear();
    return this.ask(`${at(site)}/edits`, "POST", edit);
  }

  undo(site, id) {
    this.views.clear();
    return this.ask(`${at(site)}/edits/${encodeURIComponent(id)}`, "DELETE");
  }

  tables(site, method, grain) { return this.ask(`${at(site)}/tables?${query({ method, grain })}`); }
  tableRows(site, method, grain, offset, limit) { return this.ask(`${at(site)}/rows?${query({ method, grain, offset, limit })}`); }
  rename(site, column, name) { return this.ask(`${at(site)}/columns`, "POST", { column, name }); }
  cells(site, page, method, grain) { return this.ask(`${of(site, page)}/cells?${query({ method, grain })}`); }
  async chunks(site, page, method, grain, size) { return (await this.ask(`${of(site, page)}/chunks?${query({ method, grain, size })}`)).chunks; }
  versions(site, page) { return this.ask(`${of(site, page)}/versions`); }
  changes(site, page, version, method, grain) { return this.ask(`${of(site, page)}/changes?${query({ version, method, grain })}`); }
  reach(site, edit, offset) { return this.ask(`${at(site)}/reach?${query({ offset, limit: MEASURED })}`, "POST", edit); }
  exported(site, form) { return this.ask(`${at(site)}/export?${query({ form })}`); }
}

const at = site => `sites/${encodeURIComponent(site)}`;
const of = (site, page) => `${at(site)}/pages/${encodeURIComponent(page)}`;
const query = given => new URLSearchParams(Object.entries(given).filter(([, value]) => value !== "" && value !== undefined));

class Report {
  editable = false;

  constructor(data) {
    this.data = data;
  }

  // The rows by a method. All pages were measured by each.
  async rows(_site, method) {
    const { columns, rows, views, methods, site } = this.data;
    const found = rows[Math.max(0, methods.indexOf(method))].map((row, id) => ({
      id: String(id), absent: !views[0][id], ...Object.fromEntries(columns.map((name, k) => [name, row[k]])),
    }));
    return { rows: found, note: site.note };
  }

  async open() {
    const { site, roles, methods } = this.data;
    return { sites: [site], roles, methods, grains: [] };
  }

  async site(_one, method) {
    return { ...this.data.site, ...(await this.rows("", method)), template: this.data.template };
  }

  async edits() { return this.data.edits; }

  // Views are compressed, and unpacked on demand: a report has many.
  async view(_site, page, method) {
    const packed = this.data.views[Math.max(0, this.data.methods.indexOf(method))][page];
    if (!packed) throw new Trouble("absent", this.data.absent);
    const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  }

  // The tables are those of the first method.
  async tables() { return this.data.tables; }
  async tableRows() { return { total: this.data.rows[0].length, rows: this.data.tables.length ? this.data.rows[0].map((_, id) => this.tableRow(id)) : [] }; }
  async cells(_site, page) { return { row: this.tableRow(page), cells: (await this.view("", page, "")).cells }; }
  async chunks(_site, page, method) { return (await this.view("", page, method)).chunks; }
  renaming(column, name) { return `dehusk edit ${this.file} --rename-column ${quoted(`${column}=${name}`)}`; }

  tableRow(id) {
    const [table, values] = this.data.records[id] ?? [null, {}];
    return { id: String(id), name: this.data.rows[0][id][0], table, values };
  }

  // The commands that make a correction: a report cannot save it.
  commands({ path, keep, scope, page, family, why }) {
    const where = scope === "page" ? [`--scope page --page ${quoted(page)}`] : scope === "family" ? [`--scope family --family ${quoted(family)}`] : [];
    const edit = ["dehusk edit", this.file, keep ? "--keep" : "--drop", quoted(path), ...where, ...(why ? [`--why ${quoted(why)}`] : [])].join(" ");
    return this.data.template ? [edit] : [this.learning, edit];
  }

  get learning() { return `dehusk learn ${this.data.source} -o ${this.file}`; }

  undoCommand(id) { return `dehusk edit ${this.file} --undo ${id}`; }

  exportCommand(form) {
    if (form === "template") return this.data.template ? `cp ${this.file} site.husk` : this.learning;
    const name = form === "css" ? "site.css" : "site.txt";
    const edit = `dehusk edit ${this.file} --export ${form === "css" ? "css" : "ftr"} --from ${this.data.source} -o ${name}`;
    return this.data.template ? edit : `${this.learning}\n${edit}`;
  }

  get file() { return quoted(this.data.template || "site.husk"); }
}

// Quotes a word for a shell.
const quoted = text => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
