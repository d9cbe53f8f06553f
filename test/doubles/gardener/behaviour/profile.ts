/** What Gardener's admission plugin ShootValidator looks up in the CloudProfile of a Shoot. */

import { isObject, type Json } from "../../../../foundation/json/isObject";
import { at, listAt, textAt, type KubeObject } from "../../../../kubernetes/objects/objects";

const namesIn = (list: readonly Json[]): string[] => list.flatMap((one) => textAt(one, "name") ?? []);

const unsupported = (path: string, found: unknown, known: readonly string[]): string[] =>
  typeof found !== "string" || known.includes(found)
    ? []
    : [
        `${path}: Unsupported value: ${JSON.stringify(found)}: supported values: ${known.map((one) => JSON.stringify(one)).join(", ")}`,
      ];

/** The faults of a Shoot; those that the existing one has already are none. */
export function profileRefusals(profile: KubeObject, shoot: unknown, live: KubeObject | undefined): string[] {
  const had = new Set(live ? faultsOf(profile, live) : []);
  return faultsOf(profile, shoot).filter((fault) => !had.has(fault));
}

function faultsOf({ spec }: KubeObject, shoot: unknown): string[] {
  const regions = listAt(spec, "regions");
  const region = regions.find(({ name }) => name === at(shoot, "spec", "region"));
  const versions = listAt(spec, "kubernetes", "versions").flatMap((one) => textAt(one, "version") ?? []);
  return [
    ...unsupported("spec.region", at(shoot, "spec", "region"), namesIn(regions)),
    ...unsupported("spec.kubernetes.version", at(shoot, "spec", "kubernetes", "version"), versions),
    ...listAt(shoot, "spec", "accessRestrictions").flatMap(({ name }, index) =>
      unsupported(`spec.accessRestrictions[${index}]`, name, namesIn(listAt(region, "accessRestrictions"))),
    ),
    ...listAt(shoot, "spec", "provider", "workers").flatMap((worker, index) =>
      workerFaults(spec, worker, namesIn(listAt(region, "zones")), `spec.provider.workers[${index}]`),
    ),
  ];
}

function workerFaults(spec: unknown, worker: Json, zones: readonly string[], path: string): string[] {
  const image = at(worker, "machine", "image");
  const known = listAt(spec, "machineImages").find(({ name }) => isObject(image) && name === image["name"]);
  const images = listAt(known, "versions").flatMap((one) => textAt(one, "version") ?? []);
  const given = at(worker, "zones");
  return [
    ...unsupported(`${path}.machine.type`, at(worker, "machine", "type"), namesIn(listAt(spec, "machineTypes"))),
    ...unsupported(`${path}.volume.type`, at(worker, "volume", "type"), namesIn(listAt(spec, "volumeTypes"))),
    ...(isObject(image) && known === undefined ? [`${path}: Invalid value: "image is not supported"`] : []),
    ...(known ? unsupported(`${path}.machine.image.version`, at(image, "version"), images) : []),
    ...(Array.isArray(given) ? given : []).flatMap((zone, place) =>
      unsupported(`${path}.zones[${place}]`, zone, zones),
    ),
  ];
}
