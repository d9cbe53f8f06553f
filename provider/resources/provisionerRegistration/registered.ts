/** A provisioner that a platform has registered, with the location of its deployments' resources. */

interface Named {
  /** Platform stack, `organization/project/stack`. */
  readonly platform: string;
  readonly provisioner: string;
  /**
   * Whether it is the only provisioner of its kind at this place; then objects without a recorded provisioner belong to
   * it.
   */
  readonly alone: boolean;
}

/** Objects in a Kubernetes cluster, or Shoots in a Gardener project. */
export interface InCluster extends Named {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Namespace of new objects; for Shoots, the namespace of the project. */
  readonly namespace: string;
  /** What deployments get from it. Default: a runtime in the cluster; `cluster`: a cluster that Gardener creates. */
  readonly gives?: "clickhouse" | "cluster";
}

/** Databases on a ClickHouse server. */
export interface OnServer extends Named {
  /** URL of its HTTP interface, with a user who sees all databases. */
  readonly url: string;
  readonly gives: "clickhouse";
}

export type Registered = InCluster | OnServer;

export type RegisteredState = Registered & {
  /** UID of the cluster, or of the namespace of the Gardener project. Undefined in older states, or if the user may not read it. */
  readonly clusterUid?: string;
};

export const isOnServer = (registered: Registered): registered is OnServer => "url" in registered;

/** Name in `stackyard:allowRemoval`. */
export const allowanceKey = ({ gives, provisioner }: Registered): string =>
  gives === "clickhouse" ? `${gives}.${provisioner}` : provisioner;

/** Name for messages. */
export const registrationTitle = ({ gives, provisioner }: Registered): string =>
  `${gives === "clickhouse" ? `${gives} ` : ""}provisioner ${provisioner}`;
