// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface ShootArgs {
  /** Kubeconfig of the Gardener project, as YAML text. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
  /** The Shoot, a complete object with name and namespace. */
  readonly shoot: pulumi.Input<Record<string, unknown>>;
  /**
   * Id of the service's operation that changes it, set as an annotation. A change of it alone does not cause an
   * update.
   */
  readonly operationId?: pulumi.Input<string>;
  /** `false`: return as soon as Gardener has accepted a change. Default: true. */
  readonly wait?: pulumi.Input<boolean>;
  /** Seconds by stage, such as WaitingForClusterCreation. Default: those of the Runtime Provisioner. */
  readonly timeouts?: pulumi.Input<Record<string, pulumi.Input<number>>>;
  /** Log services for audit logs, by provider of the Seed and by region. Default: none. */
  readonly auditLogs?: pulumi.Input<Record<string, unknown>>;
  /** `true`: force a deletion that Gardener can't finish. Default: false. */
  readonly allowForceDeletion?: pulumi.Input<boolean>;
  /**
   * UID of the project's namespace in the garden in which it is created or adopted. Default: any garden at that
   * address.
   */
  readonly expectedGardenUid?: pulumi.Input<string>;
  /**
   * Owner id of an existing Shoot, or the UID of a Shoot without an owner id, to take over unchanged. Default: create
   * the Shoot.
   */
  readonly adopt?: pulumi.Input<string>;
  /**
   * Stored in the state with the resource and used nowhere else. A change of its member `change` alone does not cause
   * an update.
   */
  readonly record?: pulumi.Input<Record<string, unknown>>;
}

/** A cluster that Gardener creates. It is never replaced: a change that is not possible in place is an error. */
export class Shoot extends pulumi.CustomResource {
  /** UID of the Shoot. */
  declare public readonly uid: pulumi.Output<string>;
  /** Generation of the Shoot. */
  declare public readonly generation: pulumi.Output<number>;
  /** Domain of the cluster. */
  declare public readonly domain: pulumi.Output<string | undefined>;
  /** Seed of its control plane. */
  declare public readonly seed: pulumi.Output<string | undefined>;
  /** Kubernetes version of the cluster. */
  declare public readonly kubernetesVersion: pulumi.Output<string>;
  /** URL of its API server. */
  declare public readonly apiServer: pulumi.Output<string | undefined>;
  /** True while the cluster is hibernated. */
  declare public readonly hibernated: pulumi.Output<boolean>;
  /** Number of CPUs of its minimum number of nodes, if the CloudProfile can be read. */
  declare public readonly cpu: pulumi.Output<number | undefined>;
  /** Memory of those nodes in GB. */
  declare public readonly memoryGb: pulumi.Output<number | undefined>;
  /** Id of its owner, unless it was imported. */
  declare public readonly instance: pulumi.Output<string | undefined>;
  /** Generation of the record of the Shoot's owner after the last change. */
  declare public readonly ownerGeneration: pulumi.Output<number | undefined>;

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
        instance: undefined,
        ownerGeneration: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig"] }),
    );
  }
}
