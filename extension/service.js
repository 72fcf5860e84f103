// The local service: where it is, and how it is asked. Only pages of the extension import this, so no web page sees the token.

const DEFAULT_ADDRESS = "http://127.0.0.1:8377";
const LOOPBACK = ["127.0.0.1", "localhost"];
const PATIENCE_MS = 40_000; // a little more than the service takes at most

/** An error with a kind that the popup has an answer for: down, token, large, busy, failed, address. */
export class ServiceError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** The address of a service on this computer. Anything else is refused: pages must not leave the machine. */
export function readAddress(text) {
  let url;
  try {
    url = new URL(text.trim());
  } catch {
    throw new ServiceError("address", `“${text.trim()}” is no address. It looks like ${DEFAULT_ADDRESS}.`);
  }
  if (url.protocol !== "http:" || !LOOPBACK.includes(url.hostname) || url.username || url.password) {
    throw new ServiceError("address", `The service must be on this computer: http://127.0.0.1 or http://localhost, with its port. Not ${url.origin}.`);
  }
  return url.origin;
}

/** Address and token from the line that `dehusk serve` prints, or the token alone. */
export function readPairing(text) {
  const found = text.match(/(https?:\/\/\S+?)\/?#token=([\w.~-]+)/);
  if (found) return { address: readAddress(found[1]), token: found[2] };
  const token = text.trim();
  if (/^[\w.~-]{8,}$/.test(token)) return { token };
  throw new ServiceError("address", "Paste the whole line that dehusk serve prints: it has #token= in it.");
}

export async function settings() {
  return { address: DEFAULT_ADDRESS, token: "", ...(await chrome.storage.local.get(["address", "token"])) };
}

/** Saves an address, a token or both. */
export async function pair(text) {
  const given = readPairing(text);
  await chrome.storage.local.set(given);
  return given;
}

/** What the service answers, as JSON. Every failure is a ServiceError. */
export async function call(method, path, body) {
  const { address, token } = await settings();
  if (!token) throw new ServiceError("token", "The extension does not know the service's token yet.");
  let response;
  try {
    response = await fetch(readAddress(address) + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) },
      body: body && JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    if (error.name === "TimeoutError") throw new ServiceError("busy", "The service did not answer in time. Try again.");
    throw new ServiceError("down", `Nothing answers at ${address}.`);
  }
  return read(response, address);
}

/** A line of the service as a sentence. */
export const sentence = text => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

async function read(response, address) {
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  const said = answer?.error && sentence(answer.error);
  if (response.status === 401) throw new ServiceError("token", "The service refuses the token that the extension has.");
  if (response.status === 413) throw new ServiceError("large", said ?? "This page is too large for the service.");
  if (response.status === 503 || response.status === 504) throw new ServiceError("busy", said ?? "The service is busy. Try again.");
  throw new ServiceError("failed", said ?? `What answers at ${address} is not dehusk serve (status ${response.status}).`);
}
