/** Finds pod specs at any depth: in workloads, and in custom resources from which operators create workloads. */

import { groupOf, isList, objectAt, textAt, type KubeObject, isCrd } from "../../kubernetes/objects/objects";
import { isObject, type Json } from "../../foundation/json/isObject";

/** Groups whose pods always have containers. In others an operator may add them, or use other names for them. */
const WORKLOADS = new Set(["", "apps", "batch"]);
const CONTAINERS = ["containers", "initContainers", "ephemeralContainers"];

/** Returns pod specs, and structures that look like a part of one. */
export function podSpecsIn(object: KubeObject): Json[] {
  if (isCrd(object)) return [];
  const found: Json[] = [];
  const isSpec = WORKLOADS.has(groupOf(object.apiVersion)) ? hasContainers : isPart;
  const walk = (value: unknown): void => {
    if (isList(value)) value.forEach(walk);
    if (!isObject(value)) return;
    if (isSpec(value)) found.push(value);
    const inner = Object.entries(value).filter(([key]) => !(hasContainers(value) && CONTAINERS.includes(key)));
    for (const [, each] of inner) walk(each);
  };
  walk(object);
  return found;
}

/** The account whose rights a pod has; none if it gets no token. */
export const accountOf = (spec: Json): string[] =>
  spec["automountServiceAccountToken"] === false
    ? []
    : [textAt(spec, "serviceAccountName") ?? textAt(spec, "serviceAccount") ?? "default"];

/** Annotations of pods that agents of a node or a cluster act upon. */
const AGENTS =
  /^(iam\.amazonaws\.com|vault\.(hashicorp|security)\.|.*\.?cni\.cncf\.io|container\.apparmor\.security|.*\.injector\.|inject\.|injector\.)|\/(inject|role)(-|$)/;
/** Labels that do the same. */
const IDENTITIES = /^(aadpodidbinding|azure\.workload\.identity\/use)$/;

/** `has annotation iam.amazonaws.com/role web` for the object and its pod templates. */
export function agentsOf(object: KubeObject): string[] {
  if (isCrd(object)) return [];
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (isList(value)) value.forEach(walk);
    if (!isObject(value)) return;
    for (const [key, is] of [
      ["annotations", AGENTS],
      ["labels", IDENTITIES],
    ] as const) {
      const entries = Object.entries(objectAt(value, "metadata", key)).filter(([name]) => is.test(name));
      found.push(...entries.map(([name, text]) => `has ${key.slice(0, -1)} ${name} ${String(text)}`));
    }
    Object.values(value).forEach(walk);
  };
  walk(podSpecsIn(object).length === 0 ? {} : object);
  return found;
}

export const containersOf = (spec: Json): Json[] =>
  CONTAINERS.flatMap((key) => (isList(spec[key]) ? spec[key].filter(isObject) : []));

const hasContainers = (value: Json): boolean => isList(value["containers"]);

const isPart = (value: Json): boolean =>
  hasContainers(value) ||
  ["hostNetwork", "hostPID", "hostIPC"].some((key) => value[key] === true) ||
  ["serviceAccountName", "priorityClassName"].some((key) => typeof value[key] === "string") ||
  ["volumes", "env", "envFrom", "imagePullSecrets"].some((key) => isList(value[key])) ||
  ["securityContext", "hostPath"].some((key) => isObject(value[key]));
