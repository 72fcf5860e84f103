// The content script: answers the toolbar menu, and holds the state for as long as the page is open.

var dehusk = globalThis.dehusk ?? {}; // not `??=`: that would take an element of the page with this id

dehusk.main = (() => {
  const { Failure, changes, fix, gather, paint, panel, places } = dehusk;
  const VIEWS = ["tinted", "template", "content"];
  const BADGES = { tinted: "Tinted by dehusk", extracted: "Tinted by dehusk", template: "dehusk shows the template", content: "dehusk hides the template" };
  // `judged`: the snapshot of the page, the answer of the service, and the pages that it was compared with.
  // `visit`: the snapshot of the page, and what changed since the last visit.
  const state = { mode: "none", said: "", skipped: 0, judged: null, visit: null, stop: null };

  const isTop = self === top; // a frame is judged by the template of the site or by itself, and has no badge
  const ACTIONS = { show: ({ view }) => show(view), changes: showChanges, fix: startFixing, save, extract, reset };
  let last = Promise.resolve(); // actions wait for each other, so that a late answer does not undo what was chosen after it

  chrome.runtime.onMessage.addListener((message, sender, reply) => {
    if (sender.id !== chrome.runtime.id) return false;
    if (message.act === "state") reply({ value: told(current()) });
    if (!Object.hasOwn(ACTIONS, message.act)) return false;
    last = last.catch(() => {}).then(() => ACTIONS[message.act](message));
    last.then(
      () => reply({ value: told(state.judged) }),
      error => reply({ error: { kind: error.kind ?? "failed", text: error.message } }),
    );
    return true;
  });

  /** What is known about the page at its present address, which a script may have changed; null if nothing is. */
  const current = () => (state.judged?.snapshot.url === location.href ? state.judged : null);

  /** The part of the state that the menu shows. */
  function told(judged) {
    const view = judged?.view;
    return {
      mode: state.mode,
      said: state.said,
      skipped: state.skipped,
      share: view?.share_removed ?? null,
      site: judged?.saved ? view.template : null,
      warnings: view?.warnings ?? [],
      compared: view?.chosen?.length ?? 0,
      loaded: view?.loaded ?? 0,
      votes: view?.votes ?? null,
      parts: view?.regions.filter(region => region.removed).length ?? 0,
    };
  }

  async function ask(question, about) {
    const answer = await chrome.runtime.sendMessage({ ask: question, about });
    if (!answer) throw new Failure("failed", "The extension was reloaded. Reload this page too.");
    if (answer.error) throw new Failure(answer.error.kind, answer.error.text);
    return answer.value;
  }

  const progress = text => chrome.runtime.sendMessage({ progress: text }).catch(() => {}); // the menu may be closed

  const sent = ({ html, url }) => ({ html, url });

  async function read() {
    const snapshot = dehusk.snapshot();
    const { body } = await ask("limits");
    const room = body / 2 - snapshot.html.length; // as JSON, a page may take twice its length
    if (room < 0) throw new Failure("large", `It has ${megabytes(snapshot.html.length)}. The limit for pages from a browser is ${megabytes(body / 2)}.`);
    return { ...snapshot, room };
  }

  const megabytes = size => `${(size / 1e6).toFixed(1)} MB`;

  // ---------------------------------------------------------------------------------------------- the template

  async function show(mode) {
    if (!VIEWS.includes(mode)) throw new Failure("failed", "Unknown view.");
    leave();
    if (!isJudged()) await judge(mode);
    painted(state.judged, mode);
  }

  /** Whether the page has been judged by the default method. */
  const isJudged = () => Boolean(current()) && !state.judged.view.votes;

  /** Asks for the verdicts on the page: with the template of its site if there is one; else alone, then with linked pages. */
  async function judge(mode) {
    reset();
    progress("Asking dehusk");
    const snapshot = await read();
    const pages = current()?.pages ?? null; // read when the template was extracted
    state.judged = { snapshot, view: await ask("mark", sent(snapshot)), pages, saved: false };
    state.judged.saved = Boolean(state.judged.view.template);
    if (state.judged.saved) return;
    painted(state.judged, mode);
    if (isTop) await compare();
  }

  /** Judges the page together with linked pages. If there are none, the verdict on the page alone stays. */
  async function compare({ save = false } = {}) {
    const { judged } = state;
    const about = sent(judged.snapshot);
    judged.pages ??= await linkedPages(judged.snapshot);
    if (!judged.pages.length && !save) return;
    progress(save ? "Saving the template" : "Comparing the pages");
    judged.view = await ask("template", { ...about, pages: judged.pages.length ? judged.pages : [about], save });
    judged.saved = save;
  }

  const linkedPages = async snapshot => gather((await ask("candidates", { ...sent(snapshot), limit: gather.LIMIT })).urls, snapshot.room, progress);

  /** Shows the template by the votes of linked pages, as the add-on of TeMex does. */
  async function extract() {
    reset();
    progress("Asking dehusk");
    const snapshot = await read();
    const pages = current()?.pages ?? (await linkedPages(snapshot));
    if (!pages.length) throw new Failure("failed", "No linked page of this site could be read, so none can vote.");
    progress("Counting votes");
    state.judged = { snapshot, view: await ask("template", { ...sent(snapshot), pages, votes: true }), pages, saved: false };
    painted(state.judged, "extracted");
  }

  /** Shows the verdicts on the page. Places that no longer exist are counted as skipped. */
  function painted({ snapshot, view }, mode) {
    paint.clear();
    Object.assign(state, { mode, said: "", skipped: 0 });
    for (const region of view.regions) {
      const place = places.find(snapshot, region.path);
      if (place) paint.mark(place, region.removed ? "husk" : "kernel", region);
      else state.skipped += 1;
    }
    if (mode === "template") paint.slots();
    if (mode === "content") paint.close();
    paint.view(VIEWS.includes(mode) ? mode : "tinted");
    if (BADGES[mode] && isTop) panel.badge(BADGES[mode], off);
  }

  async function save() {
    if (!isJudged()) await show("tinted");
    leave();
    await compare({ save: true });
    painted(state.judged, VIEWS.includes(state.mode) ? state.mode : "tinted");
    state.said = `The template of ${state.judged.view.template} is saved.`;
  }

  // ------------------------------------------------------------------------------------ corrections and changes

  async function startFixing() {
    await show("tinted");
    if (!state.judged.saved) await save();
    const { judged } = state;
    state.stop = fix.start({
      snapshot: judged.snapshot,
      family: judged.view.family,
      ask,
      show: (view = judged.view) => painted({ ...judged, view }, "fix"),
      again: async () => {
        judged.view = await ask("mark", sent(judged.snapshot));
        painted(judged, "fix");
      },
      leave: () => {
        leave();
        painted(judged, "tinted");
      },
    });
    painted(judged, "fix");
  }

  async function showChanges() {
    reset();
    if (state.visit?.snapshot.url !== location.href) {
      progress("Comparing with your last visit");
      const snapshot = await read();
      state.visit = { snapshot, found: await ask("visit", sent(snapshot)) };
    }
    state.said = changes.show(state.visit.snapshot, state.visit.found, reset);
    state.mode = "changes";
  }

  /** Closes the card, and stops fixing. */
  function leave() {
    state.stop?.();
    state.stop = null;
    panel.close();
  }

  /** Restores the page and its frames. */
  function off() {
    reset();
    ask("off").catch(() => {}); // without frames, nothing is left to do
  }

  /** Restores the page. */
  function reset() {
    leave();
    paint.clear();
    Object.assign(state, { mode: "none", said: "", skipped: 0 });
  }

  return { reset };
})();
