/** Checks the inputs of a set and reports every fault with its path. Unknown values pass. */

import { aboveZero, checkInputs, oneWordOf, type CheckedInputs, type InputRules } from "../../framework/resourceSchema";
import { CLUSTER_RULES } from "../../framework/clusterFields";
import type { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN, type Properties } from "../../../foundation/pulumi/resource";
import { checkRecord } from "../../framework/record";
import { groupOf } from "../../../kubernetes/objects/objects";
import { DEFAULT_TIMEOUT_SECONDS } from "../../../kubernetes/apply/set";
import { SET_LABEL, SET_NAMESPACE_LABEL } from "../../../kubernetes/owners/ownership";
import { isLabel, LABEL_RULE } from "../../../kubernetes/objects/names";
import { schema } from "./manifestSetSchema";
import { isObject, type Json } from "../../../foundation/json/isObject";

const isSubdomain = (text: string): boolean =>
  text.length <= 253 && text.split(".").every((part) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(part));
/** With or without its namespace. */
const isClaimName = (text: string): boolean => {
  const [name = "", namespace, ...more] = text.split("/").reverse();
  return isSubdomain(name) && (namespace === undefined || isLabel(namespace)) && more.length === 0;
};
/** Names of roles and the like may contain colons, such as `system:reader`. */
const isPathSegment = (text: string): boolean => text !== "" && text !== "." && text !== ".." && !/[/%]/.test(text);

const RULES: InputRules = {
  ...CLUSTER_RULES,
  name: [LABEL_RULE, isLabel],
  namespace: [LABEL_RULE, isLabel],
  as: ["a user, such as system:serviceaccount:<namespace>:<name>"],
  timeoutSeconds: aboveZero,
  ping: checkPing,
  claimsWhenDeleted: oneWordOf("Retain", "Delete"),
  claimsWhenSmaller: oneWordOf("Refuse", "Keep"),
  objects: checkObjects,
  disk: ["the name of a kept PersistentVolumeClaim, or namespace/name", isClaimName],
  adopt: ["an owner id, as the objects have it", (text) => /^[0-9a-f-]{8,64}$/.test(text)],
  expectedClusterUid: ["a UID"],
  record: checkRecord,
  release: checkOwnedRelease,
};

export const checkSet = (given: Properties): CheckedInputs =>
  checkInputs(schema, given, RULES, { defaults: { timeoutSeconds: DEFAULT_TIMEOUT_SECONDS } });

function checkPing(check: InputCheck, ping: unknown): void {
  if (!isObject(ping)) return check.fail("ping", typeOf(ping), "an object with url");
  check.keys("ping", ping, ["url"]);
  const isUrl = (text: string) => /^https?:\/\//.test(text) && URL.canParse(text);
  check.text("ping.url", ping["url"], "a URL that begins with http:// or https://", isUrl);
}

function checkOwnedRelease(check: InputCheck, release: unknown): void {
  if (!isObject(release)) return check.fail("release", typeOf(release), "an object with namespace, name and digest");
  check.keys("release", release, ["namespace", "name", "digest"]);
  check.text("release.namespace", release["namespace"], LABEL_RULE, isLabel);
  for (const key of ["name", "digest"]) check.text(`release.${key}`, release[key], "a text");
}

function checkObjects(check: InputCheck, objects: unknown, { namespace, name }: Properties): void {
  if (!Array.isArray(objects)) return check.fail("objects", typeOf(objects), "a list of Kubernetes objects");
  const seen = new Map<string, number>();
  for (const [index, object] of (objects as unknown[]).entries()) {
    if (object === UNKNOWN) continue;
    const path = `objects[${index}]`;
    if (!isObject(object)) {
      check.fail(path, typeOf(object), "a Kubernetes object with apiVersion, kind and metadata");
      continue;
    }
    checkObject(check, path, object, name);
    const key = identityOf(object, namespace);
    const first = key === undefined ? undefined : seen.get(key);
    if (first !== undefined) {
      check.fail(path, `${describeRaw(object)}, the same object as objects[${first}]`, "each object once");
    } else if (key !== undefined) seen.set(key, index);
  }
}

