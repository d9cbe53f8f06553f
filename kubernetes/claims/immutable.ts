/** Immutable fields of StatefulSets, and whether recreating one keeps its pods and claims. */

import { isDeepStrictEqual } from "node:util";
import { at, describe, listAt, textAt, refOf, type KubeObject } from "../objects/objects";
import { selects } from "../objects/selector";
import { templateOf } from "./claims";
import { bytesOf, sizeText } from "../objects/bytes";
import { isObject, type Json } from "../../foundation/json/isObject";

/** The fields that the API server refuses to change. */
const FIELDS = ["serviceName", "podManagementPolicy", "selector", "volumeClaimTemplates"] as const;
type Field = (typeof FIELDS)[number];

/** Immutable fields that differ between the desired and the live object. */
export function immutableChanges(wanted: KubeObject, live: KubeObject): Field[] {
  return FIELDS.filter(
    (field) => !isDeepStrictEqual(normal(field, at(wanted, "spec", field)), normal(field, at(live, "spec", field))),
  );
}

/** The desired object with the live values of immutable fields, for a dry run in place. */
export function changeableIn(wanted: KubeObject, live: KubeObject): KubeObject {
  const spec: Json = isObject(wanted["spec"]) ? { ...wanted["spec"] } : {};
  for (const field of FIELDS) {
    const value = at(live, "spec", field);
    if (value === undefined) delete spec[field];
    else spec[field] = value;
  }
  return { ...wanted, spec: { ...spec, ...selectable(spec) } };
}

/**
 * The API server rejects a pod template that the selector does not match, so the template gets the labels of the live
 * selector.
 */
function selectable(spec: Json): Json {
  const template = isObject(spec["template"]) ? spec["template"] : {};
  const metadata = isObject(template["metadata"]) ? template["metadata"] : {};
  const labels = isObject(metadata["labels"]) ? metadata["labels"] : {};
  if (selects(spec["selector"], labels)) return {};
  const asked = at(spec["selector"], "matchLabels");
  return {
    template: { ...template, metadata: { ...metadata, labels: { ...labels, ...(isObject(asked) ? asked : {}) } } },
  };
}

/** Why recreating would lose data or orphan pods; empty if it is safe. `claims` belong to the live object. */
export function unsafeChanges(wanted: KubeObject, live: KubeObject, claims: readonly KubeObject[]): string[] {
  const name = describe(refOf(live));
  const faults: string[] = [];
  const podLabels = at(live, "spec", "template", "metadata", "labels");
  const hasPods = at(live, "status", "replicas") !== 0;
  if (hasPods && !selects(at(wanted, "spec", "selector"), isObject(podLabels) ? podLabels : {})) {
    faults.push(
      `${name}: its new spec.selector does not match the labels of its pods, so they would be stranded; ` +
        `keep the selector, or scale to 0 replicas first and change it then`,
    );
  }
  const before = templatesOf(live);
  const after = templatesOf(wanted);
  for (const [template, old] of before) {
    const held = claims.filter(
      ({ metadata }) => templateOf(metadata.name, live.metadata.name, [template]) && !metadata.deletionTimestamp,
    );
    if (held.length === 0) continue;
    const next = after.get(template);
    const names = held.map(({ metadata }) => metadata.name).join(", ");
    if (!next) {
      faults.push(
        `${name}: volumeClaimTemplate ${template} is gone or has another name, but its claims hold data: ${names}. ` +
          `Keep the template, or delete the claims first: kubectl -n ${live.metadata.namespace} delete pvc ${held.map(({ metadata }) => metadata.name).join(" ")}`,
      );
      continue;
    }
    for (const field of ["storageClassName", "accessModes", "volumeMode", "selector"]) {
      const [was, asked] = [at(old, "spec", field), at(next, "spec", field)];
      if (isDeepStrictEqual(was, asked)) continue;
      faults.push(
        `${name}: volumeClaimTemplate ${template} changes ${field} from ${shown(was)} to ${shown(asked)}, ` +
          `which its claims can't follow: ${names}. Take ${shown(was)} again, or move the data to a new deployment`,
      );
    }
  }
  return faults;
}

/** Claim templates by name, normalized. */
export function templatesOf(set: KubeObject): Map<string, Json> {
  const templates = listAt(set, "spec", "volumeClaimTemplates");
  return new Map(templates.map((template) => [textAt(template, "metadata", "name") ?? "", normalTemplate(template)]));
}

function normal(field: Field, value: unknown): unknown {
  switch (field) {
    case "serviceName":
      return value ?? "";
    case "podManagementPolicy":
      return value ?? "OrderedReady";
    case "selector":
      return pruned(value);
    case "volumeClaimTemplates":
      return Array.isArray(value) ? value.filter(isObject).map(normalTemplate) : [];
  }
}

/** Normalizes a template: removes what the API server adds, and converts the size to bytes. */
function normalTemplate(template: Json): Json {
  const { name, labels, annotations } = isObject(template["metadata"]) ? template["metadata"] : {};
  const { resources, ...spec } = isObject(template["spec"]) ? template["spec"] : {};
  const requests = at(resources, "requests");
  const storage = at(requests, "storage");
  return pruned({
    metadata: { name, labels, annotations },
    spec: {
      volumeMode: "Filesystem",
      ...spec,
      resources: {
        ...(isObject(resources) ? resources : {}),
        requests: { ...(isObject(requests) ? requests : {}), storage: bytesOf(storage) ?? storage },
      },
    },
  }) as Json;
}

/** Removes nulls and empty objects, as the API server does. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (!isObject(value)) return value;
  const entries = Object.entries(value)
    .map(([key, one]) => [key, pruned(one)] as const)
    .filter(([, one]) => one !== undefined && one !== null && !(isObject(one) && Object.keys(one).length === 0));
  return Object.fromEntries(entries);
}

function shown(value: unknown): string {
  if (value === undefined) return "the default";
  return typeof value === "number" ? sizeText(value) : JSON.stringify(value);
}
