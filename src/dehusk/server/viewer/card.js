"use strict";
// The card below the page: describes the part under the pointer and, after a click, corrects it. What a correction would
// do is drawn on the page before it is saved.

const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
const shortened = (text, most = 160) => `“${text.slice(0, most)}${text.length > most ? "…" : ""}”`;
const FIGURES = /^(?:on (?:at least )?(\d+) of (\d+) (?:pages|others), )?(\d+)% repeated, (\d+)% links$/;
// Below this share a role or a verdict is more of a guess.
const SURE = .6;

// Says in words why a part goes.
function reasonOf(region) {
  const said = region.reason.replace(/; \d+% sure$/, "");
  const why = said.startsWith(`${region.role}, `) ? said.slice(region.role.length + 2) : said;
  const found = FIGURES.exec(why);
  if (!found) return `${capital(why)}.`;
  const [, on, of, repeated, links] = found;
  return `${on ? `It is on ${on} of ${of} pages. ` : ""}${repeated}% of its text repeats on other pages; ${links}% of its text is links.`;
}

class Card {
  constructor({ source, frame, state, saved, failed, done, selected }) {
    this.source = source;
    this.frame = frame;
    this.state = state; // the current site and page
    this.told = { saved, failed, done, selected };
    this.card = document.getElementById("card");
    this.roles = {};
    this.families = 1;
    this.clear();
  }

  get pinned() { return Boolean(this.target); }

  clear() {
    const had = this.target;
    this.target = null;
    this.region = null;
    this.card.className = "card";
    this.card.replaceChildren(make("p", { class: "soft" }, "No part is selected. Click a part of the page, or press ", make("kbd", {}, "n"), " for the next one, ", make("kbd", {}, "?"), " for all keys."));
    if (this.frame.view) for (const name of ["over", "pinned", "same", "will-go", "will-stay"]) this.frame.mark(name, []);
    if (had) this.told.selected("");
  }

