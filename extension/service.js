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
  return url.origin;
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

/** Reads and saves the token, and the address if there is one. */
export async function pair(text) {
  const given = readPairing(text);
  await chrome.storage.local.set(given);
  return given;
}

/** Sends a request and returns the JSON response. Every failure is a ServiceError. */
export async function call(method, path, body) {
  const { address, token } = await settings();
  if (!token) throw new ServiceError("token", "The extension does not have the token of the service yet.");
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
    throw new ServiceError("down", `No service answers at ${address}.`);
  }
  return read(response, address);
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
