"use strict";
// The viewer: choose a site, a page, and how to look at it. The choices are in `state` and in the address of the viewer;
// all else is derived from them.

const $ = id => document.getElementById(id);
const LOOKS = { original: "Original", tinted: "Tinted", content: "Content", template: "Template", beside: "Side by side", table: "Table", chunks: "Chunks", changes: "Changes" };
// What each view consists of: the page, its content, a panel, the page of changes.
const PANES = { content: ["reader"], beside: ["frame", "reader"], table: ["frame", "panel"], chunks: ["panel"], changes: ["changed"] };
const panes = name => PANES[name] ?? ["frame"];
const SPREAD = (Math.sqrt(5) - 1) / 2;
const USUAL = "evidence";
const GRAINS = { regions: "whole parts", nodes: "every repeated text" };
const HINT = matchMedia("(hover: none)").matches ? "Tap a part of the page to see what it is and why, and to correct it." : "Point at a part of the page to see what it is and why. Click it to correct it.";
const PLAIN = "The style sheets of this page are not in the source: it is shown in plain type.";
// Maximum length of a text that is shown: longer ones make the browser slow.
const LONG = 300_000;

const embedded = JSON.parse($("data").textContent);
const source = embedded ? new Report(embedded) : new Service();
const state = { site: null, page: null, look: "tinted", method: "", grain: "", part: "", size: CHUNK_SIZE };
let known = null, site = null, view = null, plain = null, measuring = null, loading = 0;

const frame = new PageFrame({ over: region => panels[state.look] || card.over(region), pinned: target => (state.look === "table" ? panels.table.at(target) : card.pin(target)), key: event => pressed(event) });
const reader = new Reader(frame, event => pressed(event));
const map = new PageMap(id => choose(id));
const card = new Card({
  source, frame, state, saved, failed,
  done: () => $("frame").focus({ preventScroll: true }),
  selected,
});
const panels = {
  table: new TableView({ source, frame, state, selected, failed, chosen: id => choose(id, { part: state.part }), renamed }),
  chunks: new ChunkView({ source, state, selected, sized: size => { state.size = size; state.part = ""; remember(); fill(); } }),
  changes: new ChangeView({ source, state, selected, failed, hinted: text => { $("hint").textContent = text; } }),
};
if (!source.editable) delete LOOKS.changes;  // a report has one version of each page

function selected(part) {
  state.part = part;
  remember(false);
}

// Sites and pages.

async function start() {
  $("message").hidden = true;
  try {
    known = await source.open();
    card.roles = known.roles;
    if (!known.sites.length) return nothingYet();
    options($("site"), known.sites.map(one => [one.site, one.name || one.site]));
    $("sites").hidden = known.sites.length < 2;
    const given = addressed();
    const wanted = known.sites.find(one => one.site === (given.site || state.site)) || known.sites[0];
    await openSite(wanted.site, given);
  } catch (trouble) {
    failed(trouble);
  }
}

async function openSite(name, given = {}) {
  state.site = name;
  state.method = known.methods.includes(given.method) ? given.method : "";
  state.grain = known.grains.includes(given.grain) ? given.grain : "";
  state.look = given.look in LOOKS ? given.look : state.look;
  state.size = given.size || state.size;
  const opened = await source.site(known.sites.find(one => one.site === name), state.method, state.grain);
  if (state.site !== name) return;
  site = opened;
  card.families = site.families;
  $("main").hidden = false;
  $("site").value = name;
  methods();
  edits([]);
  map.show(site.rows);
  compared(site.table || []);
  headline();
  const first = (given.page && rowOf(given.page)) || usual();
  if (!first) return blank("This site has no pages.");
  await choose(first.id, { part: panels[state.look] ? given.part : "" });  // first of all: what follows can wait
  if (given.part) pinned(given.part);
  if (site !== opened) return;
  measure();
  edits(await source.edits(name), opened);
}

// A typical page: the one in the middle of the largest family, of the pages that have both template and content.
function usual() {
  const here = map.shown.filter(row => !row.absent), typical = here.filter(row => !row.outlier);
  const both = typical.filter(row => isMeasured(row) && row.share_removed > .05 && row.share_removed < .95);
  const rows = both.length ? both : typical.length ? typical : here;
  const families = new Map();
  for (const row of rows) families.has(row.group) ? families.get(row.group).push(row) : families.set(row.group, [row]);
  const largest = [...families.values()].reduce((most, some) => (some.length > most.length ? some : most), []);
  return largest[largest.length >> 1] ?? map.shown[0];
}

