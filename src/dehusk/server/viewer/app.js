"use strict";
// The viewer: choose a site, a page, and how to look at it. The choices are in `state`; all else is derived from it.

const $ = id => document.getElementById(id);
const LOOKS = { original: "Original", tinted: "Tinted", content: "Content", template: "Template", beside: "Side by side" };
const KEYS = [
  ["1 – 5", "original, tinted, content only, template only, side by side"],
  ["j k", "next page, previous page"], ["/", "search pages"], ["c", "jump to the content"],
  ["n p", "next part of the page, previous part"], ["Enter", "correct the highlighted part"],
  ["+ −", "larger part, smaller part"], ["f", "switch the part: keep it if it goes, remove it if it stays"],
  ["e", "corrections"], ["d", "dark or light"], ["Esc", "deselect the part"], ["?", "this help"],
];
const HINT = matchMedia("(hover: none)").matches ? "Tap a part of the page to see what it is and why, and to correct it." : "Point at a part of the page to see what it is and why. Click it to correct it.";
// Maximum length of a text that is shown: longer ones make the browser slow.
const LONG = 300_000;

const embedded = JSON.parse($("data").textContent);
const source = embedded ? new Report(embedded) : new Service();
const state = { site: null, page: null, look: "tinted", method: "", grain: "", written: "markdown" };
let known = null, site = null, view = null, plain = null;

const frame = new PageFrame({ over: region => card.over(region), pinned: target => card.pin(target), key: event => pressed(event) });
const map = new PageMap(id => choose(id));
const card = new Card({
  source, frame, state, saved, failed,
  done: () => $("frame").focus({ preventScroll: true }),
});

async function start() {
  $("message").hidden = true;
  try {
    known = await source.open();
    card.roles = known.roles;
    if (!known.sites.length) return nothingYet();
    fill($("site"), known.sites.map(one => [one.site, one.name || one.site]));
    $("sites").hidden = known.sites.length < 2;
    const wanted = known.sites.find(one => one.site === state.site) || known.sites[0];
    await openSite(wanted.site);
  } catch (trouble) {
    failed(trouble);
  }
}

async function openSite(name) {
  state.site = name;
  state.method = state.grain = "";
  const opened = await source.site(known.sites.find(one => one.site === name));
  if (state.site !== name) return;
  site = opened;
  $("main").hidden = false;
  $("site").value = name;
  headline();
  methods();
  edits(site.edits);
  map.show(site.rows);
  $("map-note").textContent = site.note || "";
  compared(site.table || []);
  const first = usual(map.shown.filter(row => !row.absent && !row.outlier)) || map.shown.find(row => !row.absent) || map.shown[0];
  if (first) await choose(first.id);
  else blank("This site has no pages.");
}

// A typical page: the one in the middle of the largest family.
function usual(rows) {
  const families = new Map();
  for (const row of rows) families.has(row.group) ? families.get(row.group).push(row) : families.set(row.group, [row]);
  const largest = [...families.values()].reduce((most, some) => (some.length > most.length ? some : most), []);
  return largest[largest.length >> 1];
}

function headline() {
  const name = site.name || site.site;
  $("share").textContent = percent(shareOf(site.rows));
  $("name").textContent = name;
  document.title = `${name} · dehusk`;
  $("count").textContent = site.rows.length.toLocaleString("en");
  const families = site.families > 1 ? `${site.families} families` : "one family";
  $("summary").replaceChildren(
    make("span", { class: "hide" }, `${$("share").textContent} `), "of its text is ", make("b", { class: "husk" }, "template"), "; the rest is ", make("b", { class: "kernel" }, "content"),
    `. ${plural(site.rows.length, "page")}, ${families}${site.learned_from ? `; learned from ${site.learned_from.toLocaleString("en")}` : ""} by ${site.method}.`);
}

function methods() {
  const choices = known.methods.filter(name => name !== site.method);
  fill($("method"), [["", site.method], ...choices.map(name => [name, name])]);
  $("methods").hidden = !choices.length;
  fill($("grain"), [["", "as learned"], ...known.grains.map(name => [name, name])]);
  $("grains").hidden = !known.grains.length;
}

// A table that compares methods, if the report has one. A method that failed has only a name and a reason.
function compared(rows) {
  const cell = (row, tag) => (text, k) => make(tag, k && row.length < rows[0].length ? { colspan: rows[0].length - 1 } : {}, text);
  $("compared").hidden = !rows.length;
  $("compared-rows").replaceChildren(...rows.map((row, k) => make("tr", {}, ...row.map(cell(row, k ? "td" : "th")))));
}

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
}

async function choose(id) {
  state.page = id;
  map.select(id);
  $("fold").setAttribute("aria-expanded", "false");
  plain = null;
  await load();
}

