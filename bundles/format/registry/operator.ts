/** Format registry+v1: an operator packaged for OLM. The objects that OLM would create are generated here. */

import { isCore, isList, without, type KubeObject } from "../../../kubernetes/objects/objects";
import { FormatError, placeText } from "../../errors";
import { isBinding } from "../../../kubernetes/objects/rbac";
import { byCode, type FileTree } from "../../tree/tree";
import { faultAt } from "../faults";
import type { BundleObject, Purpose } from "../format";
import { duplicateFaults } from "../manifests";
import { aboutOperator } from "./about";
import { REGISTRY_V1 } from "./annotations";
import { servingOf } from "./objects/certificates";
import { configured } from "./config/apply";
import { readContent, type Content } from "./content";
import { deployments } from "./objects/deployments";
import { modesText, supportedModes, watchOf } from "./objects/installModes";
import { withKnownFields } from "./known";
import { checkNeeds, checkVersion } from "./needs";
import { roles, serviceAccounts, type OperatorPlace } from "./objects/permissions";
import { readChoice, type OperatorChoice } from "./values";
import { annotated, configurations, converted, services } from "./objects/webhooks";
import { isObject, type Json } from "../../../foundation/json/isObject";

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