function headline() {
  const name = site.name || site.site, done = site.rows.filter(isMeasured).length, all = site.rows.length;
  $("share").textContent = done ? percent(shareOf(site.rows)) : "";
  $("name").textContent = name;
  document.title = `${name} · dehusk`;
  $("count").textContent = all.toLocaleString("en");
  const by = [state.method && `the method ${state.method}`, state.grain && `removing ${GRAINS[state.grain] ?? state.grain}`].filter(Boolean).join(", ");
  $("summary").replaceChildren(
    make("span", { class: "hide" }, `${$("share").textContent} `),
    done < all ? `of the text of ${done.toLocaleString("en")} of its ${plural(all, "page")}, which are being measured, is ` : all === 1 ? "of the text of its page is " : `of the text of its ${plural(all, "page")} is `,
    make("b", { class: "husk" }, "template"), ": menus, headers and the like, which the pages share. dehusk removes it and keeps the ", make("b", { class: "kernel" }, "content"), by ? ` (here by ${by}).` : ".");
  $("map-note").textContent = site.note || "";
}

// Measures the pages that were not measured yet, a few at a time, spread over all: so the headline is soon about right.
async function measure() {
  const run = measuring = Symbol("run"), { site: name, method, grain } = state, mine = site;
  const ours = () => measuring === run && site === mine;
  try {
    for (let step = 0; ours(); step++) {
      const from = Math.floor(SPREAD * step % 1 * mine.rows.length), left = mine.rows.flatMap((row, k) => (isMeasured(row) ? [] : [k]));
      if (!left.length) return;
      const at = left.find(k => k >= from) ?? left[0];
      const found = new Map((await source.measures(name, method, grain, at)).map(row => [row.id, row]));
      if (!ours() || !found.size) return;
      mine.rows = mine.rows.map(row => found.get(row.id) ?? row);
      map.update(mine.rows);
      if (mine.rows.every(isMeasured)) map.select(state.page);  // they are sorted now
      headline();
      while (loading) await new Promise(resolve => setTimeout(resolve, 50));  // the page that was asked for comes first
    }
  } catch (trouble) {
    if (ours()) failed(trouble);
  }
}

// Changes method and grain: headline, bars and list are by the new ones.
async function measured(method, grain) {
  Object.assign(state, { method, grain });
  $("method").value = method;
  $("grain").value = grain;
  const fresh = await source.rows(state.site, method, grain);
  if (state.method !== method || state.grain !== grain) return;
  Object.assign(site, fresh);
  map.update(site.rows);
  map.select(state.page);
  headline();
  measure();
}

function methods() {
  const label = name => (name === USUAL ? "usual" : name);
  const choices = known.methods.filter(name => name !== site.method);
  options($("method"), [["", label(site.method)], ...choices.map(name => [name, label(name)])]);
  $("methods").hidden = !choices.length;
  options($("grain"), [["", "as learned"], ...known.grains.map(name => [name, GRAINS[name] ?? name])]);
  $("grains").hidden = !known.grains.length;
  $("method").value = state.method;
  $("grain").value = state.grain;
}

function options(select, choices) {
  select.replaceChildren(...choices.map(([value, text]) => make("option", { value }, text)));
}

async function choose(id, { part = "" } = {}) {
  state.page = id;
  state.part = part;
  map.select(id);
  remember();
  $("fold").setAttribute("aria-expanded", "false");
  plain = null;
  await load();
}

