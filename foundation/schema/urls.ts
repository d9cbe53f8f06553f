/** Checks the URLs in the config. Each check returns undefined for a valid URL, else a hint, or "" for none. */

/** Length reserved in host names for the longest provision id. */
export const LONGEST_PROVISION_ID = 40;

const STAND_IN = "0".repeat(LONGEST_PROVISION_ID);
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether a text is no URL with a password. */
export const hasNoPassword = (text: string): boolean => !URL.canParse(text) || new URL(text).password === "";

/** Whether `name` can be the host of an Ingress: lowercase DNS-1123 labels, at most 253 characters. */
export function isHostname(name: string): boolean {
  return name.length <= 253 && name.split(".").every((label) => LABEL.test(label));
}

function parse(text: string): URL | undefined {
  if (!/^https?:\/\/\S+$/i.test(text)) return undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Checks scheme, host and port of a runtime. Hosts are compared as text, so only the normalized form is valid. */
export function checkHost(text: string): string | undefined {
  const url = parse(text);
  if (url === undefined) return "";
  const name = url.hostname;
  if (!isHostname(name) && !name.startsWith("[")) return "";
  return url.origin === text ? undefined : `did you mean ${url.origin}`;
}

/**
 * Checks a scheme and a host name with at least one `*`, which stands for the provision id. A port is not allowed: the
 * host becomes the host of Ingresses, which have no port, and the ping uses the port of the Ingress controller.
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
  // The last label decides whether a name is parsed as an IP address, so it must not contain an id.
  const filled = name.replaceAll("*", STAND_IN);
  const legal = isHostname(filled) && !/\*[^.]*$/.test(name) && parse(`${scheme}${filled}`)?.hostname === filled;
  return legal ? undefined : "";
}

/** Suggests the URL without user, path, query and fragment, if that is valid. */
function withoutPath(text: string): string {
  const origin = /^https?:\/\/[^/?#@\s]+/.exec(text.toLowerCase())?.[0];
  return origin !== undefined && origin !== text && checkWildcardHost(origin) === undefined
    ? `did you mean ${origin}`
    : "";
}

/** Checks an http or https URL without user, query and fragment. `*` is allowed in its host and path. */
export function checkAudience(text: string): string | undefined {
  const url = parse(text.replaceAll("*", "0"));
  const clean = url !== undefined && !/[?#@\s]/.test(text) && url.hostname !== "";
  return clean ? undefined : "";
}

/** Whether the text is a PostgreSQL URL that names a database. For a Unix socket, the host is in the query. */
export function isPostgresUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  const host = url.hostname !== "" || url.searchParams.has("host");
  return host && url.pathname.length > 1 && url.hash === "";
}
