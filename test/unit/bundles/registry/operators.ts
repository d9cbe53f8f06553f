import { dump } from "js-yaml";
import type { ClusterFacts, Purpose } from "../../../../bundles/format/format";
import { REGISTRY } from "../../../../bundles/format/registry/registry";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { treeOf } from "../samples";
import type { Json } from "../../../../foundation/json/isObject";

/** In quotes: what looks like a number is a name here. */
const written = (value: object): string => dump(value, { forceQuotes: true });

/** An operator bundle in parts that a test may change. */
export interface Operator {
  annotations: Json;
  csv: KubeObject & { metadata: { annotations: Record<string, string> }; spec: CsvSpec };
  crds: Json[];
  others: Json[];
  /** More files. */
  files: Record<string, string>;
}

interface CsvSpec extends Json {
  installModes: Json[];
  install: { strategy: string; spec: { permissions: Json[]; clusterPermissions: Json[]; deployments: Json[] } };
  customresourcedefinitions: { owned: Json[]; required: Json[] };
  webhookdefinitions: Json[];
}

export const modes = (...supported: string[]): Json[] =>
  ["OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces"].map((type) => ({
    type,
    supported: supported.includes(type),
  }));

export const rule = (resource: string, ...verbs: string[]): Json => ({ apiGroups: [""], resources: [resource], verbs });

export const crd = (kind: string, group = "cache.example.com"): Json => {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: "object" } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase() },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
};

export const deployment = (name: string, account?: string): Json => ({
  name,
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name }, annotations: { kept: "by the template" } },
      spec: {
        ...(account !== undefined && { serviceAccountName: account }),
        containers: [{ name: "manager", image: "example/cache:1" }],
      },
    },
  },
});

export const webhook = (type: string, generateName: string, more: Json = {}): Json => ({
  type,
  generateName,
  deploymentName: "cache",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  ...(type !== "ConversionWebhook" && {
    rules: [
      { apiGroups: ["cache.example.com"], apiVersions: ["v1"], resources: ["memcacheds"], operations: ["CREATE"] },
    ],
  }),
  ...more,
});

const BUNDLE = "operators.operatorframework.io.bundle";

export function operator(change: (operator: Operator) => void = () => undefined): Record<string, string> {
  const made: Operator = {
    annotations: {
      [`${BUNDLE}.mediatype.v1`]: "registry+v1",
      [`${BUNDLE}.manifests.v1`]: "manifests/",
      [`${BUNDLE}.metadata.v1`]: "metadata/",
      [`${BUNDLE}.package.v1`]: "cache",
    },
    csv: {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "ClusterServiceVersion",
      metadata: { name: "cache.v1.0.0", annotations: { capabilities: "Basic Install", kept: "by the CSV" } },
      spec: {
        installModes: modes("AllNamespaces", "OwnNamespace", "SingleNamespace", "MultiNamespace"),
        install: {
          strategy: "deployment",
          spec: {
            clusterPermissions: [{ serviceAccountName: "cache", rules: [rule("nodes", "get")] }],
            permissions: [{ serviceAccountName: "cache", rules: [rule("pods", "get", "list")] }],
            deployments: [deployment("cache", "cache")],
          },
        },
        customresourcedefinitions: {
          owned: [{ name: "memcacheds.cache.example.com", version: "v1", kind: "Memcached" }],
          required: [],
        },
        webhookdefinitions: [],
      },
    },
    crds: [crd("Memcached")],
    others: [],
    files: {},
  };
  change(made);
  return {
    "metadata/annotations.yaml": written({ annotations: made.annotations }),
    "manifests/cache.clusterserviceversion.yaml": written(made.csv),
    ...Object.fromEntries(made.crds.map((one, index) => [`manifests/crd-${index}.yaml`, written(one)])),
    ...Object.fromEntries(made.others.map((one, index) => [`manifests/other-${index}.yaml`, written(one)])),
    ...made.files,
  };
}

export interface Options {
  readonly values?: Json;
  readonly namespace?: string;
  readonly name?: string;
  readonly facts?: ClusterFacts;
  readonly isComing?: (kind: string) => boolean;
}

/** What the format makes of a bundle. */
export async function converted(
  files: Readonly<Record<string, string>>,
  { values = {}, namespace = "caches", name = "cache", facts, isComing }: Options = {},
): Promise<readonly KubeObject[]> {
  const { signal } = new AbortController();
  const cluster = facts && (() => Promise.resolve(facts));
  const purpose: Purpose = { name, namespace, values, cluster, signal, ...(isComing && { isComing }) };
  return (await REGISTRY.read(treeOf(files), purpose)).map(({ object }) => object);
}

/** The one object of a kind; fails where there are several. */
export function only(objects: readonly KubeObject[], kind: string): KubeObject {
  const [found, ...more] = objects.filter((one) => one.kind === kind);
  if (!found || more.length > 0) throw new Error(`found ${more.length + (found ? 1 : 0)} of ${kind}; expected one`);
  return found;
}
