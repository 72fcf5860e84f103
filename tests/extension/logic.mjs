// Tests without a browser: reading settings, and the requests that the background accepts from a content script.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const EXTENSION = new URL("../../src/dehusk/extension/", import.meta.url);
const ORIGIN = "http://shop.test";

let listener;
let requests = [];
let answers = {};
const memory = { local: { token: "secret-token" }, session: {} };
const area = name => ({
  get: async keys => Object.fromEntries([keys].flat().filter(key => key in memory[name]).map(key => [key, memory[name][key]])),
  set: async values => Object.assign(memory[name], values),
  remove: async () => {},
});
globalThis.chrome = {
  runtime: { id: "us", onMessage: { addListener: given => (listener = given) } },
  storage: { local: area("local"), session: area("session") },
  tabs: { onRemoved: { addListener: () => {} } },
};
let proved = (address, nonce) => createHmac("sha256", memory.local.token).update(`dehusk ${address} ${nonce}`).digest("hex");
globalThis.fetch = async (url, { method, headers, body }) => {
  const { host, pathname, searchParams } = new URL(url);
  if (pathname === "/hello") {
    assert.equal(headers, undefined); // the token is not sent before the proof
    return new Response(JSON.stringify({ proof: proved(host, searchParams.get("nonce")) }));
  }
  requests.push({ url, method, headers, body: body && JSON.parse(body) });
  const { status = 200, ...answer } = answers[new URL(url).pathname] ?? {};
  return new Response(JSON.stringify(answer), { status });
};

const { readAddress, readPairing } = await import(new URL("service.js", EXTENSION));
await import(new URL("background.js", EXTENSION));

/** The reply of the background to a content script. */
function ask(question, about, { incognito = false, id = "us", tab = { id: 7, incognito } } = {}) {
  requests = [];
  return new Promise(resolve => {
    if (!listener({ ask: question, about }, { id, tab, url: `${ORIGIN}/page.html` }, resolve)) resolve(null);
  });
}

const page = { html: "<p>Text", url: `${ORIGIN}/page.html` };

test("the service must be on this computer", () => {
  assert.equal(readAddress(" http://127.0.0.1:8377/ "), "http://127.0.0.1:8377");
  assert.equal(readAddress("http://localhost:9000/x"), "http://127.0.0.1:9000");
  for (const bad of ["http://example.org:8377", "https://127.0.0.1:8377", "http://127.0.0.1.example.org", "http://127.0.0.1@example.org", "http://a@127.0.0.1:1", "ftp://127.0.0.1", "8377", ""]) {
    assert.throws(() => readAddress(bad), { kind: "address" }, bad);
  }
});

test("the printed line has the address and the token", () => {
  assert.deepEqual(readPairing("http://127.0.0.1:8377/#token=Ab_c-1"), { address: "http://127.0.0.1:8377", token: "Ab_c-1" });
  assert.deepEqual(readPairing("  Ab_c-1234 "), { token: "Ab_c-1234" });
  for (const bad of ["", "no token", "http://example.org/#token=abc"]) assert.throws(() => readPairing(bad), { kind: "address" }, bad);
});

test("a page's script never gets the token, and asks only known questions", async () => {
  assert.equal(await ask("settings", {}), null);
  assert.equal(await ask("constructor", {}), null);
  assert.equal(await ask("mark", page, { id: "another extension" }), null);
  assert.equal(await ask("mark", page, { tab: null }), null);
  assert.ok(!JSON.stringify(await ask("mark", page)).includes("secret-token"));
  assert.equal(requests[0].headers.Authorization, "Bearer secret-token");
});

test("a page speaks of its own site only", async () => {
  const other = { html: "<p>Other", url: "http://bank.test/" };
  assert.equal((await ask("mark", other)).error.kind, "failed");
  assert.equal((await ask("template", { ...page, pages: [other] })).error.kind, "failed");
  assert.deepEqual(requests, []);
});

test("a template by votes is asked for by the method's name, and is never saved", async () => {
  answers = { "/api/template": { votes: 2 } };
  await ask("template", { ...page, pages: [page], votes: true, save: true });
  assert.equal(requests[0].body.method, "etdm");
  assert.equal("save" in requests[0].body, false);
  await ask("template", { ...page, pages: [page] });
  assert.equal("method" in requests[0].body, false);
});

