/** Format registry+v1: an operator packaged for OLM. The objects that OLM would create are generated here. */

import { isCore, isList, without, type KubeObject, at, textAt } from "../../../kubernetes/objects/objects";
import { FormatError, placeText } from "../../errors";
import { isBinding } from "../../../kubernetes/objects/rbac";
import { byCode, type FileTree } from "../../tree/tree";
import { faultAt } from "../faults";
import type { BundleObject, Purpose, ClusterFacts } from "../format";
import { duplicateFaults } from "../manifests";
import { REGISTRY_V1, ANNOTATIONS_FILE, PACKAGE, readMetadata } from "./annotations";
import { wordsOf } from "./dependencies";
import { servingOf } from "./objects/certificates";
import { configured } from "./config/apply";
import { readContent, type Content } from "./content";
import { deployments } from "./objects/deployments";
import { modesText, supportedModes, watchOf } from "./objects/installModes";
import { checkNeeds, checkVersion } from "./needs";
import { roles, serviceAccounts, type OperatorPlace } from "./objects/permissions";
import { readChoice, type OperatorChoice } from "./values";
import { annotated, configurations, converted, services } from "./objects/webhooks";
import { isObject, type Json } from "../../../foundation/json/isObject";

// Drops fields of a ClusterServiceVersion that its Kubernetes types don't have, as OLM does when it parses one. Without
// a cluster the types are unknown, and nothing is dropped.

/** For objects from parts that OLM parses as Kubernetes types. */
async function withKnownFields(
  objects: readonly KubeObject[],
  schemaOf: ClusterFacts["schemaOf"],
): Promise<KubeObject[]> {
  const found = new Map<string, Json | undefined>();
  for (const apiVersion of new Set(objects.map((one) => one.apiVersion))) {
    found.set(apiVersion, await schemaOf?.(apiVersion));
  }
  return objects.map((object) => {
    const types = found.get(object.apiVersion);
    const type = types && typeOf(types, object);
    return type ? (known(object, type, types) as KubeObject) : object;
  });
}

const KIND = "x-kubernetes-group-version-kind";

function typeOf(types: Json, { apiVersion, kind }: KubeObject): Json | undefined {
  const isIt = (one: unknown): boolean =>
    isObject(one) && one["kind"] === kind && [one["group"], one["version"]].filter(Boolean).join("/") === apiVersion;
  return Object.values(types)
    .filter(isObject)
    .find((type) => isList(type[KIND]) && type[KIND].some(isIt));
}

/** Resolves a reference, direct or as the only item of `allOf`. */
function resolved(type: Json, types: Json): Json {
  const [only] = isList(type["allOf"]) && type["allOf"].length === 1 ? type["allOf"].filter(isObject) : [];
  const ref = (only ?? type)["$ref"];
  const named = typeof ref === "string" ? types[ref.slice(ref.lastIndexOf("/") + 1)] : undefined;
  return isObject(named) ? named : type;
}

function known(value: unknown, type: Json, types: Json): unknown {
  const { properties, additionalProperties, items } = resolved(type, types);
  if (isList(value)) return isObject(items) ? value.map((one) => known(one, items, types)) : value;
  if (!isObject(value)) return value;
  if (isObject(properties)) {
    const fields = Object.entries(value).filter(([key]) => isObject(properties[key]));
    return Object.fromEntries(fields.map(([key, one]) => [key, known(one, properties[key] as Json, types)]));
  }
  if (!isObject(additionalProperties)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, known(one, additionalProperties, types)]));
}

/** Information about an operator for users before its installation. */
const SUGGESTED_NAMESPACE = "operatorframework.io/suggested-namespace";

function aboutOperator(tree: FileTree, { csv, dependencies }: Content): Readonly<Record<string, string>> {
  const annotations = at(readMetadata(tree, ANNOTATIONS_FILE).value, "annotations");
  const about = {
    package: isObject(annotations) ? textAt(annotations, PACKAGE) : undefined,
    version: textAt(csv.object, "spec", "version"),
    "install modes": supportedModes(csv).join(", "),
    "suggested namespace": csv.annotations[SUGGESTED_NAMESPACE],
    "least Kubernetes": csv.minKubeVersion,
    needs: [...new Set(dependencies.map(wordsOf))].join(", "),
  };
  return Object.fromEntries(Object.entries(about).flatMap(([key, text]) => (text ? [[key, text]] : [])));
}

export const about = (tree: FileTree): Readonly<Record<string, string>> => aboutOperator(tree, contentOf(tree));