async function load() {
  const asked = `${state.site} ${state.page} ${state.method} ${state.grain}`;
  state.asked = asked;
  loading++;
  try {
    // Another method or grain is compared with the learned template.
    const learned = plain ?? await source.view(state.site, state.page, "", "");
    if (state.asked !== asked) return;
    plain = learned;
    const found = state.method || state.grain ? await source.view(state.site, state.page, state.method, state.grain) : plain;
    if (state.asked !== asked) return;
    await show(found);
    const next = map.beyond(1);
    if (next && !next.absent && next.id !== state.page) source.view(state.site, next.id, state.method, state.grain).catch(() => {});
  } catch (trouble) {
    if (state.asked !== asked) return;
    const row = site.rows.find(one => one.id === state.page);
    view = null;
    $("title").textContent = row?.title || row?.name || "";
    $("facts").textContent = row ? facts(row).join(" · ") : "";
    if (["absent", "large", "failed"].includes(trouble.kind)) blank(trouble.message);
    else failed(trouble);
  } finally {
    loading--;
  }
}

const facts = ({ name, title, share_removed: share }) => [name !== title ? name : "", `${percent(share)} of this page is template`];

async function show(found) {
  view = found;
  $("message").hidden = true;
  const row = site.rows.find(one => one.id === state.page);
  if (row && row.title !== view.title) {
    row.title = view.title;
    map.update(site.rows);
    map.select(state.page);
  }
  $("title").textContent = $("fold-name").textContent = view.title || view.name;
  $("facts").textContent = [
    ...facts(view), view.kind || "", site.families > 1 ? (view.family ? `family ${view.family} of ${site.families}` : "in no family") : "",
    row?.outlier && !view.warnings.length ? "unlike the other pages" : "", ...view.warnings,
  ].filter(Boolean).join(" · ");
  card.clear();
  if (!view.tinted) {
    blank("This page is too large to be shown. Only its text is shown.");
    draw();
    return fill();
  }
  $("empty").hidden = $("text").hidden = true;
  $("hint").textContent = HINT;
  $("plain").textContent = isPlain(view) ? PLAIN : "";
  draw();
  await Promise.all([frame.show(view), reader.show(view)]);
  if (view !== found) return;
  reader.link();
  if (state.look === "beside") reader.align();
  compare();
  await fill();
  $("said").textContent = `${view.title || view.name}: ${percent(view.share_removed)} template`;
}

// Shows what another method or grain does differently on this page.
function compare() {
  if (!plain || view === plain) return;
  const gone = new Set(plain.regions.filter(one => one.removed).map(one => one.path));
  const went = path => path.split(" > ").some((_, k, steps) => gone.has(steps.slice(0, k + 1).join(" > ")));
  const changed = view.regions.filter(one => one.removed !== went(one.path));
  frame.mark("changed", changed.map(one => frame.elementOf(one)));
  const more = changed.filter(one => one.removed).length, less = changed.length - more;
  const name = [state.method, GRAINS[state.grain]].filter(Boolean).join(", ");
  $("hint").replaceChildren(
    make("b", { class: "change" }, `With ${name}: `),
    changed.length ? `${plural(more, "part goes", "parts go")} that stayed, ${plural(less, "part stays", "parts stay")} that went; ` : "the same parts go; ",
    `${percent(plain.share_removed)} → ${percent(view.share_removed)} template. `, changed.length ? "Changed parts have a dashed line." : "");
}

function blank(message) {
  card.clear();
  for (const panel of Object.values(panels)) panel.hide();
  $("panel").hidden = $("frame").hidden = $("reader").hidden = $("text").hidden = $("plain").hidden = true;
  $("empty").hidden = false;
  $("empty").replaceChildren(...message.split("\n").map(line => (line.startsWith("$ ") ? make("pre", { class: "command" }, line.slice(2)) : make("p", {}, line))));
}

function look(name) {
  if (!(name in LOOKS)) return;
  if (name !== state.look && (panels[name] || panels[state.look])) {
    card.clear();
    state.part = "";
  }
  state.look = name;
  draw();
  remember();
  fill();
}

// Fills the panel of a view that has one, with the page that is shown.
async function fill() {
  for (const [name, panel] of Object.entries(panels)) if (name !== state.look) panel.hide();
  const panel = view && panels[state.look];
  if (!panel) return;
  try {
    await panel.show();
  } catch (trouble) {
    failed(trouble);
  }
}