async function load() {
  const asked = `${state.site} ${state.page} ${state.method} ${state.grain}`;
  state.asked = asked;
  const row = site.rows.find(one => one.id === state.page);
  try {
    // Another method or grain is compared with the learned template.
    const learned = plain ?? await source.view(state.site, state.page, "", "");
    if (state.asked !== asked) return;
    plain = learned;
    const found = state.method || state.grain ? await source.view(state.site, state.page, state.method, state.grain) : plain;
    if (state.asked !== asked) return;
    await show(found);
  } catch (trouble) {
    if (state.asked !== asked) return;
    view = null;
    $("title").textContent = row?.title || row?.name || "";
    $("facts").textContent = row ? `${row.name} · ${percent(row.share_removed)} template` : "";
    if (trouble.kind === "absent" || trouble.kind === "large" || trouble.kind === "failed") blank(trouble.message);
    else failed(trouble);
  }
}

async function show(found) {
  view = found;
  $("message").hidden = true;
  $("title").textContent = view.title || view.name;
  $("facts").textContent = [
    view.name !== view.title ? view.name : "", view.kind || "", view.family ? `family ${view.family}` : "in no family",
    `${percent(view.share_removed)} template`, `${percent(view.fit)} like the site`, ...view.warnings,
  ].filter(Boolean).join(" · ");
  card.clear();
  if (!view.tinted) {
    blank("This page is too large to be shown. Only its text is shown.");
    draw();
    return;
  }
  $("empty").hidden = true;
  $("frame").hidden = false;
  draw();
  await frame.show(view);
  compare();
  $("said").textContent = `${view.title || view.name}: ${percent(view.share_removed)} template`;
}

// Shows what another method or grain does differently on this page.
function compare() {
  if (!plain || view === plain) {
    $("hint").textContent = HINT;
    return;
  }
  const gone = new Set(plain.regions.filter(one => one.removed).map(one => one.path));
  const went = path => path.split(" > ").some((_, k, steps) => gone.has(steps.slice(0, k + 1).join(" > ")));
  const changed = view.regions.filter(one => one.removed !== went(one.path));
  frame.mark("changed", changed.map(one => frame.elementOf(one)));
  const more = changed.filter(one => one.removed).length, less = changed.length - more;
  const name = [state.method || site.method, state.grain].filter(Boolean).join(", ");
  $("hint").replaceChildren(
    make("b", { class: "change" }, `With ${name}: `),
    changed.length ? `${plural(more, "part goes", "parts go")} that stayed, ${plural(less, "part stays", "parts stay")} that went; ` : "the same parts go; ",
    `${percent(plain.share_removed)} → ${percent(view.share_removed)} template. `, changed.length ? "Changed parts have a dashed line." : "");
}

function blank(message) {
  card.clear();
  $("frame").hidden = true;
  $("empty").hidden = false;
  $("written").hidden = true;
  $("empty").replaceChildren(...message.split("\n").map(line => (line.startsWith("$ ") ? make("pre", { class: "command" }, line.slice(2)) : make("p", {}, line))));
}

function draw() {
  $("tabs").replaceChildren(...Object.entries(LOOKS).map(([look, text], k) => make("button", {
    type: "button", role: "tab", "aria-selected": String(look === state.look), "aria-controls": "panes", title: `${text} (${k + 1})`,
    "data-look": look, onclick: () => { state.look = look; draw(); },
  }, text)));
  frame.as(state.look);
  $("written").hidden = !view || !(state.look === "beside" || !view.tinted);
  for (const how of ["markdown", "text"]) $(`as-${how}`).setAttribute("aria-pressed", String(state.written === how));
  const said = view ? view[state.written] || "Nothing is left of this page." : "";
  $("text").textContent = said.length > LONG ? `${said.slice(0, LONG)} …` : said;
}

// Corrections.

function edits(found) {
  site.edits = found;
  $("edit-count").textContent = found.length;
}

