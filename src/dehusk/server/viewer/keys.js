"use strict";
// The keys of the viewer.

function nextPart(step) {
  if (view && panels[state.look]) return panels[state.look].step(step);
  if (!view || !frame.view || $("frame").hidden) return;
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
  "+": () => card.move(1), "=": () => card.move(1), "-": () => card.move(-1), f: () => card.flip(), e: () => showEdits(), d: () => theme(),
  "?": helpDialog, Escape: () => card.pinned && card.cancel(),
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
  const button = event.target.tagName === "BUTTON" || event.target.tagName === "SUMMARY";
  if ((typing && event.key !== "Escape") || (button && event.key === "Enter")) return;
  const name = Object.keys(LOOKS)[Number(event.key) - 1];
  if (name) look(name);
  else if (ACTIONS[event.key]) ACTIONS[event.key]();
  else return;
  event.preventDefault();
}