test("in a private window nothing is kept and nothing is saved", async () => {
  answers = { "/api/visit": { first: true } };
  assert.equal((await ask("visit", page)).value.private, false);
  assert.equal(requests[0].body.private, false);
  assert.equal((await ask("visit", { ...page, private: false }, { incognito: true })).value.private, true);
  assert.equal(requests[0].body.private, true);
  assert.equal((await ask("template", { ...page, pages: [page], save: true }, { incognito: true })).error.kind, "private");
  assert.equal((await ask("save", { path: "body", keep: true }, { incognito: true })).error.kind, "private");
  assert.deepEqual(requests, []);
});

test("only the site by whose template a page was judged can be corrected from it", async () => {
  memory.session = {};
  assert.match((await ask("save", { path: "body > p", keep: true })).error.text, /Save the template first/);
  answers = { "/api/mark": { template: "shop.test" } };
  await ask("mark", page);
  await ask("save", { path: "body > p", keep: true, site: "bank.test" });
  assert.equal(requests[0].url, "http://127.0.0.1:8377/api/sites/shop.test/edits");
  assert.deepEqual(requests[0].body, { path: "body > p", keep: true, scope: "site", by: "browser extension", why: "" });
  await ask("undo", { id: "../../learn" });
  assert.equal(requests[0].url, "http://127.0.0.1:8377/api/sites/shop.test/edits/..%2F..%2Flearn");
});

test("each failure has a kind that the menu knows", async () => {
  const kinds = { 401: "token", 413: "large", 503: "busy", 504: "busy", 422: "failed", 500: "failed" };
  for (const [status, kind] of Object.entries(kinds)) {
    answers = { "/api/mark": { status: Number(status), error: "wrong; do this" } };
    const text = status === "401" ? "The service does not accept the token of the extension." : "Wrong; do this.";
    assert.deepEqual((await ask("mark", page)).error, { kind, text });
  }
  const working = globalThis.fetch;
  globalThis.fetch = async () => {
    throw new TypeError("refused");
  };
  assert.equal((await ask("mark", page)).error.kind, "down");
  globalThis.fetch = working;
});

test("nothing is sent to a program that does not know the token, or passes on the proof of another address", async () => {
  const right = proved;
  const strangers = { none: () => undefined, empty: () => "", echo: (address, nonce) => nonce, between: (address, nonce) => right("127.0.0.1:9000", nonce), again: () => right("127.0.0.1:8377", "0".repeat(32)) };
  for (const [name, stranger] of Object.entries(strangers)) {
    proved = stranger;
    const { error } = await ask("mark", page);
    assert.equal(error.kind, "token", name);
    assert.match(error.text, /does not know the token/);
    assert.deepEqual(requests, [], name);
  }
  proved = right;
  assert.equal((await ask("limits", {})).error, undefined);
});

test("what a program says that does not know the token is not shown, and not read to its end", async () => {
  const working = globalThis.fetch;
  for (const status of [400, 401, 413, 500, 503]) {
    globalThis.fetch = async () => new Response(JSON.stringify({ error: "paste your token at evil.test" }), { status });
    const { error } = await ask("mark", page);
    assert.equal(error.kind, status === 503 ? "busy" : "token");
    assert.doesNotMatch(error.text, /evil/);
  }
  for (const said of ["null", "5", "[]", '{"proof":5}', "<h1>Hello"]) {
    globalThis.fetch = async () => new Response(said);
    assert.equal((await ask("mark", page)).error.kind, "token", said);
  }
  let sent = 0;
  const endless = { pull: to => to.enqueue(new Uint8Array(100).fill(32 + (sent++ % 2))) };
  globalThis.fetch = async () => new Response(new ReadableStream(endless));
  assert.equal((await ask("mark", page)).error.kind, "token");
  assert.ok(sent < 50, `${sent} pieces were read`);
  globalThis.fetch = working;
});

test("places are named as the package names them", () => {
  const context = vm.createContext({ dehusk: { get: (element, name) => element[name] }, CSS: { escape: name => name.replace(/[^\w-]/g, "\\$&") } });
  vm.runInContext(readFileSync(new URL("page/places.js", EXTENSION), "utf-8"), context);
  const body = { localName: "body", id: "", classList: ["home"], parentElement: null };
  const below = (parentElement, localName, id, ...classList) => ({ localName, id, classList, parentElement });
  for (const [names, step] of JSON.parse(process.env.STEPS)) {
    const element = below(body, "div", names.id ?? "", ...(names.class ?? "").split(" ").filter(Boolean));
    assert.equal(context.dehusk.places.kind(element), `body > ${step}`);
  }
});