function checkObject(check: InputCheck, path: string, object: Json, set: unknown): void {
  const { apiVersion, kind, metadata } = object;
  const isVersion = (text: string) => /^([a-z0-9.-]+\/)?[a-z0-9]+$/.test(text);
  check.text(`${path}.apiVersion`, apiVersion, 'a version such as "v1" or "apps/v1"', isVersion);
  check.text(`${path}.kind`, kind, 'a kind such as "StatefulSet"', (text) => /^[A-Za-z][A-Za-z0-9]*$/.test(text));
  if (kind === "List" && apiVersion === "v1") check.fail(`${path}.kind`, kind, "one object; give the list's items");
  if (metadata === UNKNOWN) return;
  if (!isObject(metadata)) return check.fail(`${path}.metadata`, typeOf(metadata), "an object with a name");
  if (isGiven(metadata["generateName"])) {
    check.fail(
      `${path}.metadata.generateName`,
      metadata["generateName"],
      "metadata.name: a set knows its objects by it",
    );
  } else if (typeof apiVersion === "string" && groupOf(apiVersion) === "rbac.authorization.k8s.io") {
    check.text(`${path}.metadata.name`, metadata["name"], "a name without / and %", isPathSegment);
  } else {
    const expected = "a DNS-1123 name: at most 253 of a-z 0-9 - ., a letter or digit at both ends of each part";
    check.text(`${path}.metadata.name`, metadata["name"], expected, isSubdomain);
  }
  if (isGiven(metadata["namespace"]))
    check.text(`${path}.metadata.namespace`, metadata["namespace"], LABEL_RULE, isLabel);
  for (const key of ["uid", "resourceVersion", "managedFields"]) {
    if (isGiven(metadata[key])) check.fail(`${path}.metadata.${key}`, "one", "none: only the cluster sets it");
  }
  for (const key of ["labels", "annotations"]) checkTexts(check, `${path}.metadata.${key}`, metadata[key]);
  const labels = isObject(metadata["labels"]) ? metadata["labels"] : {};
  for (const key of [SET_LABEL, SET_NAMESPACE_LABEL]) {
    const value = labels[key];
    if (!isGiven(value) || value === UNKNOWN || (key === SET_LABEL && value === set)) continue;
    check.fail(`${path}.metadata.labels["${key}"]`, value, "no such label: the set puts it on its objects");
  }
}

/** YAML parses some texts as numbers or booleans, but labels need texts. */
function checkTexts(check: InputCheck, path: string, map: unknown): void {
  if (!isGiven(map) || map === UNKNOWN) return;
  if (!isObject(map)) return check.fail(path, typeOf(map), "an object whose values are texts");
  for (const [key, value] of Object.entries(map)) {
    if (typeof value === "string" || value === null) continue;
    const shown = typeof value === "object" ? typeOf(value) : value;
    check.fail(`${path}[${JSON.stringify(key)}]`, shown, "a text; put it in quotes");
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Returns the type of a value for a message: objects may contain secrets. */
function typeOf(value: unknown): string | undefined {
  if (!isGiven(value)) return undefined;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function identityOf({ apiVersion, kind, metadata }: Json, namespace: unknown): string | undefined {
  const { name, namespace: own = namespace } = isObject(metadata) ? metadata : {};
  const parts = [apiVersion, kind, name, own ?? namespace];
  if (!parts.every((part) => typeof part === "string" && part !== UNKNOWN)) return undefined;
  return [groupOf(String(apiVersion)), kind, own ?? namespace, name].join("/");
}

const describeRaw = ({ kind, metadata }: Json): string =>
  `${String(kind)} ${isObject(metadata) ? String(metadata["name"]) : ""}`;
