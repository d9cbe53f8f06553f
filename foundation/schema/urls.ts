/** Rules for the URLs in the config. Each check answers undefined when all is well, else a hint or an empty text. */

/** What the longest provision id in a host name may add. */
export const LONGEST_PROVISION_ID = 40;

const STAND_IN = "0".repeat(LONGEST_PROVISION_ID);
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether `name` can be the host of an Ingress: lowercase DNS-1123 labels, 253 characters at most. */
export function isHostname(name: string): boolean {
  return name.length <= 253 && name.split(".").every((label) => LABEL.test(label));
}

function parse(text: string): URL | undefined {
  if (!/^https?:\/\/\S+$/i.test(text)) return undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Scheme, host and port of a runtime, written in the one way that a URL parser writes it: hosts are distinguished by it. */
export function checkHost(text: string): string | undefined {
  const url = parse(text);
  if (url === undefined) return "";
  const name = url.hostname;
  if (!isHostname(name) && !name.startsWith("[")) return "";
  return url.origin === text ? undefined : `did you mean ${url.origin}`;
}

/**
 * Scheme and host name with at least one `*` that a provision id takes the place of. No port: it becomes the host of
 * Ingresses, which have none, and the ping asks where the Ingress serves.
 */
export function checkWildcardHost(text: string): string | undefined {
  const parts = /^(https?:\/\/)([^/?#@:\s]+)(:[1-9][0-9]{0,4})?$/.exec(text);
  if (parts === null) return parse(text.replaceAll("*", STAND_IN)) === undefined ? "" : withoutPath(text);
  const [, scheme = "", name = "", port = ""] = parts;
  if (!name.includes("*")) return `did you mean ${scheme}*.${name}`;
  if (port !== "") {
    const why = "an Ingress has no port, it serves on those of its controller, where the ping asks too";
    return `${why}: did you mean ${scheme}${name}`;
  }
  // The last label decides whether a name is read as an address, so it must not depend on an id.
  const filled = name.replaceAll("*", STAND_IN);
  const legal = isHostname(filled) && !/\*[^.]*$/.test(name) && parse(`${scheme}${filled}`)?.hostname === filled;
  return legal ? undefined : "";
}

/** What is left of a URL without user, path, query and fragment, where that is an answer. */
function withoutPath(text: string): string {
  const origin = /^https?:\/\/[^/?#@\s]+/.exec(text.toLowerCase())?.[0];
  return origin !== undefined && origin !== text && checkWildcardHost(origin) === undefined
    ? `did you mean ${origin}`
    : "";
}

/** Any http or https URL without user, query and fragment; `*` may stand in its host and path. */
export function checkAudience(text: string): string | undefined {
  const url = parse(text.replaceAll("*", "0"));
  const clean = url !== undefined && !/[?#@\s]/.test(text) && url.hostname !== "";
  return clean ? undefined : "";
}

/** A PostgreSQL URL that names a database; over a socket the host is in the query. */
export function isPostgresUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  const host = url.hostname !== "" || url.searchParams.has("host");
  return host && url.pathname.length > 1 && url.hash === "";
}
