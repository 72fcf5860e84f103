// The client of the local service. Only pages of the extension import this, so no web page sees the token.

const DEFAULT_ADDRESS = "http://127.0.0.1:8377";
const LOOPBACK = ["127.0.0.1", "localhost"];
const PATIENCE_MS = 40_000; // a little more than the time limit of the service

/** An error with a kind, for which the popup has advice: down, token, large, busy, failed, address. */
export class ServiceError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** The address of a service on this computer. Other addresses are refused, because pages must not leave the computer. */
export function readAddress(text) {
  let url;
  try {
    url = new URL(text.trim());
  } catch {
    throw new ServiceError("address", `“${text.trim()}” is not an address. An address looks like ${DEFAULT_ADDRESS}.`);
  }
  if (url.protocol !== "http:" || !LOOPBACK.includes(url.hostname) || url.username || url.password) {
    throw new ServiceError("address", `The service must be on this computer: http://127.0.0.1 or http://localhost, with its port. ${url.origin} is not.`);
  }
  return `http://${LOOPBACK[0]}${url.port && `:${url.port}`}`; // another program may listen at the IPv6 address of localhost
}

/** Address and token from the line that `dehusk serve` prints, or the token alone. */
export function readPairing(text) {
  const found = text.match(/(https?:\/\/\S+?)\/?#token=([\w.~-]+)/);
  if (found) return { address: readAddress(found[1]), token: found[2] };
  const token = text.trim();
  if (/^[\w.~-]{8,}$/.test(token)) return { token };
  throw new ServiceError("address", "Paste the whole line that dehusk serve prints. It contains #token=.");
}

export async function settings() {
  return { address: DEFAULT_ADDRESS, token: "", ...(await chrome.storage.local.get(["address", "token"])) };
}

/** The command that starts the service at an address. */
export function command(address) {
  const port = new URL(readAddress(address)).port || "80";
  return port === new URL(DEFAULT_ADDRESS).port ? "dehusk serve" : `dehusk serve --port ${port}`;
}

/** Reads and saves the token, and the address if there is one. */
export async function pair(text) {
  const given = readPairing(text);
  await chrome.storage.local.set(given);
  return given;
}

/** Sends a request and returns the JSON response. Every failure is a ServiceError. */
export async function call(method, path, body, given) {
  const { address: where, token } = given ?? (await settings());
  const address = readAddress(where);
  if (!token) throw new ServiceError("token", "The extension does not have the token of the service yet.");
  await recognize(address, token);
  const headers = { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) };
  return read(await send(address, path, { method, headers, body: body && JSON.stringify(body) }), address);
}

/**
 * Throws unless the program at the address knows the token: any program may listen there while dehusk serve does not run, and
 * must get neither the token nor a page. It proves this with a hash of the token, of a number that we draw, and of the address
 * at which it was asked. So a program in between, at another address, cannot pass on the proof of the service.
 */
async function recognize(address, token) {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  const response = await send(address, `/hello?nonce=${nonce}`, { method: "GET" });
  const proof = await proofOf(response);
  if (response.status === 503) throw new ServiceError("busy", "The service is busy. Try again."); // what it says itself may be anything
  if (!response.ok) throw new ServiceError("token", `The server at ${address} is not dehusk serve (status ${response.status}).`);
  const { hostname, port } = new URL(address);
  const bytes = text => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", bytes(token), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const expected = hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(`dehusk ${hostname}:${port || 80} ${nonce}`))));
  if (proof !== expected) throw new ServiceError("token", `The program at ${address} does not know the token: dehusk has a new one, or this is another program. Nothing was sent to it.`);
}

/** The proof in an answer, undefined if there is none. Reads a little only: a program that does not know the token may send without end. */
async function proofOf(response) {
  try {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let piece = await reader.read(); !piece.done && text.length < 1000; piece = await reader.read()) text += piece.value;
    reader.cancel().catch(() => {});
    return JSON.parse(text).proof;
  } catch {
    return undefined; // no answer, or none of ours
  }
}

const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");

async function send(address, path, request) {
  try {
    return await fetch(address + path, {
      ...request,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    if (error.name === "TimeoutError") throw new ServiceError("busy", "The service did not answer in time. Try again.");
    throw new ServiceError("down", `No service answers at ${address}.`);
  }
}

/** Turns a message of the service into a sentence. */
export const sentence = text => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

async function read(response, address) {
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  const said = answer?.error && sentence(answer.error);
  if (response.status === 401) throw new ServiceError("token", "The service does not accept the token of the extension.");
  if (response.status === 413) throw new ServiceError("large", said ?? "This page is too large for the service.");
  if (response.status === 503 || response.status === 504) throw new ServiceError("busy", said ?? "The service is busy. Try again.");
  throw new ServiceError("failed", said ?? `The server at ${address} is not dehusk serve (status ${response.status}).`);
}
