"use strict";
// The card below the page: describes the part under the pointer and, after a click, offers to correct it.

const sure = confidence => (confidence >= .95 ? "almost certain" : confidence >= .8 ? "quite sure" : confidence >= .6 ? "fairly sure" : "in doubt");
const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

class Card {
  constructor({ source, frame, state, saved, failed, done }) {
    this.source = source;
    this.frame = frame;
    this.state = state; // the current site and page
    this.told = { saved, failed, done };
    this.card = document.getElementById("card");
    this.roles = {};
    this.clear();
  }

  get pinned() { return Boolean(this.target); }

  clear() {
    this.target = null;
    this.card.className = "card";
    this.card.replaceChildren(make("p", { class: "soft" }, "No part is selected. Press ", make("kbd", {}, "n"), " for the next part of the page, ", make("kbd", {}, "?"), " for all keys."));
    if (this.frame.view) for (const name of ["over", "pinned", "same"]) this.frame.mark(name, []);
  }

  // Describes a part.
  words(region) {
    const said = region.reason.replace(/; \d+% sure$/, "");
    const why = said.startsWith(`${region.role}, `) ? said.slice(region.role.length + 2) : said;
    const fate = region.removed ? make("b", { class: "husk" }, "goes") : make("b", { class: "kernel" }, "stays");
    const seen = region.pages && !why.startsWith(region.pages) ? `${capital(region.pages)}. ` : "";
    return [
      make("p", {}, make("b", {}, capital(region.role)), " · ", fate, ` · ${sure(region.confidence)} (${percent(region.confidence)})`, region.edit ? " · corrected" : ""),
      make("p", {}, `${seen}${capital(why)}.`),
      make("p", { class: "soft" }, this.roles[region.role] ? `${capital(region.role)}: ${this.roles[region.role]}.` : ""),
    ];
  }

  over(region) {
    if (this.pinned) return;
    if (!region) return this.clear();
    this.region = region;
    this.frame.mark("over", [this.frame.elementOf(region)]);
    this.card.className = `card ${region.removed ? "goes" : "stays"}`;
    this.card.replaceChildren(...this.words(region), make("p", { class: "soft said", dir: "auto" }, region.text ? `“${region.text}”` : ""));
  }

  pin(target) {
    const region = this.frame.regionOf(target);
    this.levels = this.frame.levels(target);
    const whole = region && this.frame.elementOf(region);
    const start = whole && (tagOf(whole) === LOOSE ? parentOf(whole) : whole);
    this.level = Math.max(0, this.levels.indexOf(start || target));
    if (!this.levels.length) return this.clear();
    this.target = target;
    this.region = region;
    this.scope = "site";
    this.alike = true;
    this.draw();
  }

  get element() { return this.levels[this.level]; }

  // Selects the parent of the element, or its first child.
  move(by) {
    if (!this.pinned) return;
    this.level = Math.max(0, Math.min(this.level + by, this.levels.length - 1));
    this.draw();
  }

  get path() { return this.alike ? kindTo(this.element) : pathTo(this.element); }

