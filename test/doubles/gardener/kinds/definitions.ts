import type { KubeObject } from "../../../../kubernetes/objects/objects";
import type { Schema } from "./blocks";
import { cloudProfile, credentialsBinding, project, secretBinding, seed } from "./others";
import { shoot } from "./shoot";
import { GARDENER } from "../../../../toolchain/tools/gardener";

export const GROUP = "core.gardener.cloud";
export const VERSION = "v1beta1";
const SECURITY = { group: "security.gardener.cloud", version: "v1alpha1" };

interface Kind {
  /** Default: {@link GROUP} and {@link VERSION}. */
  readonly api?: { readonly group: string; readonly version: string };
  readonly kind: string;
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly schema: Schema;
  readonly columns?: readonly { readonly name: string; readonly type: string; readonly jsonPath: string }[];
}

const column = (name: string, jsonPath: string, type = "string") => ({ name, type, jsonPath });

const kindsOf = (release: string): readonly Kind[] => [
  {
    kind: "Shoot",
    plural: "shoots",
    scope: "Namespaced",
    schema: shoot(release),
    columns: [
      column("CloudProfile", ".spec.cloudProfileName"),
      column("Provider", ".spec.provider.type"),
      column("Region", ".spec.region"),
      column("K8s Version", ".spec.kubernetes.version"),
      column("Hibernation", ".status.hibernated", "boolean"),
      column("Last Operation", ".status.lastOperation.state"),
      column("Progress", ".status.lastOperation.progress", "number"),
    ],
  },
  { kind: "Project", plural: "projects", scope: "Cluster", schema: project },
  { kind: "SecretBinding", plural: "secretbindings", scope: "Namespaced", schema: secretBinding },
  {
    api: SECURITY,
    kind: "CredentialsBinding",
    plural: "credentialsbindings",
    scope: "Namespaced",
    schema: credentialsBinding,
  },
  { kind: "Seed", plural: "seeds", scope: "Cluster", schema: seed },
  { kind: "CloudProfile", plural: "cloudprofiles", scope: "Cluster", schema: cloudProfile },
];

/** CustomResourceDefinitions that replace the API server of a release of Gardener. */
export function definitions(release: string = GARDENER.newest.version): KubeObject[] {
  return kindsOf(release).map(
    ({ api = { group: GROUP, version: VERSION }, kind, plural, scope, schema, columns = [] }) => {
      const subresources = "status" in (schema["properties"] as object) ? { status: {} } : undefined;
      const metadata = { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: { type: "object" } };
      const openAPIV3Schema = { ...schema, properties: { ...metadata, ...(schema["properties"] as object) } };
      const version = { name: api.version, served: true, storage: true, schema: { openAPIV3Schema } };
      return {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `${plural}.${api.group}` },
        spec: {
          group: api.group,
          scope,
          names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
          versions: [{ ...version, subresources, additionalPrinterColumns: columns }],
        },
      };
    },
  );
}
