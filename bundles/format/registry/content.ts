/** Reads the files of an operator bundle, and checks that they match. */

import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { at, isCore, textAt, isCrd, type KubeObject } from "../../../kubernetes/objects/objects";
import type { BundleFault } from "../../errors";
import { byCode, type FileTree } from "../../tree/tree";
import { faultAt } from "../faults";
import type { BundleObject } from "../format";
import { FOLDER, readManifests, type Leniency } from "../manifests";
import { annotationFaults } from "./annotations";
import { DEFAULT_ACCOUNT, readCsv, type Csv } from "./csv";
import { readDependencies, type Dependency } from "./dependencies";

/** The kinds that OLM accepts in an operator bundle besides its ClusterServiceVersion. */
const KINDS: ReadonlySet<string> = new Set([
  ...["ConfigMap", "Secret", "Service", "ServiceAccount"],
  ...["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"],
  ...["NetworkPolicy", "PodDisruptionBudget", "PriorityClass", "VerticalPodAutoscaler"],
  ...["PodMonitor", "PrometheusRule", "ServiceMonitor"],
  ...["ConsoleCLIDownload", "ConsoleLink", "ConsolePlugin", "ConsoleQuickStart", "ConsoleYAMLSample"],
]);

type Kind = Pick<KubeObject, "apiVersion" | "kind">;

/** OLM only compares the kind: one of the operator's own kinds may have the same name, for example in a sample. */
const isSupported = ({ kind }: Kind): boolean => KINDS.has(kind);

const SUPPORTED = [...KINDS].sort().join(", ");

const CSV_API = "operators.coreos.com/v1alpha1";
/** By kind alone, as in OLM. */
const isCsv = ({ kind }: Kind): boolean => kind === "ClusterServiceVersion";

const CRD_API = "apiextensions.k8s.io/v1";

export interface Content {
  readonly csv: Csv;
  /** Position of the ClusterServiceVersion. */
  readonly place: BundleObject;
  readonly crds: readonly BundleObject[];
  readonly others: readonly BundleObject[];
  readonly dependencies: readonly Dependency[];
}

/** Relaxed rules like those of OLM. */
const LENIENT: Leniency = {
  keysTwice: true,
  anyNamespace: true,
  apiVersions: { ClusterServiceVersion: CSV_API, CustomResourceDefinition: CRD_API },
};

/** Reads a bundle as far as possible, and returns all faults. */
export function readContent(tree: FileTree): { readonly content: Content | undefined; readonly faults: BundleFault[] } {
  const { objects, faults: found } = readManifests(tree, LENIENT);
  const faults = [...found, ...annotationFaults(tree)];
  const csvs = objects.filter(({ object }) => isCsv(object));
  const crds = objects.filter(({ object }) => isCrd(object));
  const others = objects.filter(({ object }) => !isCsv(object) && !isCrd(object));
  for (const one of crds) {
    const { apiVersion, kind } = one.object;
    if (apiVersion !== CRD_API)
      faults.push(faultAt(one, `found ${kind} of ${apiVersion}, which no cluster takes any more; expected ${CRD_API}`));
  }
  for (const one of others.filter(({ object }) => !isSupported(object))) {
    const { apiVersion, kind, metadata } = one.object;
    const what = `found ${kind} ${metadata.name} of ${apiVersion}; expected only what the format has: ${SUPPORTED}`;
    faults.push(faultAt(one, what));
  }
  const [place, ...more] = csvs;
  for (const one of more) {
    const what = `found ClusterServiceVersion ${one.object.metadata.name} beside the one in ${place?.file}:${place?.line}; expected one`;
    faults.push(faultAt(one, what));
  }
  if (!place) {
    // Unreadable files are already reported.
    if (found.length === 0) faults.push({ file: FOLDER, what: "found no ClusterServiceVersion; expected one" });
    return { content: undefined, faults };
  }
  const check = new InputCheck([]);
  const csv = readCsv(place.object, check);
  faults.push(...check.failures.map(({ property, reason }) => faultAt(place, `${property}: ${reason}`)));
  faults.push(...crdFaults(csv, place, crds), ...accountFaults(csv, place, others));
  const dependencies = readDependencies(tree, csv, place);
  faults.push(...dependencies.faults);
  const content = { csv, place, crds, others, dependencies: dependencies.found };
  return { content, faults };
}

/** Checks that the bundle contains the CustomResourceDefinitions that it declares as its own. */
function crdFaults({ owned }: Csv, place: BundleObject, crds: readonly BundleObject[]): BundleFault[] {
  const faults: BundleFault[] = [];
  for (const { path, name, version, kind } of owned) {
    const crd = crds.find(({ object }) => object.metadata.name === name);
    if (!crd) {
      if (name !== "")
        faults.push(faultAt(place, `${path}.name: found "${name}"; expected a definition in ${FOLDER}/`));
      continue;
    }
    const has = { kind: textAt(crd.object, "spec", "names", "kind"), versions: versionsOf(crd) };
    const where = `${crd.file}:${crd.line}`;
    if (has.kind !== undefined && has.kind !== kind)
      faults.push(faultAt(place, `${path}.kind: found "${kind}"; expected ${has.kind}, as in ${where}`));
    // In an old API the version is in another field; this is already reported.
    if (version !== "" && crd.object.apiVersion === CRD_API && !has.versions.includes(version))
      faults.push(
        faultAt(
          place,
          `${path}.version: found "${version}"; expected one of ${has.versions.join(", ")}, as in ${where}`,
        ),
      );
  }
  for (const crd of crds) {
    const { name } = crd.object.metadata;
    if (owned.some((one) => one.name === name)) continue;
    const what = `found CustomResourceDefinition ${name}; expected it among spec.customresourcedefinitions.owned of the ClusterServiceVersion`;
    faults.push(faultAt(crd, what));
  }
  return faults;
}

function versionsOf({ object }: BundleObject): string[] {
  const versions = at(object, "spec", "versions");
  return Array.isArray(versions) ? versions.flatMap((one) => textAt(one, "name") ?? []) : [];
}

/** Pods never start with a service account that does not exist. */
function accountFaults(csv: Csv, place: BundleObject, others: readonly BundleObject[]): BundleFault[] {
  const given = [...csv.permissions, ...csv.clusterPermissions].map(({ serviceAccount }) => serviceAccount);
  const included = others.flatMap(({ object }) => (isCore(object, "ServiceAccount") ? [object.metadata.name] : []));
  const known = new Set([DEFAULT_ACCOUNT, ...given, ...included]);
  return csv.deployments.flatMap(({ path, spec }) => {
    const account = textAt(spec, "template", "spec", "serviceAccountName");
    if (account === undefined || known.has(account)) return [];
    const what = `${path}.spec.template.spec.serviceAccountName: found "${account}"; expected one of ${[...known].sort(byCode).join(", ")}`;
    return [faultAt(place, what)];
  });
}