function draw() {
  $("tabs").replaceChildren(...Object.entries(LOOKS).map(([name, text], k) => make("button", {
    type: "button", role: "tab", "aria-selected": String(name === state.look), "aria-controls": "panes", title: `${text} (${k + 1})`,
    "data-look": name, onclick: () => look(name),
  }, text)));
  const tab = $("tabs").querySelector("[aria-selected=true]");
  $("tabs").scrollLeft = tab.offsetLeft - ($("tabs").clientWidth - tab.offsetWidth) / 2;
  const shown = panes(state.look), drawn = Boolean(view?.tinted), panel = panels[state.look], reads = shown.includes("reader");
  const onPage = shown.includes("frame"), opened = $("frame").hidden && drawn && onPage, wide = $("frame").clientWidth;
  $("frame").hidden = !drawn || !onPage;
  $("reader").hidden = !drawn || !reads;
  $("panel").hidden = !view || !shown.includes("panel");
  $("copying").hidden = !view || !reads;
  $("legend").hidden = !(state.look === "tinted" || (state.look === "beside" && drawn));
  $("jump").hidden = state.look !== "tinted";
  $("card").hidden = !onPage || Boolean(panel);
  if (panel) $("hint").textContent = panel.hint;
  else if (view === plain) $("hint").textContent = HINT;
  $("hint").hidden = state.look === "content" || (state.look === "beside" && view === plain);
  $("plain").hidden = !drawn || !onPage || !$("plain").textContent;
  if (drawn) frame.as(state.look);
  if (drawn && frame.view && onPage && !panel && (opened || wide !== $("frame").clientWidth)) frame.meet();
  if (drawn && state.look === "beside") reader.align();
  if (!panel && frame.view && frame.view === view) compare();
  $("text").hidden = !view || drawn || Boolean(panel);
  if (!$("text").hidden) $("text").textContent = view.text.length > LONG ? `${view.text.slice(0, LONG)} …` : view.text || "Nothing is left of this page.";
}

// Corrections.

function edits(found, mine = site) {
  mine.edits = found;
  if (mine === site) $("edit-count").textContent = found.length;
}

const showEdits = () => editsDialog(site ? site.edits : [], source, async id => {
  await undo(id);
  if (!$("message").hidden) $("edits").close();
  else showEdits();
});

async function undo(id) {
  try {
    await source.undo(state.site, id);
    await saved();
    toast("Undone.");
  } catch (trouble) {
    failed(trouble);
  }
}

// A correction may change every page, so everything is loaded again.
async function saved(edit) {
  panels.table.forget();
  if (edit) toast("Saved · ", make("button", { type: "button", id: "undo", onclick: () => undo(edit.id) }, "Undo"));
  try {
    Object.assign(site, await source.rows(state.site, state.method, state.grain));
    edits(await source.edits(state.site));
    map.update(site.rows);
    map.select(state.page);
    headline();
    plain = null;
    await load();
    measure();
  } catch (trouble) {
    failed(trouble);
  }
}

// Another name of a column changes no page.
async function renamed(edit) {
  toast("Saved · ", make("button", { type: "button", id: "undo", onclick: () => undo(edit.id) }, "Undo"));
  try {
    edits(await source.edits(state.site));
    await fill();
  } catch (trouble) {
    failed(trouble);
  }
}

// Buttons.

function theme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.dataset.theme || (dark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
  map.drawBars();
  reader.recolour();
}

document.addEventListener("keydown", pressed);
addEventListener("popstate", () => follow().catch(failed));
$("site").addEventListener("change", () => openSite($("site").value).catch(failed));
for (const name of ["method", "grain"]) {
  $(name).addEventListener("change", async () => {
    try {
      await measured($("method").value, $("grain").value);
      remember();
      await load();
    } catch (trouble) {
      failed(trouble);
    }
  });
}
$("jump").addEventListener("click", () => frame.view && frame.jump());
$("theme").addEventListener("click", theme);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => reader.recolour());
$("open-help").addEventListener("click", helpDialog);
$("open-edits").addEventListener("click", showEdits);
$("open-export").addEventListener("click", () => exportDialog(source, state.site, failed));
$("fold").addEventListener("click", () => $("fold").setAttribute("aria-expanded", String($("fold").getAttribute("aria-expanded") !== "true")));
for (const how of ["markdown", "text"]) $(`copy-${how}`).addEventListener("click", () => view && copied($(`copy-${how}`), view[how]));
$("frame").addEventListener("mouseleave", () => card.over(null));
draw();
start();
