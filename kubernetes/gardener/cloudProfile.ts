/** Checks the versions, machine types, volume types and zones of a Shoot against a CloudProfile. Pure. */

import { nearest } from "../../foundation/text/nearest";
import { bytesOf } from "../objects/bytes";
import { at, listAt, textAt, type KubeObject } from "../objects/objects";
import type { Json } from "../../foundation/json/isObject";

const namesIn = (list: readonly Json[]): string[] => list.flatMap((one) => textAt(one, "name") ?? []);

/** All faults, each with its path in the Shoot. Ignores what the profile does not specify. */
export function profileFaults(profile: KubeObject, shoot: KubeObject): string[] {
  const region = textAt(shoot, "spec", "region") ?? "";
  const regions = listAt(profile, "spec", "regions");
  const zones = namesIn(
    listAt(
      regions.find(({ name }) => name === region),
      "zones",
    ),
  );
  const workers = listAt(shoot, "spec", "provider", "workers");
  return [
    ...versionFaults(profile, textAt(shoot, "spec", "kubernetes", "version") ?? ""),
    ...among("spec.region", region, namesIn(regions)),
    ...workers.flatMap((worker) => workerFaults(profile, worker, zones)),
  ];
}

function workerFaults(profile: KubeObject, worker: Json, zones: readonly string[]): string[] {
  const path = `spec.provider.workers[${String(worker["name"])}]`;
  const image = textAt(worker, "machine", "image", "name");
  const disk = textAt(worker, "volume", "type");
  const images = namesIn(listAt(profile, "spec", "machineImages"));
  const given = at(worker, "zones");
  return [
    ...among(`${path}.machine.type`, textAt(worker, "machine", "type") ?? "", usable(profile, "machineTypes")),
    ...(image === undefined ? [] : among(`${path}.machine.image.name`, image, images)),
    ...(disk === undefined ? [] : among(`${path}.volume.type`, disk, usable(profile, "volumeTypes"))),
    ...(Array.isArray(given) ? given : []).flatMap((zone) => among(`${path}.zones`, String(zone), zones)),
  ];
}

const usable = (profile: KubeObject, key: string): string[] =>
  namesIn(listAt(profile, "spec", key).filter((one) => one["usable"] !== false));

/** A version with two numbers stands for its newest patch. */
function versionFaults(profile: KubeObject, version: string): string[] {
  const known = listAt(profile, "spec", "kubernetes", "versions").filter(
    ({ expirationDate }) => !isOver(expirationDate),
  );
  const versions = known.flatMap((one) => textAt(one, "version") ?? []);
  if (versions.some((one) => one === version || one.startsWith(`${version}.`))) return [];
  return among("spec.kubernetes.version", version, versions);
}

const isOver = (date: unknown): boolean => typeof date === "string" && Date.parse(date) < Date.now();

const MOST_NAMED = 12;

function among(path: string, found: string, known: readonly string[]): string[] {
  if (known.length === 0 || known.includes(found)) return [];
  const meant = nearest(found, [...known]);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  const more = known.length > MOST_NAMED ? ", …" : "";
  return [
    `${path}: found ${JSON.stringify(found)}; expected one of ${known.slice(0, MOST_NAMED).join(", ")}${more}${hint}`,
  ];
}

/** CPU and memory (GB) of a Shoot with its minimum of nodes; undefined if the profile lacks a machine type. */
export function capacityOf(
  profile: KubeObject,
  shoot: KubeObject,
): { readonly cpu: number; readonly memoryGb: number } | undefined {
  const types = new Map(listAt(profile, "spec", "machineTypes").map((one) => [one["name"], one]));
  let [cpu, bytes] = [0, 0];
  for (const worker of listAt(shoot, "spec", "provider", "workers")) {
    const type = types.get(textAt(worker, "machine", "type"));
    const [own, memory] = [Number(type?.["cpu"]), bytesOf(textAt(type, "memory") ?? "")];
    if (type === undefined || !Number.isFinite(own) || memory === undefined) return undefined;
    const nodes = Number(worker["minimum"] ?? 0);
    cpu += nodes * own;
    bytes += nodes * memory;
  }
  return { cpu, memoryGb: Math.round(bytes / 1e7) / 100 };
}
