"use strict";
// The source of the data: the service that served this page, or the report embedded in it. Both have the same methods.

class Trouble extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

const CHUNK = 500;

class Service {
  editable = true;

  constructor() {
    const given = new URLSearchParams(location.hash.slice(1)).get("token");
    if (given) {
      sessionStorage.setItem("dehusk-token", given);
      history.replaceState(null, "", location.pathname);
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

  async site(one) {
    const at = `sites/${encodeURIComponent(one.site)}`;
    const rows = [];
    for (let total = 1; rows.length < total;) {
      const found = await this.ask(`${at}/pages?offset=${rows.length}&limit=${CHUNK}`);
      total = found.pages.length ? found.total : rows.length;
      rows.push(...found.pages);
    }
    return { ...one, rows, edits: await this.ask(`${at}/edits`), template: null };
  }

  view(site, page, method, grain) {
    const how = new URLSearchParams({ ...(method && { method }), ...(grain && { grain }) });
    return this.ask(`sites/${encodeURIComponent(site)}/pages/${encodeURIComponent(page)}?${how}`);
  }

  edits(site) { return this.ask(`sites/${encodeURIComponent(site)}/edits`); }
  correct(site, edit) { return this.ask(`sites/${encodeURIComponent(site)}/edits`, "POST", edit); }
  undo(site, id) { return this.ask(`sites/${encodeURIComponent(site)}/edits/${encodeURIComponent(id)}`, "DELETE"); }
  preview(site, edit) { return this.ask(`sites/${encodeURIComponent(site)}/preview`, "POST", edit); }
}

class Report {
  editable = false;

  constructor(data) {
    this.data = data;
    this.rows = data.rows.map((row, id) => ({ id: String(id), ...Object.fromEntries(data.columns.map((name, k) => [name, row[k]])) }));
    for (const row of this.rows) row.absent = !data.views[0][row.id];
  }

  async open() {
    const { site, roles, methods } = this.data;
    return { sites: [site], roles, methods, grains: [] };
  }

  async site() {
    return { ...this.data.site, rows: this.rows, edits: this.data.edits, template: this.data.template };
  }

  // Views are compressed, and unpacked on demand: a report has many.
  async view(_site, page, method) {
    const packed = this.data.views[Math.max(0, this.data.methods.indexOf(method))][page];
    if (!packed) throw new Trouble("absent", this.data.absent);
    const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  }

  // The commands that make a correction: a report cannot save it.
  commands({ path, keep, scope, why }) {
    const more = [...(scope === "family" ? ["--scope family"] : []), ...(why ? [`--why ${quoted(why)}`] : [])];
    const edit = ["dehusk edit", this.file, keep ? "--keep" : "--drop", quoted(path), ...more].join(" ");
    return this.data.template ? [edit] : [`dehusk learn ${this.data.source} -o ${this.file}`, edit];
  }

  undoCommand(id) { return `dehusk edit ${this.file} --undo ${id}`; }

  get file() { return quoted(this.data.template || "site.husk"); }
}

// Quotes a word for a shell.
const quoted = text => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
