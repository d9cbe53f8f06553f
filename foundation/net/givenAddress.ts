/** Checks addresses that users write into config. Pure. */

import { isIP } from "node:net";

const SECRET_PARAMETER = /token|secret|password|passwd|signature|credential|api-?key|^sig$/i;

/**
 * Whether a URL, a location for git or an image reference contains a user with a password, a token as a user, or a
 * query parameter for a secret. Addresses are printed, and states store them in plain text.
 */
export function holdsSecret(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return /^[^/@]*:[^/@]*@(?!sha\d+:)/.test(text);
  const [, user] = /^[^/]+:\/\/([^/?#]*)@/.exec(text) ?? [];
  const isSsh = /^ssh:/i.test(text);
  if (user !== undefined && (!isSsh || user.includes(":"))) return true;
  const query = /\?([^#]*)/.exec(text)?.[1] ?? "";
  return [...new URLSearchParams(query).keys()].some((name) => SECRET_PARAMETER.test(name));
}

/** Whether `host:port`, `host` or an http(s) URL of them names a host that can exist, and a port from 1 to 65535. */
export function isEndpoint(text: string): boolean {
  const [, host = "", port] = /^(?:https?:\/\/)?([A-Za-z0-9.-]+)(?::(\d{1,5}))?\/?$/.exec(text) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false;
  // Four numbers would be an address; a name never ends with a number.
  if (/(^|\.)\d+$/.test(host)) return isIP(host) === 4;
  return (
    host.length <= 253 && host.split(".").every((label) => /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label))
  );
}
