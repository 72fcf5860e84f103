// The options: pairing with the service, and the pages that it stores.

import { call, command, pair, readAddress, settings } from "./service.js";

const $ = id => document.getElementById(id);
const HOSTS = { origins: ["http://127.0.0.1/*", "http://localhost/*"] };

const { address, token } = await settings();
let allowed = await chrome.permissions.contains(HOSTS);
$("address").value = address;
$("token").value = token;
$("copy").onclick = async () => {
  await navigator.clipboard.writeText($("command").textContent);
  $("copy").textContent = "Copied";
};
$("pairing").onsubmit = event => submit(event, async () => {
  const given = await pair($("line").value);
  $("line").value = "";
  if (given.address) $("address").value = given.address;
  $("token").value = given.token;
});
$("byhand").onsubmit = event => submit(event, () => chrome.storage.local.set({ address: readAddress($("address").value), token: $("token").value.trim() }));
$("test").onclick = event => submit(event, () => {});
$("forget").onclick = async () => {
  if (confirm("Delete all stored pages?")) await remove("");
};
await told();
if (token) await list().catch(error => tell(error.message, "bad"));

/** Says whether the extension is paired, with which service, and whether it answers. */
async function told() {
  const now = await settings();
  $("command").textContent = command(now.address);
  if (!now.token) return state("Not paired yet.", "bad");
  try {
    const { version } = await call("GET", "/api/status");
    state(`Paired with dehusk ${version} at ${now.address}.`, "good");
  } catch (error) {
    state(`Paired with ${now.address}. ${error.message}`, "bad");
  }
}

function state(text, tone) {
  $("paired").textContent = text;
  $("paired").className = tone;
}

async function submit(event, save) {
  event.preventDefault();
  // In Firefox, users can revoke this permission. It can be requested only during a click, before the first await.
  const granted = allowed || chrome.permissions.request(HOSTS);
  tell("Asking the service…");
  try {
    allowed = await granted;
    await save();
    const { version } = await call("GET", "/api/status");
    tell(`Paired with dehusk ${version}.`, "good");
    await told();
    await list();
  } catch (error) {
    tell(error.kind === "down" ? `${error.message} Start dehusk serve, then test again.` : error.message, "bad");
  }
}

function tell(text, tone = "") {
  $("result").textContent = text;
  $("result").className = tone;
}

async function list() {
  const snapshots = await call("GET", "/api/snapshots");
  $("none").hidden = snapshots.length > 0;
  $("forget").hidden = snapshots.length === 0;
  $("snapshots").replaceChildren(...snapshots.map(row));
}

function row(snapshot) {
  const item = document.createElement("li");
  const told = document.createElement("div");
  const when = document.createElement("div");
  const button = document.createElement("button");
  told.textContent = snapshot.url;
  when.className = "soft";
  when.textContent = new Date(`${snapshot.seen}Z`).toLocaleString();
  told.append(when);
  button.type = "button";
  button.textContent = "Delete";
  button.setAttribute("aria-label", `Delete ${snapshot.url}`);
  button.onclick = () => remove(`?url=${encodeURIComponent(snapshot.url)}`);
  item.append(told, button);
  return item;
}

async function remove(which) {
  try {
    await call("DELETE", `/api/snapshots${which}`);
    await list();
  } catch (error) {
    tell(error.message, "bad");
  }
}
