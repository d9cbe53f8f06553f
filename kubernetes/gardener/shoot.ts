/** Reads a Shoot as Gardener reports it. Pure. */

import { at, isList, listAt, numberAt, textAt, type KubeObject, type Ref } from "../objects/objects";

export const GARDENER = "core.gardener.cloud/v1beta1";

export const shootRef = (namespace: string, name: string): Ref => ({
  apiVersion: GARDENER,
  kind: "Shoot",
  namespace,
  name,
});

/** Requests an operation, such as a retry. Gardener removes the annotation when it starts. */
export const OPERATION_ANNOTATION = "gardener.cloud/operation";
/** Required for a deletion. */
export const CONFIRMATION_ANNOTATION = "confirmation.gardener.cloud/deletion";
export const FORCE_ANNOTATION = "confirmation.gardener.cloud/force-deletion";
/** The deployment that the Shoot belongs to. */
export const RUNTIME_ANNOTATION = "kcp.provisioner.kyma-project.io/runtime-id";
const OPERATION_IDS = [
  "kcp.provisioner.kyma-project.io/operation-id",
  "compass.provisioner.kyma-project.io/operation-id",
];

/** Annotations with the operation of the service that last changed the Shoot. */
export const operationAnnotations = (id: string | undefined): Record<string, string> =>
  id === undefined ? {} : Object.fromEntries(OPERATION_IDS.map((key) => [key, id]));

/** Observed properties of a Shoot. */
export interface ShootFacts {
  readonly uid: string;
  readonly generation: number;
  /** Domain of the cluster, which Gardener assigns early. */
  readonly domain?: string;
  readonly seed?: string;
  readonly kubernetesVersion: string;
  /** URL of its API server; undefined until it has one. */
  readonly apiServer?: string;
  readonly hibernated: boolean;
}

export const shootFacts = (shoot: KubeObject): ShootFacts => ({
  uid: shoot.metadata.uid ?? "",
  generation: shoot.metadata.generation ?? 0,
  domain: textAt(shoot, "spec", "dns", "domain"),
  seed: textAt(shoot, "status", "seedName") ?? textAt(shoot, "spec", "seedName"),
  kubernetesVersion: textAt(shoot, "spec", "kubernetes", "version") ?? "",
  apiServer: apiServerOf(shoot),
  hibernated: isHibernated(shoot),
});

/** The parts that this file and judge.ts read, without the rest of the specification and the managers of fields. */
export function progressOf(shoot: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = shoot;
  const { name, namespace, uid, generation, deletionTimestamp, annotations } = metadata;
  const operation = annotations && Object.entries(annotations).filter(([key]) => PROGRESS_ANNOTATIONS.includes(key));
  const part = (...path: readonly string[]): unknown => at(shoot, ...path);
  return {
    ...{ apiVersion, kind },
    metadata: {
      ...{ name, namespace, uid, generation, deletionTimestamp },
      ...(operation && { annotations: Object.fromEntries(operation) }),
    },
    spec: { dns: { domain: part("spec", "dns", "domain") }, hibernation: part("spec", "hibernation") },
    status: Object.fromEntries(PROGRESS_STATUS.map((key) => [key, part("status", key)])),
  };
}

const PROGRESS_ANNOTATIONS: readonly string[] = [OPERATION_ANNOTATION, FORCE_ANNOTATION];
const PROGRESS_STATUS = [
  "observedGeneration",
  "lastOperation",
  "lastErrors",
  "conditions",
  "constraints",
  "hibernated",
] as const;

export const isHibernated = (shoot: KubeObject): boolean => at(shoot, "status", "hibernated") === true;

export const wantsHibernation = (shoot: KubeObject): boolean => at(shoot, "spec", "hibernation", "enabled") === true;

function apiServerOf(shoot: KubeObject): string | undefined {
  const addresses = listAt(shoot, "status", "advertisedAddresses");
  const external = addresses.find(({ name }) => name === "external") ?? addresses[0];
  return textAt(external, "url");
}

export interface LastOperation {
  readonly type: string;
  readonly state: string;
  readonly progress: number;
  readonly description: string;
}

export function lastOperationOf(shoot: KubeObject): LastOperation | undefined {
  const state = textAt(shoot, "status", "lastOperation", "state");
  if (state === undefined) return undefined;
  const found = at(shoot, "status", "lastOperation");
  return {
    type: textAt(found, "type") ?? "",
    state,
    progress: numberAt(found, "progress") ?? 0,
    description: textAt(found, "description") ?? "",
  };
}

export interface LastErrors {
  readonly codes: readonly string[];
  readonly descriptions: readonly string[];
}

export function lastErrorsOf(shoot: KubeObject): LastErrors {
  const errors = listAt(shoot, "status", "lastErrors");
  const codes = errors.flatMap(({ codes: own }) => (isList(own) ? own : [])).map(String);
  const descriptions = errors.flatMap((error) => textAt(error, "description") ?? []);
  return { codes: [...new Set(codes)], descriptions: [...new Set(descriptions)] };
}

/** The message of a violated condition or constraint; undefined if it is fulfilled or unknown. */
export function violated(shoot: KubeObject, type: string): string | undefined {
  const all = [...listAt(shoot, "status", "conditions"), ...listAt(shoot, "status", "constraints")];
  const found = all.find((one) => one["type"] === type && one["status"] === "False");
  return found && (textAt(found, "message") ?? textAt(found, "reason") ?? "no reason given");
}
