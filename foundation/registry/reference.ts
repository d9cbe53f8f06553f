/** Image references. */

import { Refused } from "../net/errors";

export interface Repository {
  /** Host with an optional port. */
  readonly registry: string;
  /** Path in the registry. */
  readonly repository: string;
}

export interface Reference extends Repository {
  /** Default: `latest`, if there is no digest either. */
  readonly tag?: string;
  /** Takes precedence over the tag. */
  readonly digest?: string;
}

const HOST = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(:[0-9]{1,5})?$/i;
const PATH = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(\/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
export const DIGEST = /^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

/** The registry of references that name none. */
export const DOCKER_HUB = "docker.io";

/** Parses `[registry/]path[:tag][@digest]`. Throws {@link Refused}. */
export function parseReference(text: string): Reference {
  const at = text.indexOf("@");
  const digest = at < 0 ? undefined : text.slice(at + 1);
  const named = at < 0 ? text : text.slice(0, at);
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  const repository = parseRepository(colon < 0 ? named : named.slice(0, colon));
  const legal =
    repository !== undefined && (tag === undefined || TAG.test(tag)) && (digest === undefined || DIGEST.test(digest));
  if (!legal) {
    const expected = "expected [registry/]path[:tag][@sha256:…], the path in lower case";
    throw new Refused(`ref: found ${JSON.stringify(text.slice(0, 200))}; ${expected}`);
  }
  if (digest !== undefined) return { ...repository, ...(tag === undefined ? {} : { tag }), digest };
  return { ...repository, tag: tag ?? "latest" };
}

function parseRepository(text: string): Repository | undefined {
  const slash = text.indexOf("/");
  const first = text.slice(0, Math.max(slash, 0));
  const hosted = slash > 0 && (/[.:]/.test(first) || first === "localhost");
  const registry = hosted ? first : DOCKER_HUB;
  const path = hosted ? text.slice(slash + 1) : text;
  const hub = registry === DOCKER_HUB || registry === "index.docker.io";
  const repository = hub && !path.includes("/") ? `library/${path}` : path;
  if (!HOST.test(registry) || !PATH.test(repository) || repository.length > 255) return undefined;
  return { registry: hub ? DOCKER_HUB : registry.toLowerCase(), repository };
}

/** The same repository on a mirror. `mirror` is `host[:port][/path]`; the repository's path follows it. */
export function onMirror(mirror: string, { repository }: Repository): Repository {
  const [registry = "", ...path] = mirror.split("/");
  const mirrored = [...path, repository].join("/");
  if (HOST.test(registry) && PATH.test(mirrored)) return { registry: registry.toLowerCase(), repository: mirrored };
  throw new Refused(
    `mirrors: found ${JSON.stringify(mirror.slice(0, 200))}; expected host[:port][/path], without https://`,
  );
}

export const describeReference = ({ registry, repository, tag, digest }: Reference): string =>
  `${registry}/${repository}${digest === undefined ? `:${tag ?? "latest"}` : `@${digest.slice(0, 19)}…`}`;
