// Forwards requests from the content script to the service. The content script chooses a request and its subject. The
// address, the token, the site that may be edited and the private mode are decided here, so a page cannot change them.

import { ServiceError, call } from "./service.js";

const WORD_OF_USER = "browser extension";

const page = ({ html, url }) => ({ html: String(html), url });
const trial = ({ path, keep, scope }) => ({ path: String(path), keep: Boolean(keep), scope: scope === "family" ? "family" : "site" });
const edit = said => ({ ...trial(said), ...(said.scope === "family" && said.family && { family: String(said.family) }) });

// The allowed requests: each takes what the content script sent, and what is known about its tab.
const QUESTIONS = {
  limits: () => call("GET", "/api/status").then(status => status.limits),
  mark: async (said, tab) => known(tab, await call("POST", "/api/mark", { ...page(said), ...(said.trial && { trial: said.trial.map(trial) }) })),
  candidates: said => call("POST", "/api/candidates", { ...page(said), limit: said.limit }),
  template: async (said, tab) => {
    if (said.save) refuseIfPrivate(tab);
    const pages = said.pages.map(one => page(ofSameOrigin(one, tab)));
    const view = await call("POST", "/api/template", { ...page(said), pages, ...(said.votes ? { method: "etdm" } : { save: Boolean(said.save) }) });
    return said.save ? known(tab, view) : view;
  },
  visit: async (said, tab) => ({ ...(await call("POST", "/api/visit", { ...page(said), private: tab.incognito })), private: tab.incognito }),
  preview: async (said, tab) => call("POST", await edits(tab, "preview"), edit(said)),
  edits: async (said, tab) => call("GET", await edits(tab)),
  save: async (said, tab) => {
    refuseIfPrivate(tab);
    return call("POST", await edits(tab), { ...edit(said), by: WORD_OF_USER, why: String(said.why ?? "") });
  },
  off: (said, tab) => chrome.tabs.sendMessage(tab.id, { act: "reset" }).then(() => null),
  undo: async (said, tab) => call("DELETE", `${await edits(tab)}/${encodeURIComponent(said.id)}`),
};

chrome.runtime.onMessage.addListener((message, sender, reply) => {
  if (sender.id !== chrome.runtime.id || !sender.tab || !Object.hasOwn(QUESTIONS, message.ask)) return false;
  answer(message, sender).then(
    value => reply({ value }),
    error => reply({ error: { kind: error.kind ?? "failed", text: error.message } }),
  );
  return true;
});

// Neither pages nor content scripts may read the token.
chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });
chrome.tabs.onRemoved.addListener(id => chrome.storage.session.remove(key(id)));

async function answer(message, sender) {
  const tab = { id: sender.tab.id, incognito: sender.tab.incognito, origin: new URL(sender.url).origin };
  const said = message.about ?? {};
  if (said.url !== undefined) ofSameOrigin(said, tab);
  return QUESTIONS[message.ask](said, tab);
}

function ofSameOrigin(one, tab) {
  if (new URL(one.url).origin !== tab.origin) throw new ServiceError("failed", "A page may only ask about its own site.");
  return one;
}

function refuseIfPrivate(tab) {
  if (tab.incognito) throw new ServiceError("private", "Nothing is saved from private windows.");
}

const key = id => `site of tab ${id}`;

/** Remembers the site whose template was used for the tab. The tab may edit only this site. */
async function known(tab, view) {
  await chrome.storage.session.set({ [key(tab.id)]: { origin: tab.origin, site: view.template } });
  return view;
}

async function edits(tab, what = "edits") {
  const found = (await chrome.storage.session.get(key(tab.id)))[key(tab.id)];
  if (!found?.site || found.origin !== tab.origin) throw new ServiceError("failed", "Save the template first: corrections are part of it.");
  return `/api/sites/${encodeURIComponent(found.site)}/${what}`;
}
