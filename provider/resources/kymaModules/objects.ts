/** Builds the objects for Lifecycle Manager. Pure. */

import { isDeepStrictEqual } from "node:util";
import { withoutUndefined } from "../../../foundation/json/withoutUndefined";
import type { Access } from "../../../kubernetes/access/kubeconfig";
import { listAt, textAt, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import type { KymaModule, ModulesInputs } from "./inputs";

export const KYMA = { apiVersion: "operator.kyma-project.io/v1beta2", kind: "Kyma" } as const;
/** The only namespace in which Lifecycle Manager looks for Kymas and Secrets. */
export const NAMESPACE = "kcp-system";
/** The Kyma resource that Lifecycle Manager makes in the cluster. From then on, modules are read from this one. */
export const IN_CLUSTER: Ref = { ...KYMA, namespace: "kyma-system", name: "default" };

const NAME_LABEL = "operator.kyma-project.io/kyma-name";
const MANAGED_BY = "operator.kyma-project.io/managed-by";
/** Lifecycle Manager sees only objects with this label. */
const MANAGER = "lifecycle-manager";
const SHOOT_UID = "stackyard.dev/shoot-uid";
const KEY = "config";

export const kymaRef = (name: string): Ref => ({ ...KYMA, namespace: NAMESPACE, name });
export const secretRef = (name: string): Ref => ({
  ...{ apiVersion: "v1", kind: "Secret", namespace: NAMESPACE },
  name: `kubeconfig-${name}`,
});

/** The Shoot that a Kyma or a Secret was made for; undefined if it is not of this product. */
export const shootOn = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[SHOOT_UID];

const labelsOf = ({ name, labels = {} }: ModulesInputs) => ({ ...labels, [NAME_LABEL]: name, [MANAGED_BY]: MANAGER });

export function kymaOf(inputs: ModulesInputs): KubeObject {
  const { name, shootUid, domain, channel, modules } = inputs;
  const annotations = withoutUndefined({ [SHOOT_UID]: shootUid, "skr-domain": domain === "" ? undefined : domain });
  const metadata = { namespace: NAMESPACE, name, labels: labelsOf(inputs), annotations };
  return { ...KYMA, metadata, spec: { channel, modules: [...modules] } };
}

/** The Secret by which Lifecycle Manager reaches the cluster. */
export function secretOf(inputs: ModulesInputs, kubeconfig: string): KubeObject {
  const { apiVersion, kind, namespace, name } = secretRef(inputs.name);
  const metadata = { namespace, name, labels: labelsOf(inputs), annotations: { [SHOOT_UID]: inputs.shootUid } };
  return { apiVersion, kind, metadata, data: { [KEY]: Buffer.from(kubeconfig).toString("base64") } };
}

export const kubeconfigIn = (secret: KubeObject | undefined): string =>
  Buffer.from(textAt(secret, "data", KEY) ?? "", "base64").toString("utf8");

/**
 * The modules of the Kyma in the cluster after a change of ours. `before`: those of the last update. Modules that others
 * have added stay.
 */
export function mergedModules(
  live: readonly KymaModule[],
  before: readonly KymaModule[],
  wanted: readonly KymaModule[],
): readonly KymaModule[] {
  const ours = new Set([...before, ...wanted].map(({ name }) => name));
  return [...live.filter(({ name }) => !ours.has(name)), ...wanted];
}

/** The modules as a Kyma has them, without the values that the API server sets by default. */
export const modulesIn = (kyma: KubeObject | undefined): KymaModule[] =>
  listAt(kyma, "spec", "modules").map(({ name, channel, customResourcePolicy, managed }) =>
    withoutUndefined<KymaModule>({
      name: String(name),
      channel: channel as string | undefined,
      customResourcePolicy: customResourcePolicy === "CreateAndDelete" ? undefined : (customResourcePolicy as string),
      managed: managed === false ? false : undefined,
    }),
  );

const byName = (modules: readonly KymaModule[]) =>
  new Map(
    modulesIn({ ...KYMA, metadata: { name: "" }, spec: { modules: [...modules] } }).map((one) => [one.name, one]),
  );

export const areSame = (one: readonly KymaModule[], other: readonly KymaModule[]): boolean =>
  isDeepStrictEqual(byName(one), byName(other));

// Access to the cluster. Kubeconfigs that Gardener issues expire after a day at most, so there is a service account.

const ACCOUNT = { namespace: "kube-system", name: "stackyard-lifecycle-manager" };
const RBAC = "rbac.authorization.k8s.io";
export const TOKEN: Ref = { apiVersion: "v1", kind: "Secret", ...ACCOUNT };

/** A service account that may do everything, as modules have controllers with any rights, and its token. */
export const ACCESS: readonly KubeObject[] = [
  { apiVersion: "v1", kind: "ServiceAccount", metadata: ACCOUNT },
  {
    ...{ apiVersion: `${RBAC}/v1`, kind: "ClusterRoleBinding", metadata: { name: ACCOUNT.name } },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", ...ACCOUNT }],
  },
  {
    ...{ apiVersion: "v1", kind: "Secret", type: "kubernetes.io/service-account-token" },
    metadata: { ...ACCOUNT, annotations: { "kubernetes.io/service-account.name": ACCOUNT.name } },
  },
];

/** The kubeconfig with that token; undefined while it has none. */
export function accountKubeconfig({ server, tls }: Access, secret: KubeObject | undefined): string | undefined {
  const token = textAt(secret, "data", "token");
  if (token === undefined) return undefined;
  const [name, ca] = [ACCOUNT.name, tls.ca];
  const cluster = {
    server: server.href.replace(/\/$/, ""),
    ...(ca !== undefined && { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
  };
  const user = { token: Buffer.from(token, "base64").toString("utf8") };
  return JSON.stringify({
    ...{ apiVersion: "v1", kind: "Config", "current-context": name },
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster }],
    users: [{ name, user }],
  });
}
