/** Finds pod specs at any depth: in workloads, and in custom resources from which operators create workloads. */

import { groupOf, isList, listAt, textAt, type KubeObject, isCrd } from "../../kubernetes/objects/objects";
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
  spec["automountServiceAccountToken"] === false && tokensIn(spec).length === 0
    ? []
    : [textAt(spec, "serviceAccountName") ?? textAt(spec, "serviceAccount") ?? "default"];

/** Tokens of its account that a pod mounts by its volumes. */
const tokensIn = (spec: Json): Json[] => projectedIn(spec, "serviceAccountToken");

const projectedIn = (spec: Json, key: string): Json[] =>
  listAt(spec, "volumes").flatMap((volume) =>
    listAt(volume["projected"], "sources").flatMap(({ [key]: found }) => (isObject(found) ? [found] : [])),
  );

/** The audience of the API server. */
const OWN_AUDIENCE = /^(https:\/\/)?kubernetes\.default\.svc\b|^$/;

/** `has a token for sts.amazonaws.com`: what its account is for other systems. */
export const audiencesOf = (spec: Json): string[] => [
  ...tokensIn(spec)
    .map((token) => textAt(token, "audience") ?? "")
    .filter((audience) => !OWN_AUDIENCE.test(audience))
    .map((audience) => `has a token for ${audience}`),
  ...projectedIn(spec, "podCertificate").map(
    (source) => `has a certificate of the signer ${textAt(source, "signerName") ?? ""}`,
  ),
];

export const containersOf = (spec: Json): Json[] =>
  CONTAINERS.flatMap((key) => (isList(spec[key]) ? spec[key].filter(isObject) : []));

const hasContainers = (value: Json): boolean => isList(value["containers"]);

const isPart = (value: Json): boolean =>
  hasContainers(value) ||
  ["hostNetwork", "hostPID", "hostIPC"].some((key) => value[key] === true) ||
  ["serviceAccountName", "priorityClassName"].some((key) => typeof value[key] === "string") ||
  ["volumes", "env", "envFrom", "imagePullSecrets"].some((key) => isList(value[key])) ||
  ["securityContext", "hostPath"].some((key) => isObject(value[key]));
