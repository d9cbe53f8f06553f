/** Immutable fields of a Shoot. Changing one never replaces the cluster. Pure. */

import { isDeepStrictEqual } from "node:util";
import { at, listAt, textAt, type KubeObject } from "../objects/objects";

/** The previous and the new desired Shoot. */
type Both = readonly [old: KubeObject, next: KubeObject];

const FIXED: readonly (readonly string[])[] = [
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["spec", "region"],
  ["spec", "cloudProfileName"],
  ["spec", "provider", "type"],
  ["spec", "networking", "type"],
  ["spec", "networking", "pods"],
  ["spec", "networking", "services"],
  ["spec", "networking", "nodes"],
  ["spec", "provider", "infrastructureConfig", "networks", "vpc", "cidr"],
  ["spec", "provider", "infrastructureConfig", "networks", "vnet", "cidr"],
  ["spec", "provider", "infrastructureConfig", "networks", "workers"],
  ["spec", "provider", "infrastructureConfig", "floatingPoolName"],
  ["spec", "provider", "infrastructureConfig", "zoned"],
];

/** Immutable in an object that a Shoot of another origin may lack. */
const CONTROL_PLANE_ZONE = ["spec", "provider", "controlPlaneConfig", "zone"];

/** Fields that Gardener may set, and that are immutable once set. */
const ONCE: readonly (readonly string[])[] = [
  ["spec", "dns", "domain"],
  ["spec", "seedName"],
  ["spec", "networking", "ipFamilies"],
  ["spec", "controlPlane", "highAvailability", "failureTolerance", "type"],
];

/** Each change as `spec.region: found "b", and the cluster has "a"`. */
export function fixedChanges(old: KubeObject, next: KubeObject): string[] {
  const both: Both = [old, next];
  return [
    ...FIXED.flatMap((path) => changeAt(both, path)),
    ...(hasCredentialsBinding(next) ? [] : changeAt(both, ["spec", "secretBindingName"])),
    ...ONCE.filter((path) => at(old, ...path) !== undefined).flatMap((path) => changeAt(both, path)),
    ...changeOfSet(both, CONTROL_PLANE_ZONE),
    ...zoneChanges(both),
    ...poolChanges(both),
    ...primaryProviderChange(both),
    ...availabilityChange(both),
  ];
}

/** A SecretBinding can be replaced by a CredentialsBinding of the same Secret, which Gardener checks. */
const hasCredentialsBinding = (shoot: KubeObject): boolean =>
  textAt(shoot, "spec", "credentialsBindingName") !== undefined;

/** Changes of what Gardener has set since, as the domain, and the request did not have. */
export const changesOfSet = (live: KubeObject, next: KubeObject): string[] =>
  ONCE.flatMap((path) => changeOfSet([live, next], path));

/** The change of a field that both have. */
const changeOfSet = (both: Both, path: readonly string[]): string[] =>
  both.every((shoot) => at(shoot, ...path) !== undefined) ? changeAt(both, path) : [];

function changeAt([old, next]: Both, path: readonly string[]): string[] {
  const [before, after] = [at(old, ...path), at(next, ...path)];
  return isDeepStrictEqual(before, after) ? [] : [words(path.join("."), before, after)];
}

const words = (path: string, before: unknown, after: unknown): string =>
  `${path}: found ${shown(after)}, and the cluster has ${shown(before)}`;

const shown = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

const poolsIn = (shoot: KubeObject) => listAt(shoot, "spec", "provider", "workers");

/** The zones of a pool are in a fixed order: a new one can only be the last. */
function poolChanges([old, next]: Both): string[] {
  const before = new Map(poolsIn(old).map(({ name, zones }) => [name, listOf(zones)]));
  return poolsIn(next).flatMap(({ name, zones }) => {
    const had = before.get(name) ?? [];
    const kept = listOf(zones).slice(0, had.length);
    return isDeepStrictEqual(kept, had) ? [] : [words(`spec.provider.workers[${String(name)}].zones`, had, zones)];
  });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Once there is a primary DNS provider, there is always one of that type. */
function primaryProviderChange(both: Both): string[] {
  const [before, after] = both.map((shoot) => listAt(shoot, "spec", "dns", "providers").find(({ primary }) => primary));
  if (before === undefined || before["type"] === after?.["type"]) return [];
  return [words("spec.dns.providers", before["type"], after?.["type"])];
}

/** A hibernated cluster can't get high availability. */
function availabilityChange([old, next]: Both): string[] {
  const path = ["spec", "controlPlane", "highAvailability", "failureTolerance", "type"];
  const isLater = at(old, ...path) === undefined && at(next, ...path) !== undefined;
  const isAsleep = at(old, "spec", "hibernation", "enabled") === true;
  return isLater && isAsleep ? [`${words(path.join("."), undefined, at(next, ...path))} and is hibernated`] : [];
}

/** Zones can be added, but not removed or given other subnets. */
function zoneChanges([old, next]: Both): string[] {
  const zones = (shoot: KubeObject) => listAt(shoot, "spec", "provider", "infrastructureConfig", "networks", "zones");
  const now = new Map(zones(next).map((zone) => [zone["name"], zone]));
  return zones(old).flatMap((zone) => {
    const path = `spec.provider.infrastructureConfig.networks.zones[${String(zone["name"])}]`;
    const after = now.get(zone["name"]);
    if (after === undefined) return [words(path, textAt(zone, "cidr") ?? textAt(zone, "workers"), undefined)];
    return ["cidr", "workers", "public", "internal"].flatMap((key) =>
      zone[key] === after[key] ? [] : [words(`${path}.${key}`, zone[key], after[key])],
    );
  });
}
