// "Fix this": the user clicks a part of the page that is judged wrongly, sees the effect of a correction on this page and
// on others, and saves or cancels it.

var dehusk = globalThis.dehusk ?? {}; // not `??=`: that would take an element of the page with this id

dehusk.fix = (() => {
  const { call, get, make, paint, panel, places, unfound } = dehusk;
  const PAUSE_MS = 120;

  /** Starts correcting. The session has snapshot, family, ask(question, about), show(view), again() and leave(). */
  function start(session) {
    const state = { session, chosen: null, under: null, edits: [], note: "", error: "" };
    const listeners = {
      pointermove: event => hover(state, event),
      scroll: () => panel.frame(state.chosen?.element ?? null, { chosen: true }),
      keydown: event => key(state, event),
      click: event => click(state, event),
    };
    // The page must not react to these clicks.
    for (const name of ["pointerdown", "mousedown", "pointerup", "mouseup", "auxclick", "dblclick", "submit"]) listeners[name] = event => ours(event) || swallow(event);
    for (const [name, listen] of Object.entries(listeners)) addEventListener(name, listen, { capture: true, passive: false });
    state.stop = () => {
      for (const [name, listen] of Object.entries(listeners)) removeEventListener(name, listen, { capture: true });
    };
    draw(state);
    refresh(state);
    return state.stop;
  }

  const ours = event => panel.owns(event.target);

  function swallow(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  function hover(state, event) {
    state.under = event.isTrusted && !ours(event) ? event.target : null;
    bubble(state);
  }

  /** Frames the part under the pointer, and says how it is judged. */
  function bubble({ under }) {
    if (!under) return panel.frame(null);
    const { element, what } = paint.closest(under) ?? { element: under, what: null };
    panel.frame(element, { text: what ? told(what) : "" });
  }

  const told = region => `${region.removed ? "Template" : "Content"}: ${region.reason}`;

  function click(state, event) {
    if (ours(event)) return;
    swallow(event);
    if (!event.isTrusted || event.button !== 0) return;
    const from = event.target;
    const start = paint.closest(from)?.element ?? from;
    const what = paint.closest(start)?.what;
    choose(state, { from, element: start, keep: removed(start), scope: "site", said: what ? told(what) : "A part of the page" });
  }

  function key(state, event) {
    if (!event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || (ours(event) && event.key !== "Escape")) return;
    const whenChosen = { Escape: () => drop(state), ArrowUp: () => move(state, larger), ArrowDown: () => move(state, smaller), Enter: () => state.chosen.preview && panel.isSeen() && save(state) };
    const act = state.chosen ? whenChosen[event.key] : event.key === "Escape" && state.session.leave;
    if (!act) return;
    swallow(event);
    act();
  }

  /** Whether a part is now removed: by its own mark, by an ancestor's, or because no part inside is kept. */
  function removed(element) {
    return paint.closest(element)?.what.removed ?? !call(element, "querySelector", `[${dehusk.MARK}="kernel"]`);
  }

  const larger = ({ element }) => {
    const parent = get(element, "parentElement");
    return parent && parent !== document.documentElement && element !== document.body ? parent : null;
  };
  const smaller = ({ element, from }) => {
    for (let one = from; one; one = get(one, "parentElement")) if (get(one, "parentElement") === element) return one;
    return get(element, "firstElementChild");
  };

  function move(state, step) {
    const element = step(state.chosen);
    if (element) choose(state, { ...state.chosen, element, said: "A part of the page", from: call(element, "contains", state.chosen.from) ? state.chosen.from : element });
  }

  /** Chooses a part. After a short pause, shows the effect of the correction on this page and on others. */
  function choose(state, chosen) {
    const copy = state.session.snapshot.copy(chosen.element);
    if (!copy) {
      state.error = "This part was added after the page was read. Close this card and tint the page again.";
      return draw(state);
    }
    state.chosen = { ...chosen, path: places.kind(copy), preview: null };
    state.error = state.note = "";
    clearTimeout(state.timer);
    state.timer = setTimeout(() => attempt(state, () => effect(state, state.chosen)), PAUSE_MS);
    draw(state);
  }

  // The edit that is sent to the service.
  const edited = (state, { path, keep, scope }) => ({ path, keep, scope, family: state.session.family });

  async function effect(state, chosen) {
    const { html, url } = state.session.snapshot;
    const [view, preview] = await Promise.all([
      state.session.ask("mark", { html, url, trial: [edited(state, chosen)] }),
      state.session.ask("preview", edited(state, chosen)),
    ]);
    if (state.chosen !== chosen) return; // another part was chosen meanwhile
    chosen.preview = preview.filter(one => one.name !== url);
    state.session.show(view);
    draw(state);
  }

  function drop(state) {
    clearTimeout(state.timer);
    state.chosen = null;
    state.session.show();
    draw(state);
  }

  const save = state => attempt(state, async () => {
    const { keep } = state.chosen;
    await state.session.ask("save", edited(state, state.chosen));
    await settled(state, keep ? "Saved: this part is kept from now on." : "Saved: this part is removed from now on.");
  });

  const undo = (state, id) => attempt(state, async () => {
    await state.session.ask("undo", { id });
    await settled(state, "Undone.");
  });

  async function settled(state, note) {
    state.chosen = null;
    await state.session.again();
    bubble(state);
    state.note = note;
    await refresh(state);
  }

  const refresh = state => attempt(state, async () => {
    state.edits = await state.session.ask("edits");
    draw(state);
  });

  async function attempt(state, act) {
    try {
      await act();
    } catch (error) {
      state.error = error.message;
      draw(state);
    }
  }

  // ------------------------------------------------------------------------------------------------- the card

  function draw(state) {
    panel.frame(state.chosen?.element ?? null, { chosen: true });
    const parts = state.chosen ? chosenParts(state) : [make("p", { textContent: "Click a tinted part that should be kept, or a plain part that should be removed." })];
    if (state.note) parts.unshift(make("p", { className: "kernel", textContent: state.note, role: "status" }));
    if (state.error) parts.unshift(make("p", { className: "error", textContent: state.error, role: "alert" }));
    panel.card("Fix this", state.session.leave, ...parts, ...listed(state));
  }

  function chosenParts(state) {
    const { keep, scope, preview, said } = state.chosen;
    const button = (text, act, more = {}) => make("button", { type: "button", textContent: text, onclick: panel.trusted(act), ...more });
    const verdict = (text, value) => {
      const one = button(text, () => choose(state, { ...state.chosen, keep: value }));
      one.setAttribute("aria-pressed", keep === value);
      return one;
    };
    const scopes = make("select", { onchange: panel.trusted(event => choose(state, { ...state.chosen, scope: event.target.value })) });
    scopes.setAttribute("aria-label", "Where the correction applies");
    for (const [value, text] of [["site", "on the whole site"], ["family", "on pages like this one"]]) scopes.append(make("option", { value, textContent: text, selected: value === scope }));
    return [
      make("p", { textContent: said }),
      make("code", { textContent: state.chosen.path }),
      make("div", { className: "row" }, button("Larger ↑", () => move(state, larger), { disabled: !larger(state.chosen) }), button("Smaller ↓", () => move(state, smaller), { disabled: !smaller(state.chosen) })),
      make("div", { className: "row" }, verdict("Keep it", true), verdict("Remove it", false), scopes),
      ...effects(preview),
      make("div", { className: "row last" }, button("Save", () => save(state), { className: "main", disabled: !preview }), button("Cancel", () => drop(state))),
    ];
  }

  function effects(preview) {
    if (!preview) return [make("p", { className: "soft", textContent: "Checking other pages…" })];
    const list = make("ul", {}, ...preview.map(one => make("li", {}, unfound("div", { className: "line" }, one.name.replace(location.origin, "")), make("small", { textContent: difference(one) }), ...texts(one))));
    return [make("h3", { textContent: "On other pages of the site" }), preview.length ? list : make("p", { className: "soft", textContent: "There are no other pages to compare." })];
  }

  const texts = ({ gained, lost }) => [[gained, "kernel", "kept: "], [lost, "husk", "removed: "]].filter(([text]) => text).map(([text, className, word]) => unfound("small", { className: `line ${className}` }, `${word}${text.slice(0, 80)}`));

  function difference(one) {
    const percent = share => `${Math.round(share * 100)}%`;
    if (!one.place_found) return "does not have this part";
    if (one.removed_before === one.removed_after) return `template: ${percent(one.removed_after)}, as before`;
    return `template: ${percent(one.removed_before)} → ${percent(one.removed_after)}`;
  }

  function listed(state) {
    if (!state.edits.length) return [];
    const items = state.edits.map(edit => {
      const button = make("button", { className: "plain", type: "button", textContent: "Undo", onclick: panel.trusted(() => undo(state, edit.id)) });
      button.setAttribute("aria-label", `Undo: ${edit.path}`);
      return make("li", {}, make("div", { className: "row" }, make("span", {}, make("b", { className: edit.keep ? "kernel" : "husk", textContent: edit.keep ? "keep " : "remove " }), unfound("code", {}, ending(edit.path))), button));
    });
    return [make("h3", { textContent: "Corrections for this site" }), make("ul", {}, ...items)];
  }

  const ending = path => path.split(" > ").slice(-2).join(" > ");

  return { start };
})();
