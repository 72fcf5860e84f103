// The card in a corner of the page, and the frame and label around a part of the page. All are in a closed shadow tree,
// which styles and scripts of the page cannot reach.

var dehusk = globalThis.dehusk ?? {}; // not `??=`: that would take an element of the page with this id

dehusk.make = (tag, more = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), more);
  element.append(...inside);
  return element;
};

/** An element whose text the page cannot find: `find` of a window searches closed shadow trees too, but no generated text. */
dehusk.unfound = (tag, more, text) => {
  const element = dehusk.make(tag, more);
  element.dataset.text = text;
  return element;
};

dehusk.panel = (() => {
  const make = dehusk.make;
  const STYLE = `
    :host { all: initial !important; position: fixed !important; inset: 0 !important; width: 100vw !important; height: 100vh !important;
      pointer-events: none !important; z-index: 2147483647 !important; background: none !important; border: 0 !important;
      direction: ltr !important; -webkit-user-select: none !important; user-select: none !important; } /* the page could read what is selected */
    * { box-sizing: border-box; }
    [data-text]::before { content: attr(data-text); }
    .card, .label, .badge { --ink: #22261f; --soft: #646a5e; --line: #dfe2d8; --paper: #f7f8f3; --card: #fff; --husk: #b8452c; --kernel: #4b7430; }
    @media (prefers-color-scheme: dark) {
      .card, .label, .badge { --ink: #e8ebe2; --soft: #a0a698; --line: #3a3f36; --paper: #1c1f1a; --card: #262a23; --husk: #e08a73; --kernel: #8fbf6a; }
    }
    .card { position: fixed; right: 16px; bottom: 16px; width: min(350px, calc(100vw - 32px)); max-height: min(70vh, 560px); overflow: auto; pointer-events: auto;
      background: var(--paper); color: var(--ink); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 8px 32px #0004; padding: 14px 16px 16px; font: 14px/1.5 system-ui, sans-serif; }
    .badge { position: fixed; left: 16px; bottom: 16px; display: flex; gap: 8px; align-items: center; pointer-events: auto; background: var(--paper); color: var(--ink);
      border: 1px solid var(--line); border-radius: 999px; box-shadow: 0 4px 16px #0003; padding: 4px 6px 4px 14px; font: 13px/1.5 system-ui, sans-serif; }
    .badge[hidden] { display: none; }
    .card.left { right: auto; left: 16px; }
    header { display: flex; align-items: center; gap: 8px; margin-bottom: 4px; }
    h2 { font-size: 15px; margin: 0; flex: 1; }
    h3 { font-size: 13px; margin: 14px 0 4px; }
    p { margin: 6px 0; } .soft, small { color: var(--soft); font-size: 12.5px; } .husk { color: var(--husk); } .kernel { color: var(--kernel); }
    .error { color: var(--husk); }
    button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 5px 11px; cursor: pointer; }
    button:hover:not(:disabled) { border-color: var(--soft); }
    button:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--kernel); outline-offset: 2px; }
    button:disabled { opacity: .45; cursor: default; }
    button.main { background: var(--ink); color: var(--paper); border-color: var(--ink); }
    button.plain { border: 0; background: none; padding: 2px 6px; color: var(--soft); font-size: 13px; }
    button[aria-pressed=true] { border-color: var(--husk); box-shadow: inset 0 -2px var(--husk); }
    .row { display: flex; gap: 6px; align-items: center; flex-wrap: wrap; margin: 8px 0; }
    ul { list-style: none; margin: 4px 0; padding: 0; } li { padding: 6px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
    .line { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } small.husk { color: var(--husk); } small.kernel { color: var(--kernel); }
    .last { position: sticky; bottom: -16px; background: var(--paper); padding: 8px 0 12px; margin-bottom: -12px; }
    li .row { margin: 2px 0 0; flex-wrap: nowrap; justify-content: space-between; }
    li button.go { all: unset; cursor: pointer; display: block; } li button.go:hover { text-decoration: underline; } li button.go:focus-visible { outline: 2px solid var(--kernel); }
    mark { background: #fff3b0; color: #22261f; padding: 0 .2em; } del { background: #eee; color: #555; padding: 0 .2em; text-decoration: line-through #999; }
    .chip { font-size: 11.5px; color: var(--soft); text-transform: none; display: block; } .dim { opacity: .65; }
    code { font: 12px/1.4 monospace; /* the page could give another name a font of its own */ overflow-wrap: anywhere; color: var(--soft); }
    select { font: inherit; font-size: 13px; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 4px 6px; max-width: 100%; }
    .frame { position: fixed; pointer-events: none; border: 2px solid #22261f; border-radius: 3px; box-shadow: 0 0 0 2px #fffc; }
    .frame.chosen { border-color: #b8452c; border-style: dashed; }
    .label { position: fixed; pointer-events: none; max-width: min(420px, 90vw); background: #22261f; color: #fff; border-radius: 6px; padding: 3px 8px; font: 12px/1.4 system-ui, sans-serif; }
    [hidden] { display: none; }
    @media (prefers-contrast: more) { .card { border-color: var(--ink); } }
  `;
  const UNCOVERED_MS = 500; // how long a card that was covered must be seen before it can be clicked: longer than it takes to click what covered it
  const MOST = 0.9; // how much of the card must be on the screen, and how large it must be: a page could move or shrink it
  const COVERED = "Something on this page covers this card or changes how it looks. Until it is gone, the card does nothing.";
  let host, root;
  let usable = Infinity; // from when the card may be used, in ms; Infinity while it cannot be seen
  let wait = 0; // how long it must be seen until then

  // Whether anything is above the card or makes it transparent: a page could show something else there, and let the user click
  // on our buttons. Only Chromium can tell.
  const watch = new IntersectionObserver(
    entries => {
      const { isVisible = true, intersectionRatio } = entries.at(-1);
      if (!isVisible || intersectionRatio < MOST) [usable, wait] = [Infinity, UNCOVERED_MS];
      else if (usable === Infinity) usable = performance.now() + wait;
    },
    { trackVisibility: true, delay: 100, threshold: [0, MOST] },
  );

  function shown() {
    if (isOnTop()) return root;
    wait = host ? UNCOVERED_MS : 0;
    host?.remove(); // a script of the page has moved it
    // Not an element with a name of our own: a page could define a class for that, which may look into closed shadow trees.
    host = make("div");
    host.setAttribute(dehusk.PANEL, "");
    root = host.attachShadow({ mode: "closed" });
    root.append(
      make("style", { textContent: STYLE }),
      make("div", { className: "frame", hidden: true }),
      make("div", { className: "frame chosen", hidden: true }),
      make("div", { className: "label", hidden: true }),
      make("section", { className: "card", hidden: true }),
      make("section", { className: "badge", hidden: true }),
    );
    document.documentElement.append(host);
    return root;
  }

  /** Shows a card with a title and content. `close` is called when it is closed. */
  function card(title, close, ...inside) {
    const section = shown().querySelector(".card");
    root.querySelector(".badge").hidden = true; // the card says it
    const head = make("header", {}, make("h2", { textContent: title }));
    const button = (textContent, act) => make("button", { className: "plain", type: "button", textContent, onclick: trusted(act) });
    head.append(button("Other side", () => section.classList.toggle("left")), button("Close", close));
    section.setAttribute("aria-label", `dehusk: ${title}`);
    section.setAttribute("role", "region");
    const used = root.activeElement?.textContent;
    section.replaceChildren(head, ...inside);
    if (section.hidden) {
      section.hidden = false;
      usable = Infinity;
      watch.disconnect();
      watch.observe(section);
    }
    if (used) Array.from(section.querySelectorAll("button")).find(one => one.textContent === used)?.focus();
  }

  /** Says on the page that it is shown by dehusk, with a button that takes this off. */
  function badge(text, off) {
    const section = shown().querySelector(".badge");
    section.setAttribute("aria-label", "dehusk");
    section.setAttribute("role", "region");
    section.replaceChildren(make("span", { textContent: text }), make("button", { type: "button", textContent: "Take it off", onclick: event => event.isTrusted && off() }));
    section.hidden = false;
  }

  /** Draws a frame around an element; null hides it. The chosen frame stays, the other follows the pointer. */
  function frame(element, { chosen = false, text = "" } = {}) {
    const box = shown().querySelector(chosen ? ".frame.chosen" : ".frame:not(.chosen)");
    const label = root.querySelector(".label");
    box.hidden = !element;
    if (!chosen) label.hidden = !element || !text;
    if (!element) return;
    const at = dehusk.call(element, "getBoundingClientRect");
    Object.assign(box.style, { left: `${at.left - 2}px`, top: `${at.top - 2}px`, width: `${at.width + 4}px`, height: `${at.height + 4}px` });
    if (chosen || !text) return;
    label.textContent = text;
    Object.assign(label.style, { left: `${Math.max(4, Math.min(at.left, innerWidth - 430))}px`, top: `${at.top > 46 ? at.top - label.offsetHeight - 6 : Math.max(4, Math.min(at.bottom + 6, innerHeight - 46))}px` });
  }

  function close() {
    watch.disconnect();
    host?.remove();
    host = root = null;
  }

  // Elsewhere, the page could make it invisible below something that the user wants to click.
  const isOnTop = () => Boolean(host) && host.parentNode === document.documentElement;

  /** Whether the user sees the card. If not, the card says so. */
  function isSeen() {
    const section = root?.querySelector(".card");
    if (isOnTop() && performance.now() >= usable && section.getBoundingClientRect().width >= MOST * section.offsetWidth) return true;
    if (section && !section.querySelector(".covered")) section.append(make("p", { className: "error covered", textContent: COVERED }));
    return false;
  }

  /** Ignores events that a script of the page made, and not the user; and clicks on a card that the user cannot see. */
  const trusted = act => event => {
    if (event.isTrusted && isSeen()) act(event);
  };

  return { badge, card, frame, close, trusted, isSeen, owns: node => node === host };
})();
