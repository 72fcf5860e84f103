"use strict";
// What changed on a page since another version of it that is kept.

const NO_VERSIONS = "No other version of this page is kept, so there is nothing to compare it with.";
const KEPT_WHEN = "A version is kept when you visit the page with the browser extension, when the site is learned again after a redesign, and when an archive has the page more than once. To compare any two files:";

class ChangeView {
  constructor({ source, state, selected, hinted, failed }) {
    this.source = source;
    this.state = state;
    this.told = { selected, hinted, failed };
    this.panel = document.getElementById("panel");
    this.frame = document.getElementById("changed");
    this.pick = document.getElementById("version");
    this.frame.addEventListener("load", () => this.loaded());
    this.pick.addEventListener("change", () => this.select(this.pick.value).catch(this.told.failed));
  }

  get hint() { return ""; }

  async show() {
    const run = this.run = Symbol("run"), { site, page } = this.state;
    const versions = await this.source.versions(site, page);
    if (this.run !== run) return;
    this.versions = versions;
    const none = !versions.length;
    this.panel.hidden = !none;
    this.frame.hidden = document.getElementById("versions").hidden = none;
    this.told.hinted("");
    if (none) return this.panel.replaceChildren(make("p", { class: "said" }, NO_VERSIONS), make("p", { class: "soft said" }, KEPT_WHEN), make("pre", { class: "command" }, "dehusk diff old.html new.html -o diff.html"));
    this.pick.replaceChildren(...versions.map(one => make("option", { value: one.id }, this.named(one))));
    await this.select(versions.some(one => one.id === this.state.part) ? this.state.part : versions[0].id, false);
  }

  hide() {
    this.run = null;
    document.getElementById("versions").hidden = this.frame.hidden = true;
  }

  named({ source, when }) {
    const at = (when ?? "").replace("T", " ").slice(0, 16);
    return { visit: `your visit of ${at}`, learned: `the version learned from on ${at}`, crawl: "another copy in the source" }[source];
  }

  // Compares with a version. `asked` says whether the user has chosen it.
  async select(version, asked = true) {
    if (!this.versions?.some(one => one.id === version)) return;
    const run = this.run;
    if (asked) this.told.selected(version);
    this.pick.value = version;
    const { site, page, method, grain } = this.state;
    const found = await this.source.changes(site, page, version, method, grain);
    if (this.run !== run || this.pick.value !== version) return;
    this.told.hinted(found.verdict === "nothing" ? "Nothing changed." : `${plural(found.content, "change")} of the content, ${found.husk.toLocaleString("en")} of the template. Added text is yellow, removed text is grey.`);
    this.frame.srcdoc = found.html;
  }

  step(by) {
    const at = this.versions?.findIndex(one => one.id === this.pick.value) ?? -1;
    if (at >= 0) this.select(this.versions[(at + by + this.versions.length) % this.versions.length].id).catch(() => {});
  }

  // Links within the page of changes lead to them; all others lead nowhere.
  loaded() {
    const { document } = this.frame.contentWindow;
    document.addEventListener("click", event => {
      const link = event.target.closest?.("a[href]");
      if (!link) return;
      event.preventDefault();
      const place = link.getAttribute("href");
      if (place.startsWith("#")) this.frame.contentWindow.location.replace(`about:srcdoc${place}`);
    }, true);
    document.addEventListener("submit", event => event.preventDefault(), true);
    document.addEventListener("keydown", pressed);
  }
}
