// Generated from provider/resources/*/schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface ShootArgs {
  /** Kubeconfig of the Gardener project, as YAML text. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
  /** The Shoot, a complete object with name and namespace. */
  readonly shoot: pulumi.Input<Record<string, unknown>>;
  /** Operation of the service that changes it, an annotation; never a change by itself. */
  readonly operationId?: pulumi.Input<string>;
  /** False returns as soon as Gardener has accepted a change. Default: true. */
  readonly wait?: pulumi.Input<boolean>;
  /** Seconds by stage, such as WaitingForClusterCreation. Default: those of the Runtime Provisioner. */
  readonly timeouts?: pulumi.Input<Record<string, pulumi.Input<number>>>;
  /** Where audit logs go, by provider of the Seed and region. Default: nowhere. */
  readonly auditLogs?: pulumi.Input<Record<string, unknown>>;
  /** Whether a deletion that can't end is forced. Default: false. */
  readonly allowForceDeletion?: pulumi.Input<boolean>;
  /** Owner id of the Shoot, or UID of one without any: it is taken over as it is. Default: it is created. */
  readonly adopt?: pulumi.Input<string>;
  /** Kept in the state with the resource; applied nowhere. Its member `change` never causes an update by itself. */
  readonly record?: pulumi.Input<Record<string, unknown>>;
}

/** A cluster that Gardener creates. It is never replaced: what can't change in place is an error. */
export class Shoot extends pulumi.CustomResource {
  /** UID of the Shoot. */
  declare public readonly uid: pulumi.Output<string>;
  /** Generation of the Shoot. */
  declare public readonly generation: pulumi.Output<number>;
  /** Domain of the cluster. */
  declare public readonly domain: pulumi.Output<string | undefined>;
  /** Seed of its control plane. */
  declare public readonly seed: pulumi.Output<string | undefined>;
  /** Its Kubernetes version. */
  declare public readonly kubernetesVersion: pulumi.Output<string>;
  /** URL of its API server. */
  declare public readonly apiServer: pulumi.Output<string | undefined>;
  /** Whether it is hibernated. */
  declare public readonly hibernated: pulumi.Output<boolean>;
  /** CPUs of its least number of nodes, where the CloudProfile can be read. */
  declare public readonly cpu: pulumi.Output<number | undefined>;
  /** Memory in GB of those. */
  declare public readonly memoryGb: pulumi.Output<number | undefined>;

  constructor(name: string, args: ShootArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:Shoot",
      name,
      {
        ...args,
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        uid: undefined,
        generation: undefined,
        domain: undefined,
        seed: undefined,
        kubernetesVersion: undefined,
        apiServer: undefined,
        hibernated: undefined,
        cpu: undefined,
        memoryGb: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig"] }),
    );
  }
}
