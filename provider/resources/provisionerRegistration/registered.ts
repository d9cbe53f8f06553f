/** A provisioner that a platform has registered: where what it gives to deployments is found. */

interface Named {
  /** Platform stack, `organization/project/stack`. */
  readonly platform: string;
  readonly provisioner: string;
  /** Whether no other provisioner of its kind is at its place: then objects without a recorded owner belong to it. */
  readonly alone: boolean;
}

/** Objects in a Kubernetes cluster, or Shoots in a Gardener project. */
export interface InCluster extends Named {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Of new ones; that of the project for Shoots. */
  readonly namespace: string;
  /** What deployments get from it. Default: their runtime in the cluster; `cluster`: one that Gardener creates. */
  readonly gives?: "clickhouse" | "cluster";
}

/** Databases on a ClickHouse server. */
export interface OnServer extends Named {
  /** URL of its HTTP interface, with a user who sees all databases. */
  readonly url: string;
  readonly gives: "clickhouse";
}

export type Registered = InCluster | OnServer;

export const isOnServer = (registered: Registered): registered is OnServer => "url" in registered;

/** By which `stackyard:allowRemoval` names it. */
export const keyOf = ({ gives, provisioner }: Registered): string =>
  gives === "clickhouse" ? `${gives}.${provisioner}` : provisioner;

/** For people. */
export const titleOf = ({ gives, provisioner }: Registered): string =>
  `${gives === "clickhouse" ? `${gives} ` : ""}provisioner ${provisioner}`;