export async function read(tree: FileTree, purpose: Purpose): Promise<readonly BundleObject[]> {
  const { name, namespace, values, cluster, assumed, isComing = () => false } = purpose;
  const content = contentOf(tree);
  const choice = readChoice(values);
  const facts = await cluster?.();
  const objects = objectsOf(content, choice, { name, namespace });
  if (facts) checkNeeds(content, choice, facts, isComing);
  else if (assumed?.kubeVersion !== undefined) checkVersion(content, assumed.kubeVersion);
  const places = new Set(content.others.map(placeText));
  const typed = objects.filter((one) => !places.has(placeText(one)) && isTyped(one.object));
  const known = await withKnownFields(
    typed.map(({ object }) => object),
    facts?.schemaOf,
  );
  const settled = new Map(typed.map(({ object }, index) => [object, known[index] ?? object]));
  return objects.map((one) => ({ ...one, object: settled.get(one.object) ?? one.object }));
}

const TYPED = /^(apps|rbac\.authorization\.k8s\.io|admissionregistration\.k8s\.io|apiextensions\.k8s\.io)\//;

/** Kinds generated from a ClusterServiceVersion and its definitions; other objects are applied unchanged. */
const isTyped = ({ apiVersion }: KubeObject): boolean => TYPED.test(apiVersion);

/** Throws all faults of the content. */
function contentOf(tree: FileTree): Content {
  const { content, faults } = readContent(tree);
  const all = [...faults];
  if (content && content.csv.modes.length > 0 && supportedModes(content.csv).length === 0)
    all.push(
      faultAt(
        content.place,
        `spec.installModes: found ${modesText(content.csv.modes)}; expected AllNamespaces, because a conversion webhook answers for the whole cluster`,
      ),
    );
  if (content === undefined || all.length > 0) throw new FormatError(REGISTRY_V1, all);
  return content;
}

/** Returns all objects of the operator. Generated ones have the file and line of the ClusterServiceVersion. */
function objectsOf(
  { csv, place: csvPlace, crds, others }: Content,
  choice: OperatorChoice,
  place: OperatorPlace,
): BundleObject[] {
  const watch = watchOf(csv, choice.watchNamespaces, place.namespace);
  const served = [...new Set(csv.webhooks.map(({ deployment }) => deployment))].sort(byCode);
  const servings = new Map(served.map((name) => [name, servingOf(name, place, choice.certificates)]));
  const secrets = new Map([...servings].map(([name, { secret }]) => [name, secret]));
  const own = others.map(({ object }) => object);
  const included = new Set(own.filter((one) => isCore(one, "Service")).map(({ metadata }) => metadata.name));
  const generated = (objects: readonly KubeObject[]): BundleObject[] =>
    objects.map((object) => ({ ...csvPlace, wave: undefined, object }));
  const all = [
    ...crds.map((crd) => ({ ...crd, wave: undefined, object: converted(crd.object, csv, servings, place) })),
    ...generated(serviceAccounts(csv, own)),
    ...generated(roles(csv, watch, place)),
    ...others.map((other) => ({
      ...other,
      wave: undefined,
      object: annotated(inPlace(other.object, place), servings),
    })),
    ...generated(services(csv, servings).filter(({ metadata }) => !included.has(metadata.name))),
    ...generated([...servings.values()].flatMap(({ objects }) => objects)),
    ...generated(
      deployments(csv, watch, place.namespace, secrets).map((one) =>
        choice.config ? configured(one, choice.config) : one,
      ),
    ),
    ...generated(configurations(csv, servings, watch, place)),
  ];
  const faults = duplicateFaults(all);
  if (faults.length > 0) throw new FormatError(REGISTRY_V1, faults);
  return all;
}

/**
 * Puts an object into the release's namespace, whatever the file says; also subjects of a binding without a namespace.
 */
function inPlace(object: KubeObject, { namespace }: OperatorPlace): KubeObject {
  const moved: KubeObject = {
    ...object,
    metadata: { ...without(object.metadata, "namespace"), name: object.metadata.name },
  };
  const { subjects } = moved;
  if (!isBinding(moved) || !isList(subjects)) return moved;
  const placed = (subject: Json): Json =>
    subject["kind"] === "ServiceAccount" && subject["namespace"] === undefined ? { ...subject, namespace } : subject;
  return { ...moved, subjects: subjects.map((subject) => (isObject(subject) ? placed(subject) : subject)) };
}
