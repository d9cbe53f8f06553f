/** Builds the objects for Kyma's installer. Pure. */

import { withoutUndefined } from "../../../foundation/json/withoutUndefined";
import { without, type KubeObject } from "../../../kubernetes/objects/objects";
import type { ConflictStrategy, Entry, KymaInputs } from "./inputs";

export const INSTALLATION = {
  apiVersion: "installer.kyma-project.io/v1alpha1",
  kind: "Installation",
  namespace: "default",
  name: "kyma-installation",
} as const;
export const NAMESPACE = "kyma-installer";
export const OVERRIDES = "installer=overrides";
const ACTION = "action";

/** Patch with the label that makes the installer act. */
export const action = (wanted: "install" | "uninstall") => ({ metadata: { labels: { [ACTION]: wanted } } });
export const pendingAction = (installation: KubeObject): string | undefined => installation.metadata.labels?.[ACTION];

/** Builds the Installation from the release and the inputs, without the label that starts the installer. */
export function installationOf(release: KubeObject, inputs: KymaInputs): KubeObject {
  const { labels, annotations, finalizers } = release.metadata;
  const spec = (release["spec"] ?? {}) as Readonly<Record<string, unknown>>;
  const components = inputs.components?.map(({ component, namespace, sourceURL }) => ({
    name: component,
    namespace,
    ...(sourceURL === undefined ? {} : { source: { url: sourceURL } }),
  }));
  return {
    apiVersion: release.apiVersion,
    kind: release.kind,
    metadata: {
      name: INSTALLATION.name,
      namespace: INSTALLATION.namespace,
      ...(labels ? { labels: without({ ...labels }, ACTION) as Record<string, string> } : {}),
      ...(annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
    },
    spec: {
      ...spec,
      ...(inputs.profile === undefined ? {} : { profile: inputs.profile.toLowerCase() }),
      ...(components ? { components } : {}),
    },
  };
}

interface Scope {
  readonly component?: string;
  readonly entries: readonly Entry[];
  readonly secret: boolean;
  readonly strategy?: ConflictStrategy;
}

/**
 * Builds a ConfigMap with public values and a Secret with secret ones, for all components together and for each
 * component with overrides.
 */
export function overridesOf(inputs: KymaInputs): KubeObject[] {
  const { components = [], configuration = [], secretOverrides = [], conflictStrategy } = inputs;
  const secretsOf = (component?: string): readonly Entry[] =>
    secretOverrides.filter((entry) => (entry.component ?? undefined) === component);
  const scopes: Scope[] = [
    { entries: configuration, secret: false, strategy: conflictStrategy },
    { entries: secretsOf(), secret: true, strategy: conflictStrategy },
    ...components.flatMap(({ component, configuration: own = [], conflictStrategy: strategy }): Scope[] => [
      { component, entries: own, secret: false, strategy },
      { component, entries: secretsOf(component), secret: true, strategy },
    ]),
  ];
  return scopes.filter(({ entries }) => entries.length > 0).map(override);
}

function override({ component, entries, secret, strategy }: Scope): KubeObject {
  const metadata = {
    name: `${component ?? "global"}-installer-config`,
    namespace: NAMESPACE,
    labels: withoutUndefined({ installer: "overrides", component, "on-conflict": strategy }),
  };
  // If a key occurs twice, the last value wins.
  const values = entries.map(({ key, value }) => [key, value] as const);
  if (!secret) return { apiVersion: "v1", kind: "ConfigMap", metadata, data: Object.fromEntries(values) };
  const data = Object.fromEntries(values.map(([key, value]) => [key, Buffer.from(value).toString("base64")]));
  return { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data };
}
