// The toolbar menu. Opening it tints the page at once, unless the page already shows another view.

import { call, command, pair, readPairing, sentence, settings } from "./service.js";

const STYLES = [
  { files: ["page/paint.css"], origin: "USER" },
  { files: ["page/texts.css"], origin: "AUTHOR" },
];
const SCRIPTS = ["snapshot", "gather", "places", "paint", "panel", "changes", "fix", "main"].map(name => `page/${name}.js`);

const TOP = { frameId: 0 }; // the page itself, not a frame in it
const MOST_FRAMES = 8;
const SMALLEST_FRAME = 100 * 100; // in square pixels; smaller frames are counters and buttons

// For each kind of error: a title, advice, and which controls to show.
const TROUBLES = {
  down: { title: "dehusk is not running", advice: "Start it in a terminal, then try again:", start: true },
  token: { title: "Pair the extension with dehusk", advice: "Start dehusk in a terminal and paste the line that it prints.", start: true, pairing: true },
  address: { title: "This is not a service on this computer", pairing: true },
  notallowed: { title: "Not on this page", advice: "Browsers do not allow extensions on their own pages, in their stores, or on local files.", final: true },
  gone: { title: "The page has changed meanwhile", advice: "It was loaded again, or leads elsewhere now." },
  notpage: { title: "This is not a web page", advice: "dehusk needs HTML: open a page of a site.", final: true },
  large: { title: "This page is too large", final: true },
  busy: { title: "dehusk is busy" },
  private: { title: "Not in a private window", final: true },
  failed: { title: "That did not work" },
};

// The warning about a page without others that share its template.
const ALONE = /learned from one page/;

const $ = id => document.getElementById(id);
const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
let last = { act: "show", view: "tinted" };

$("site").textContent = /^https?:/.test(tab.url ?? "") ? new URL(tab.url).host : "";
$("options").onclick = () => chrome.runtime.openOptionsPage();
$("again").onclick = () => perform(last);
$("copy").onclick = async () => {
  await navigator.clipboard.writeText($("command").textContent);
  $("copy").textContent = "Copied";
};
$("pairing").onsubmit = async event => {
  event.preventDefault();
  busy(true);
  try {
    await pair($("line").value);
  } catch (error) {
    busy(false);
    return trouble(error.kind, error.message);
  }
  await perform(last);
};
for (const button of $("menu").querySelectorAll("button")) button.onclick = () => perform({ act: button.dataset.act, view: button.dataset.view });
chrome.runtime.onMessage.addListener((message, sender) => {
  if (message.progress && sender.tab?.id === tab.id) $("said").textContent = `${message.progress}…`;
});

$("command").textContent = command((await settings()).address);
const offered = await offer();
busy(true);
const now = offered ? null : await state();
if (offered) propose(offered);
else if (now && now.mode !== "none") {
  draw(now);
  busy(false);
} else await perform(last);

/** The line of the service whose viewer is open in this tab, which knows its token; null if we have it already. */
async function offer() {
  const { protocol, hostname, origin } = new URL(tab.url ?? "about:blank");
  if (protocol !== "http:" || !["127.0.0.1", "localhost"].includes(hostname)) return null;
  try {
    const func = () => sessionStorage.getItem("dehusk-token");
    const [{ result }] = await chrome.scripting.executeScript({ target: { tabId: tab.id }, func });
    const line = `${origin}/#token=${result ?? ""}`;
    const [given, known] = [readPairing(line), await settings()];
    return given.address === known.address && given.token === known.token ? null : line;
  } catch {
    return null; // no page, or a page without a token
  }
}

/** Asks whether to pair. A page of another local program could offer itself, so a click is needed. */
function propose(line) {
  $("offer").hidden = false;
  $("status").hidden = $("menu").hidden = true;
  $("there").textContent = new URL(line).host;
  $("accept").onclick = () => accept(line);
  $("accept").focus();
  busy(false);
}

async function accept(line) {
  busy(true);
  try {
    const { version } = await call("GET", "/api/status", undefined, readPairing(line));
    await pair(line); // only now: the user may close the menu while a program that is not dehusk does not answer
    $("said").textContent = `Paired with dehusk ${version}. Open a page, and click the button again.`;
    $("status").hidden = false;
  } catch (error) {
    trouble(error.kind, error.message);
  }
  $("offer").hidden = true;
  document.body.dataset.ready = "yes";
}

/** The state of the content script, or null if there is none. */
async function state() {
  try {
    return (await chrome.tabs.sendMessage(tab.id, { act: "state" }, TOP)).value;
  } catch {
    return null;
  }
}

