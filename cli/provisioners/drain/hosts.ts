import { nearest } from "../../../foundation/text/nearest";
import { Failure } from "../../../foundation/errors";
import type { StackFile } from "../../../engine/stack/file";
import { isObject } from "../../../foundation/json/isObject";

const KEY = "stackyard:provisioners";

/** Position of a host in the provisioner set; a host may be in several pools. */
interface HostPosition {
  readonly provisioner: string;
  /** Index in the list `spec.runtimes`. */
  readonly index: number;
}

/** The lists of hosts of all provisioners with a pool in the file. */
function hostLists(file: StackFile): (readonly [provisioner: string, hosts: readonly unknown[]])[] {
  const set = file.config(KEY);
  return Object.entries(isObject(set) ? set : {}).flatMap(([name, one]) => {
    const spec = isObject(one) ? one.spec : undefined;
    const hosts = isObject(spec) ? spec.runtimes : undefined;
    return Array.isArray(hosts) ? [[name, hosts] as const] : [];
  });
}

const urlOf = (host: unknown): string => (isObject(host) && typeof host.host === "string" ? host.host : "");

/** Returns the positions of a host. Throws, listing the known hosts, if it has none. */
export function placesOf(file: StackFile, host: string): HostPosition[] {
  const lists = hostLists(file);
  const places = lists.flatMap(([provisioner, hosts]) =>
    hosts.flatMap((one, index) => (urlOf(one) === host ? [{ provisioner, index }] : [])),
  );
  if (places.length > 0) return places;
  const known = [...new Set(lists.flatMap(([, hosts]) => hosts.map(urlOf)))];
  const near = nearest(host, known);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  throw new Failure(
    `host: found ${JSON.stringify(host)}; expected a host of a static provisioner in ${file.file}: ` +
      `${known.join(", ") || "(there are none)"}${meant}`,
  );
}

/** Sets `drain` of the host at these positions; the default false is not written. */
export function setDrain(file: StackFile, places: readonly HostPosition[], drain: boolean): void {
  for (const { provisioner, index } of places) {
    const set = file.config(KEY) as Record<string, { spec: { runtimes: Record<string, unknown>[] } }>;
    const one = set[provisioner];
    if (one === undefined) continue;
    const runtimes = one.spec.runtimes.map((host, at) => {
      if (at !== index || (host.drain === true) === drain) return host;
      return { ...host, drain: drain ? true : undefined };
    });
    file.setConfig(KEY, { ...set, [provisioner]: { ...one, spec: { ...one.spec, runtimes } } });
  }
}