  // Describes a part: what it is, whether it goes, and why.
  words(region) {
    const fate = region.removed ? make("b", { class: "husk" }, "template: goes") : make("b", { class: "kernel" }, "content: stays");
    const sure = percent(region.confidence), guess = region.confidence < SURE;
    const name = guess && !region.removed ? `Perhaps ${region.role}` : capital(region.role);
    const how = !region.removed || region.edit ? "" : guess ? `In doubt: dehusk is only ${sure} sure that it is template.` : `dehusk is ${sure} sure that it is template.`;
    return [
      make("p", { class: "said" }, make("b", {}, name), " · ", fate, region.edit ? " · corrected" : "", this.roles[region.role] ? make("span", { class: "soft" }, ` · ${region.role}: ${this.roles[region.role]}`) : ""),
      make("p", {}, [region.removed || region.edit ? reasonOf(region) : region.reason.includes("does not show") ? "The page itself does not show it." : "It is not among what the pages of the site share.", how].filter(Boolean).join(" ")),
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
    this.why = "";
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

  // Describes the selected element: the part itself if it is one, or what a smaller or larger part consists of.
  described() {
    const { frame, element } = this, fate = frame.fate(element);
    const region = frame.view.regions.find(one => { const shown = frame.elementOf(one); return shown && (shown === element || (tagOf(shown) === LOOSE && parentOf(shown) === element)); });
    if (region) return this.words(region);
    const what = { goes: make("b", { class: "husk" }, "template: goes"), stays: make("b", { class: "kernel" }, "content: stays"), both: make("b", {}, "some of it goes, some stays") }[fate];
    const inside = frame.view.regions.filter(one => frame.elementOf(one) && element.contains(frame.elementOf(one)));
    const part = inside.length ? `A larger part, with ${plural(inside.length, "part")} in it` : `A smaller part${this.region ? ` of ${this.region.role}` : ""}`;
    return [make("p", {}, make("b", {}, part), " · ", what)];
  }

  draw() {
    const { frame, element } = this;
    const fate = frame.fate(element), same = frame.at(kindTo(element));
    frame.mark("over", []);
    frame.mark("pinned", [element]);
    this.card.className = "card pinned";
    const name = pathTo(element).split(" > ").at(-1);
    const slider = make("input", {
      type: "range", id: "level", min: 0, max: this.levels.length - 1, value: this.level, "aria-label": "Smaller or larger part",
      "aria-valuetext": `${name}, ${this.level + 1} of ${this.levels.length}`,
      oninput: () => { this.level = Number(slider.value); this.draw(); document.getElementById("level").focus(); },
    });
    const radio = (group, value, text) => make("label", {}, make("input", {
      type: "radio", name: group, value, checked: this[group] === value, onchange: () => { this[group] = value; this.draw(); },
    }), text);
    const { family } = frame.view;
    this.card.replaceChildren(
      make("form", { onsubmit: event => event.preventDefault() },
        make("div", {},
          make("div", { id: "described" }, ...this.described()),
          make("div", { class: "line" }, make("label", { for: "level" }, "Smaller"), slider, "Larger", make("code", {}, name)),
          make("p", { class: "soft said", dir: "auto" }, shortened(contentOf(element).trim().replace(/\s+/g, " ")))),
        make("div", {},
          make("div", { class: "line" }, ...(same.length > 1 ? [radio("alike", true, `all ${same.length} places like this`), radio("alike", false, "only this one")] : [])),
          make("div", { class: "line" }, radio("scope", "site", "on every page"), this.families > 1 && family ? radio("scope", "family", `in family ${family}`) : null, radio("scope", "page", "on this page alone")),
          make("div", { class: "line" },
            make("input", { type: "text", id: "why", placeholder: "Why (optional)", "aria-label": "Why", maxlength: 200, value: this.why, oninput: event => { this.why = event.target.value; } }),
            fate !== "stays" ? this.button(true) : null, fate !== "goes" ? this.button(false) : null,
            make("button", { type: "button", id: "cancel", onclick: () => this.cancel() }, "Cancel")),
          make("div", { id: "effects", role: "status" }, make("p", { class: "soft", id: "drawn" })))));
    this.sketch(fate === "both" ? null : fate === "goes");
    frame.reveal(element);
    this.card.scrollIntoView({ block: "nearest" });
    this.told.selected(this.alike ? pathTo(element) : `${pathTo(element)} `);
    this.count();
  }

  // The button that makes the correction. Its text says on how many pages, as soon as they are counted.
  button(keep) {
    return make("button", {
      type: "button", class: "first", id: keep ? "keep" : "drop", onclick: () => this.correct(keep), onmouseenter: () => this.sketch(keep), onfocus: () => this.sketch(keep),
    }, keep ? "Keep" : "Remove");
  }

  // Draws on the page what the correction would do.
  sketch(keep) {
    const there = this.alike ? this.frame.at(kindTo(this.element)) : [this.element];
    this.frame.mark("same", keep === null && this.alike ? there : []);
    this.frame.mark("will-stay", keep === true ? there : []);
    this.frame.mark("will-go", keep === false ? there : []);
    const drawn = document.getElementById("drawn");
    if (drawn) drawn.textContent = keep === null ? "" : `Drawn on the page: what is striped would ${keep ? "stay" : "go"}. Nothing is saved yet.`;
  }

  get edit() {
    const { name, family } = this.frame.view;
    return { path: this.path, scope: this.scope, why: this.why.trim(), page: this.state.page, name, family };
  }

  // Counts the pages that a correction would change, and those that it would empty.
  async count() {
    if (!this.source.editable) return;
    const run = this.counting = Symbol("run");
    const buttons = () => [true, false].map(keep => [keep, document.getElementById(keep ? "keep" : "drop")]).filter(([, button]) => button);
    const label = (pages, more) => {
      for (const [keep, button] of buttons()) button.textContent = `${keep ? "Keep" : "Remove"}${this.emptied && !keep ? " anyway" : ""} on ${this.scope === "page" ? "this page" : more ? `${plural(pages, "page")} …` : plural(pages, "page")}`;
    };
    this.emptied = 0;
    if (this.scope === "page") return label(1, false);
    label(1, true);
    const { path, scope, page } = this.edit, keep = this.frame.fate(this.element) === "goes";
    try {
      for (let offset = 0, total = 1, pages = 0; offset < total;) {
        const found = await this.source.reach(this.state.site, { path, keep, scope, page }, offset);
        if (this.counting !== run || !this.pinned) return;
        ({ total } = found);
        offset += found.looked;
        pages += found.pages;
        this.emptied += found.emptied;
        label(pages, offset < total);
        if (this.emptied) this.warn();
        if (!found.looked) break;
      }
    } catch (trouble) {
      if (this.counting === run && this.pinned) document.getElementById("effects").replaceChildren(make("p", { class: "husk" }, trouble.message));
    }
  }

  warn() {
    document.getElementById("effects").replaceChildren(make("p", { class: "husk", id: "empties" }, make("b", {}, "Careful: "), `nothing would be left of ${plural(this.emptied, "page")}. Choose a smaller part, or remove it on this page alone.`));
  }

  // Makes the opposite correction: keeps what goes, or removes what stays.
  flip() {
    if (this.pinned) this.correct(this.frame.fate(this.element) !== "stays");
  }

  cancel() {
    this.clear();
    this.told.done();
  }

  async correct(keep) {
    const { name, family, ...edit } = { ...this.edit, keep };
    if (!this.source.editable) return this.command({ ...edit, page: name, family });
    try {
      const made = await this.source.correct(this.state.site, edit);
      this.clear();
      this.told.saved(made);
    } catch (trouble) {
      if (trouble.kind === "failed") document.getElementById("effects").replaceChildren(make("p", { class: "husk" }, trouble.message));
      else this.told.failed(trouble);
    }
  }

  // A report cannot save: it shows the command that does.
  command(edit) {
    const text = this.source.commands(edit).join("\n");
    document.getElementById("effects").replaceChildren(
      make("p", {}, "A report cannot save corrections. Type:"), make("pre", { class: "command" }, text), copyButton("copy", "Copy", () => text));
  }
}

// A button that copies a text, and says so.
function copyButton(id, label, text) {
  const button = make("button", { type: "button", id, onclick: () => copied(button, text()) }, label);
  return button;
}

async function copied(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed here";
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}
