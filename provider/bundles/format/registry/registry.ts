/** registry+v1: an operator as OLM packs it. What it would make of it is made here, as plain objects. */

import { isList, isObject, without, type Json, type KubeObject } from "../../../kubernetes/objects";
import { FormatError } from "../../errors";
import { byCode, type FileTree } from "../../tree/tree";
import { faultAt } from "../faults";
import type { BundleFormat, BundleObject, Purpose } from "../format";
import { FOLDER, twice } from "../manifests";
import { aboutOperator } from "./about";
import { ANNOTATIONS_FILE, METADATA, REGISTRY_V1 } from "./annotations";
import { servingOf } from "./certificates";
import { readContent, type Content } from "./content";
import { deployments } from "./deployments";
import { modesText, supportedModes, watchOf } from "./installModes";
import { checkNeeds, checkVersion } from "./needs";
import { roles, serviceAccounts, type Place } from "./permissions";
import { readChoice, type Choice } from "./values";
import { configurations, converted, services } from "./webhooks";

export const REGISTRY: BundleFormat = {
  name: REGISTRY_V1,
  keep: [FOLDER, METADATA],
  takesValues: true,
  looksSo: {
    beside: (names) => names.includes(METADATA),
    inside: ({ files }) => files.has(ANNOTATIONS_FILE),
  },
  about: (tree) => aboutOperator(tree, contentOf(tree)),
  read,
};

async function read(tree: FileTree, purpose: Purpose): Promise<readonly BundleObject[]> {
  const { name, namespace, values, cluster, assumed, isComing = () => false } = purpose;
  const content = contentOf(tree);
  const choice = readChoice(values);
  const objects = objectsOf(content, choice, { name, namespace });
  if (cluster) checkNeeds(content, choice, await cluster(), isComing);
  else if (assumed?.kubeVersion !== undefined) checkVersion(content, assumed.kubeVersion);
  return objects;
}

/** Throws all that is wrong with the content. */
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

/** Everything that the operator consists of. What is generated stands where its ClusterServiceVersion does. */
function objectsOf({ csv, place: csvPlace, crds, others }: Content, choice: Choice, place: Place): BundleObject[] {
  const watch = watchOf(csv, choice.watchNamespaces, place.namespace);
  const served = [...new Set(csv.webhooks.map(({ deployment }) => deployment))].sort(byCode);
  const servings = new Map(served.map((name) => [name, servingOf(name, place, choice.certificates)]));
  const secrets = new Map([...servings].map(([name, { secret }]) => [name, secret]));
  const generated = (objects: readonly KubeObject[]): BundleObject[] =>
    objects.map((object) => ({ ...csvPlace, wave: undefined, object }));
  const all = [
    ...crds.map((crd) => ({ ...crd, wave: undefined, object: converted(crd.object, csv, servings, place) })),
    ...generated(
      serviceAccounts(
        csv,
        others.map(({ object }) => object),
      ),
    ),
    ...generated(roles(csv, watch, place)),
    ...others.map((other) => ({ ...other, wave: undefined, object: inPlace(other.object, place) })),
    ...generated(services(csv, servings)),
    ...generated([...servings.values()].flatMap(({ objects }) => objects)),
    ...generated(deployments(csv, watch, place.namespace, secrets)),
    ...generated(configurations(csv, servings, watch, place)),
  ];
  const faults = twice(all);
  if (faults.length > 0) throw new FormatError(REGISTRY_V1, faults);
  return all;
}

/** In the namespace of the release, whatever the file says; so are service accounts of a binding that names none. */
function inPlace(object: KubeObject, { namespace }: Place): KubeObject {
  const moved: KubeObject = {
    ...object,
    metadata: { ...without(object.metadata, "namespace"), name: object.metadata.name },
  };
  const { subjects } = moved;
  if (!moved.kind.endsWith("RoleBinding") || !isList(subjects)) return moved;
  const placed = (subject: Json): Json =>
    subject["kind"] === "ServiceAccount" && subject["namespace"] === undefined ? { ...subject, namespace } : subject;
  return { ...moved, subjects: subjects.map((subject) => (isObject(subject) ? placed(subject) : subject)) };
}
