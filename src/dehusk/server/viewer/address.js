"use strict";
// The address: site, page, view, method, grain, and what is selected in the view. Back returns to the last one.

// Maximum letters of a chunk, unless another number is chosen.
const CHUNK_SIZE = 1500;

function addressed() {
  const given = new URLSearchParams(location.hash.slice(1)), word = name => given.get(name) ?? "";
  return { site: word("site"), page: word("page"), look: word("view") in LOOKS ? word("view") : "tinted", method: word("method"), grain: word("removes"), part: word("part"), size: Number(word("size")) || CHUNK_SIZE };
}

function remember(step = true) {
  if (!site || !state.page) return;
  const row = site.rows.find(one => one.id === state.page);
  const alone = row && site.rows.filter(one => one.name === row.name).length === 1;
  const { look, method, grain, part, size } = state;
  const given = Object.entries({ site: known.sites.length > 1 ? state.site : "", page: alone ? row.name : state.page, view: look === "tinted" ? "" : look, method, removes: grain, size: look === "chunks" && size !== CHUNK_SIZE ? size : "", part });
  const hash = `#${new URLSearchParams(given.filter(([, value]) => value))}`;
  if (hash !== location.hash) history[step && location.hash ? "pushState" : "replaceState"](null, "", hash);
}

async function follow() {
  const wanted = addressed();
  if (!known || !site) return;
  const other = wanted.site && wanted.site !== state.site && known.sites.some(one => one.site === wanted.site);
  if (other) return openSite(wanted.site, wanted);
  const changed = wanted.method !== state.method || wanted.grain !== state.grain;
  const page = rowOf(wanted.page)?.id ?? state.page, moved = page !== state.page;
  if (panels[wanted.look] || panels[state.look]) card.clear();
  Object.assign(state, { look: wanted.look in LOOKS ? wanted.look : "tinted", size: wanted.size });
  if (panels[state.look]) state.part = wanted.part;
  if (changed) await measured(wanted.method, wanted.grain);
  if (moved || changed) {
    state.page = page;
    map.select(page);
    if (moved) plain = null;
    await load();
  }
  draw();
  if (panels[state.look] && !moved && !changed) await fill();
  pinned(wanted.part);
}

const rowOf = name => site.rows.find(one => one.name === name) || site.rows.find(one => one.id === name);

// Selects the part with this path, if the page has it.
function pinned(part) {
  if (panels[state.look]) return panels[state.look].select(part);
  if (!frame.view || part === state.part) return;
  const [element] = part ? frame.at(part.trim()) : [];
  if (!element) return card.clear();
  card.pin(element);
  card.level = Math.max(0, card.levels.indexOf(element));
  card.alike = !part.endsWith(" ");
  card.draw();
}