  draw() {
    const { frame, element } = this;
    const fate = frame.fate(element), same = frame.at(kindTo(element));
    frame.mark("over", []);
    frame.mark("same", this.alike ? same : []);
    frame.mark("pinned", [element]);
    this.card.className = "card pinned";
    const name = pathTo(element).split(" > ").at(-1);
    const slider = make("input", {
      type: "range", id: "level", min: 0, max: this.levels.length - 1, value: this.level, "aria-label": "Smaller or larger part",
      "aria-valuetext": `${name}, ${this.level + 1} of ${this.levels.length}`,
      oninput: () => { this.level = Number(slider.value); this.draw(); document.getElementById("level").focus(); },
    });
    const radio = (group, value, checked, text, change) => make("label", {}, make("input", { type: "radio", name: group, value, checked, onchange: change }), text);
    const inside = contentOf(element).trim().replace(/\s+/g, " ");
    this.card.replaceChildren(
      make("form", { onsubmit: event => event.preventDefault() },
        make("div", {},
          ...(this.region ? [make("div", {}, ...this.words(this.region).slice(0, 2))] : []),
          make("div", { class: "line" }, make("label", { for: "level" }, "Smaller"), slider, "Larger", make("code", {}, name)),
          make("p", { class: "soft said", dir: "auto" }, `“${inside.slice(0, 160)}${inside.length > 160 ? "…" : ""}”`),
          make("div", { class: "line" },
            ...(same.length > 1 ? [
              radio("alike", "kind", this.alike, `all ${same.length} places like this`, () => { this.alike = true; this.draw(); }),
              radio("alike", "path", !this.alike, "only this one", () => { this.alike = false; this.draw(); })] : [])),
          make("div", { class: "line" },
            radio("scope", "site", this.scope === "site", "on every page", () => { this.scope = "site"; }),
            frame.view.family ? radio("scope", "family", this.scope === "family", `in family ${frame.view.family}`, () => { this.scope = "family"; }) : null),
          make("div", { class: "line" },
            make("input", { type: "text", id: "why", placeholder: "Why (optional)", "aria-label": "Why", maxlength: 200 }),
            fate !== "stays" ? make("button", { type: "button", class: "first", id: "keep", onclick: () => this.propose(true) }, "Keep it") : null,
            fate !== "goes" ? make("button", { type: "button", class: "first", id: "drop", onclick: () => this.propose(false) }, "Remove it") : null,
            make("button", { type: "button", id: "cancel", onclick: () => this.cancel() }, "Cancel"))),
        make("div", { id: "effects" })));
    frame.reveal(element);
    this.card.scrollIntoView({ block: "nearest" });
  }

  // Proposes the opposite: to keep what goes, or to remove what stays.
  flip() {
    if (this.pinned) this.propose(this.frame.fate(this.element) !== "stays");
  }

  cancel() {
    this.clear();
    this.told.done();
  }

  async propose(keep) {
    const edit = { path: this.path, keep, scope: this.scope, why: document.getElementById("why").value.trim() };
    const effects = document.getElementById("effects");
    if (!this.source.editable) {
      const command = this.source.commands(edit).join("\n");
      const copy = make("button", { type: "button", id: "copy", onclick: () => { navigator.clipboard?.writeText(command); copy.textContent = "Copied"; } }, "Copy");
      effects.replaceChildren(make("p", {}, "A report cannot save corrections. Type:"), make("pre", { class: "command" }, command), copy);
      return;
    }
    effects.replaceChildren(make("p", { class: "soft" }, "Trying it on other pages …"));
    try {
      const found = await this.source.preview(this.state.site, { path: edit.path, keep, scope: edit.scope, page: this.state.page });
      if (!effects.isConnected) return;
      const save = make("button", { type: "button", class: "first", id: "save", onclick: () => this.save(edit) }, "Save");
      effects.replaceChildren(make("div", { class: "effects" },
        make("div", { class: "top" }, make("b", {}, found.length ? `On ${plural(found.length, "other page")}` : "There is no other page to try it on."), save),
        ...found.map(one => this.effect(one))));
      save.focus();
    } catch (trouble) {
      effects.replaceChildren(make("p", { class: "husk" }, trouble.message));
    }
  }

  effect({ name, removed_before: before, removed_after: after, gained, lost, place_found: found }) {
    const short = text => `“${text.slice(0, 80)}${text.length > 80 ? "…" : ""}”`;
    return make("div", {}, make("b", {}, name), ": ", ...(!found ? ["this place is not on the page"] : !gained && !lost ? ["nothing changes"] : [
      `${percent(before)} → ${percent(after)} goes`,
      gained ? make("span", {}, "; ", make("span", { class: "kernel" }, "comes back: "), short(gained)) : null,
      lost ? make("span", {}, "; ", make("span", { class: "husk" }, "goes: "), short(lost)) : null]));
  }

  async save(edit) {
    try {
      await this.source.correct(this.state.site, { ...edit, page: this.state.page });
      this.clear();
      this.told.saved();
    } catch (trouble) {
      this.told.failed(trouble);
    }
  }
}
