"use strict";
// The chunks of a page: its content in pieces, as search and retrieval get them.

const SIZES = [500, 1500, 3000];

class ChunkView {
  constructor({ source, state, selected, sized }) {
    this.source = source;
    this.state = state;
    this.told = { selected, sized };
    this.panel = document.getElementById("panel");
  }

  get hint() { return "The content in pieces for search and retrieval: each with the headings above it."; }

  async show() {
    const run = this.run = Symbol("run"), { site, page, method, grain, size } = this.state;
    const chunks = await this.source.chunks(site, page, method, grain, size);
    if (this.run === run) this.draw(chunks);
  }

  hide() { this.run = null; }

  draw(chunks) {
    const size = make("select", { id: "size", onchange: () => this.told.sized(Number(size.value)) }, ...SIZES.map(most => make("option", { value: most }, `${most.toLocaleString("en")} letters`)));
    size.value = this.state.size;
    const sum = chunks.reduce((all, one) => all + one.tokens, 0);
    this.panel.replaceChildren(
      make("div", { class: "line" },
        this.source.editable ? make("label", { class: "pick" }, "At most ", size) : null,
        make("p", { class: "soft", role: "status" }, chunks.length ? `${plural(chunks.length, "chunk")}, about ${plural(sum, "token")}` : "Nothing is left of this page.")),
      make("ol", { class: "chunks" }, ...chunks.map((chunk, k) => make("li", { id: `chunk-${k + 1}`, "data-chunk": k + 1 },
        make("div", { class: "line" },
          make("button", { type: "button", class: "link", onclick: () => this.pick(k + 1) }, make("b", {}, `${k + 1}`), ` ${chunk.path || "Without a heading"}`),
          make("span", { class: "soft" }, [chunk.role, `${plural(chunk.size, "letter")}`, `about ${plural(chunk.tokens, "token")}`].filter(Boolean).join(" · ")),
          copyButton(`copy-chunk-${k + 1}`, "Copy", () => chunk.text)),
        make("div", { class: "words", dir: "auto" }, chunk.text)))));
    this.mark();
  }

  pick(number) {
    this.told.selected(String(number));
    this.mark();
  }

  select(part) { if (part) this.pick(part); }

  step(by) {
    const count = this.panel.querySelectorAll("[data-chunk]").length;
    if (count) this.pick((Number(this.state.part || (by > 0 ? 0 : 1)) - 1 + by + count) % count + 1);
  }

  mark() {
    for (const chunk of this.panel.querySelectorAll("[data-chunk]")) {
      const on = chunk.dataset.chunk === this.state.part;
      on ? chunk.setAttribute("aria-current", "true") : chunk.removeAttribute("aria-current");
      if (on && (chunk.offsetTop < this.panel.scrollTop || chunk.offsetTop + chunk.offsetHeight > this.panel.scrollTop + this.panel.clientHeight)) this.panel.scrollTop = chunk.offsetTop - 12;
    }
  }
}
