/** Computes what to apply to an existing Shoot. Pure. */

import { isObject, type Json } from "../../foundation/json/isObject";
import { at, listAt, objectAt, textAt, type KubeObject } from "../objects/objects";

/**
 * The desired Shoot, with the values that Gardener updated or filled in: a newer Kubernetes version, because downgrades
 * are impossible, and node images that the config does not set. `notes` describes what was kept.
 */
export function desiredOf(
  desired: KubeObject,
  live: KubeObject,
): { readonly shoot: KubeObject; readonly notes: string[] } {
  const asked = textAt(desired, "spec", "kubernetes", "version") ?? "";
  const there = textAt(live, "spec", "kubernetes", "version") ?? "";
  const version = isNewer(there, asked) ? there : asked;
  const notes =
    version === asked || there.startsWith(`${asked}.`)
      ? []
      : [`Kubernetes ${asked} is requested and the cluster has ${there}, which stays: a cluster can't be downgraded`];
  const spec = objectAt(desired, "spec");
  const provider = objectAt(spec, "provider");
  const workers = listAt(provider, "workers").map((worker) => withImage(worker, live));
  return {
    shoot: {
      ...desired,
      spec: {
        ...spec,
        kubernetes: { ...objectAt(spec, "kubernetes"), version },
        provider: { ...provider, workers },
      },
    },
    notes,
  };
}

/** Keeps the image of the live pool if none is requested. */
function withImage(worker: Json, live: KubeObject): Json {
  const same = listAt(live, "spec", "provider", "workers").find(({ name }) => name === worker["name"]);
  const machine = objectAt(worker, "machine");
  const there = at(same, "machine", "image");
  if (!isObject(there)) return worker;
  const asked = machine["image"];
  if (asked === undefined) return { ...worker, machine: { ...machine, image: there } };
  const isSame = isObject(asked) && asked["name"] === there["name"] && asked["version"] === undefined;
  return isSame ? { ...worker, machine: { ...machine, image: there } } : worker;
}

/** Compares numerically. A version without a patch, such as 1.33, equals all its patches. */
function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number));
  if (a === undefined || b === undefined) return false;
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [one = 0, other = 0] = [a[index], b[index]];
    if (one !== other) return one > other;
  }
  return a.length > b.length;
}