function showEdits() {
  const dialog = $("edits");
  const list = site ? site.edits : [];
  dialog.replaceChildren(
    make("header", {}, make("h2", { id: "edits-title" }, "Corrections"), make("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    make("p", { class: "soft" }, list.length ? "They override the learned template, on all pages of the site." : "None yet. Click a part of a page to correct it."),
    ...list.map(edit => make("div", { class: "edit" },
      make("div", {}, make("b", { class: edit.keep ? "kernel" : "husk" }, edit.keep ? "Keep " : "Remove "), make("code", {}, edit.path),
        make("p", { class: "soft" }, [edit.scope === "family" ? `family ${edit.family}` : "every page", edit.by, (edit.at || "").slice(0, 10), edit.why].filter(Boolean).join(" · ")),
        source.editable ? null : make("pre", { class: "command" }, source.undoCommand(edit.id))),
      source.editable ? make("button", { type: "button", "data-undo": edit.id, onclick: () => undo(edit.id) }, "Undo") : null)));
  if (!dialog.open) dialog.showModal();
}

async function undo(id) {
  try {
    await source.undo(state.site, id);
    await saved();
    showEdits();
  } catch (trouble) {
    $("edits").close();
    failed(trouble);
  }
}

// A correction may change every page, so everything is loaded again.
async function saved() {
  try {
    const fresh = await source.site(known.sites.find(one => one.site === state.site));
    site.rows = fresh.rows;
    edits(fresh.edits);
    headline();
    map.update(site.rows);
    map.select(state.page);
    plain = null;
    await load();
    $("said").textContent = "Saved.";
  } catch (trouble) {
    failed(trouble);
  }
}

// Messages that say what to do when something is missing.

function message(...children) {
  $("message").replaceChildren(...children);
  $("message").hidden = false;
}

function nothingYet() {
  $("main").hidden = true;
  message(
    make("h2", {}, "No site yet"), make("p", {}, "Stop the service, and start it with a folder of saved pages or an archive:"),
    make("pre", { class: "command" }, "dehusk serve crawl/"), make("p", {}, "Or visit pages with the browser extension, and choose ", make("b", {}, "Save template"), "."),
    make("button", { type: "button", onclick: start }, "Reload"));
}

function failed(trouble) {
  const again = make("button", { type: "button", id: "again", onclick: () => (known && site ? load() : start()) }, "Try again");
  if (trouble.kind === "token") {
    const field = make("input", { type: "text", id: "token", autocomplete: "off", "aria-label": "Token", placeholder: "Token" });
    message(
      make("h2", {}, "The token is missing or wrong"), make("p", {}, "Open the address that ", make("code", {}, "dehusk serve"), " printed when it started. Or paste the token here:"),
      make("form", { onsubmit: event => { event.preventDefault(); source.token = field.value.trim(); start(); } }, field, make("button", { class: "first" }, "Use it")));
  } else if (trouble.kind === "gone") {
    message(make("h2", {}, "The service does not answer"), make("p", {}, "It may have been stopped. Start it again, then open the address that it prints:"), make("pre", { class: "command" }, "dehusk serve"), again);
  } else {
    message(make("h2", {}, "That did not work"), make("p", {}, trouble.message), again);
    if (!(trouble instanceof Trouble)) throw trouble;
  }
}

// Keys and buttons.

function showHelp() {
  const dialog = $("help");
  dialog.replaceChildren(
    make("header", {}, make("h2", { id: "help-title" }, "Help"), make("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    make("p", {}, "Red is template: what the pages of the site share. It goes. The rest is content. It stays. Point at a part of the page to see what it is and why. Click it to correct it, and choose a smaller or larger part if necessary."),
    make("dl", {}, ...KEYS.flatMap(([keys, what]) => [make("dt", {}, ...keys.split(" ").flatMap(key => (key === "–" ? [" – "] : [make("kbd", {}, key), " "]))), make("dd", {}, what)])));
  dialog.showModal();
}

function theme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.dataset.theme || (dark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
  map.drawBars();
}

function nextPart(step) {
  if (!view || !frame.view) return;
  const parts = view.regions.filter(region => frame.elementOf(region) && boxOf(frame.elementOf(region)).height);
  const at = parts.findIndex(region => region.n === card.region?.n);
  const region = parts[(at + step + parts.length) % parts.length];
  if (!region) return;
  card.clear();
  frame.reveal(frame.elementOf(region));
  card.over(region);
  $("said").textContent = `${region.role}, ${region.removed ? "goes" : "stays"}: ${region.text}`;
}

const ACTIONS = {
  j: () => map.move(1), k: () => map.move(-1), c: () => frame.view && frame.jump(), n: () => nextPart(1), p: () => nextPart(-1),
  "/": () => { $("fold").setAttribute("aria-expanded", "true"); $("search").focus(); $("search").select(); },
  Enter: () => card.region && frame.view && !card.pinned && card.pin(frame.elementOf(card.region)),
  "+": () => card.move(1), "=": () => card.move(1), "-": () => card.move(-1), f: () => card.flip(), e: showEdits, d: theme,
  "?": showHelp, Escape: () => card.pinned && card.cancel(),
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
  const button = event.target.tagName === "BUTTON" || event.target.tagName === "SUMMARY";
  if ((typing && event.key !== "Escape") || (button && event.key === "Enter")) return;
  const look = Object.keys(LOOKS)[Number(event.key) - 1];
  if (look) {
    state.look = look;
    draw();
  } else if (ACTIONS[event.key]) {
    ACTIONS[event.key]();
  } else {
    return;
  }
  event.preventDefault();
}

document.addEventListener("keydown", pressed);
$("site").addEventListener("change", () => openSite($("site").value).catch(failed));
for (const name of ["method", "grain"]) $(name).addEventListener("change", () => { state[name] = $(name).value; load(); });
$("jump").addEventListener("click", () => frame.view && frame.jump());
$("theme").addEventListener("click", theme);
$("open-help").addEventListener("click", showHelp);
$("open-edits").addEventListener("click", showEdits);
$("fold").addEventListener("click", () => $("fold").setAttribute("aria-expanded", String($("fold").getAttribute("aria-expanded") !== "true")));
for (const how of ["markdown", "text"]) $(`as-${how}`).addEventListener("click", () => { state.written = how; draw(); });
$("frame").addEventListener("mouseleave", () => card.over(null));
draw();
start();
