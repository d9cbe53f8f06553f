/** Parses URLs that users write. */

import { Refused } from "./errors";

/**
 * Throws {@link Refused} for other protocols, and for a URL with a user or password, because messages print the URL.
 */
export function parseUrl(text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const expected = `expected one that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;
  if (url === undefined || !protocols.includes(url.protocol) || url.hostname === "") {
    throw new Refused(`found a URL that begins with ${JSON.stringify(text.slice(0, 12))}; ${expected}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new Refused(`found a user or a password in the URL of ${url.host}; expected them in auth`);
  }
  return url;
}