async function perform(message) {
  last = message;
  trouble(null);
  busy(true);
  try {
    await settle();
    $("said").textContent = "Reading the page…";
    const answer = await chrome.tabs.sendMessage(tab.id, message, TOP).catch(() => ({ error: { kind: "gone" } }));
    if (answer.error) return trouble(answer.error.kind, answer.error.text);
    if (message.act === "reset") for (const style of STYLES) await chrome.scripting.removeCSS({ target: { tabId: tab.id }, ...style });
    inFrames(message); // without waiting: a frame may never answer
    draw(answer.value);
    if (message.act === "fix") close();
  } catch (error) {
    trouble("notallowed", error.message);
  } finally {
    busy(false);
  }
}

/** Injects our styles into the page, and our scripts if they are not there yet. */
async function settle() {
  for (const style of STYLES) await chrome.scripting.insertCSS({ target: { tabId: tab.id }, ...style });
  if (!(await state())) await chrome.scripting.executeScript({ target: { tabId: tab.id }, files: SCRIPTS });
}

/** Does the same in the frames of the page that are of the same site and large enough to read. */
async function inFrames(message) {
  if (!["show", "reset"].includes(message.act)) return;
  const func = () => ({ origin: location.origin, area: innerWidth * innerHeight });
  const all = await chrome.scripting.executeScript({ target: { tabId: tab.id, allFrames: true }, func, injectImmediately: true }).catch(() => []);
  const { origin } = all.find(({ frameId }) => frameId === TOP.frameId)?.result ?? {};
  const own = all.filter(({ frameId, result }) => frameId !== TOP.frameId && result?.origin === origin && result.area >= SMALLEST_FRAME);
  await Promise.allSettled(own.slice(0, MOST_FRAMES).map(({ frameId }) => inFrame(frameId, message)));
}

async function inFrame(frameId, message) {
  const target = { tabId: tab.id, frameIds: [frameId] };
  for (const style of STYLES) await chrome.scripting[message.act === "reset" ? "removeCSS" : "insertCSS"]({ target, ...style });
  const is = await chrome.tabs.sendMessage(tab.id, { act: "state" }, { frameId }).catch(() => null);
  if (!is && message.act === "reset") return;
  if (!is) await chrome.scripting.executeScript({ target, files: SCRIPTS });
  await chrome.tabs.sendMessage(tab.id, message, { frameId });
}

function busy(on) {
  document.body.dataset.ready = on ? "" : "yes";
  for (const button of $("menu").querySelectorAll("button")) button.disabled = on;
  if (on) $("said").textContent = "Waiting for the page: it is still loading, or busy…"; // a moment, unless it is
}

function draw({ mode, said, skipped, share, site, warnings, compared, loaded, votes, parts }) {
  for (const button of $("menu").querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", button.dataset.view === mode);
  const judged = share !== null && mode !== "changes" && mode !== "none";
  $("share").hidden = !judged;
  $("percent").textContent = judged ? `${Math.round(share * 100)}%` : "";
  $("said").textContent = said;
  const alone = compared && warnings.some(text => ALONE.test(text));
  const by = votes ? `By ${votes} of ${counted(compared, "vote")}; ${counted(loaded, "page")} loaded; not saved.` : site ? `With the template of ${site}.` : !compared ? "Not saved." : alone ? `Judged by itself: ${counted(compared, "linked page")} did not help (a copy, or another template); not saved.` : `Compared with ${counted(compared, "linked page")}; not saved.`;
  const lost = skipped ? [`${counted(skipped, "place")} changed meanwhile and ${skipped === 1 ? "is" : "are"} not shown.`] : [];
  $("more").textContent = judged ? [by, `${counted(parts, "part")}.`, ...lost, ...warnings.filter(text => !(alone && ALONE.test(text))).map(sentence)].join(" ") : "";
}

function counted(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** Shows an error with advice; hides the menu if it would not help. A kind of null hides the error. */
function trouble(kind, text) {
  $("trouble").hidden = kind === null;
  $("status").hidden = kind !== null;
  $("menu").hidden = ["down", "token", "address", "notallowed", "notpage"].includes(kind);
  if (kind === null) return;
  const { title, advice = "", start = false, pairing = false, final = false } = TROUBLES[kind] ?? TROUBLES.failed;
  $("problem").textContent = title;
  $("advice").textContent = kind === "notallowed" ? advice : [text, advice].filter(Boolean).join(" ");
  $("start").hidden = !start;
  $("pairing").hidden = !pairing;
  $("again").hidden = final || pairing;
}
