// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface KymaModulesArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
  /**
   * Kubeconfig (YAML text) of the cluster in which Lifecycle Manager runs; a secret. Default: the cluster that the
   * program itself runs in.
   */
  readonly controlPlaneKubeconfig?: pulumi.Input<string>;
  /** Context of that kubeconfig. Default: its current context. */
  readonly controlPlaneContext?: pulumi.Input<string>;
  /** Address of that cluster, for messages. */
  readonly controlPlane: pulumi.Input<string>;
  /** Name of the Kyma resource in the namespace kcp-system. */
  readonly name: pulumi.Input<string>;
  /** UID of the Shoot. A Kyma resource of another Shoot, or of none, is not changed. */
  readonly shootUid: pulumi.Input<string>;
  /** Labels of the Kyma resource. Default: none. */
  readonly labels?: pulumi.Input<Record<string, unknown>>;
  /** Domain of the cluster. */
  readonly domain?: pulumi.Input<string>;
  /** Channel of modules that name none. */
  readonly channel: pulumi.Input<string>;
  /** Modules: name, channel, customResourcePolicy, managed. Those that others add in the cluster stay as they are. */
  readonly modules: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Seconds until the modules must be ready, or removed. Default: 3600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** Seconds after which an error that does not change is final. Default: 600. */
  readonly errorPatienceSeconds?: pulumi.Input<number>;
}

/** Kyma of a cluster by modules: its Kyma resource, and the access of Lifecycle Manager to the cluster. */
export class KymaModules extends pulumi.CustomResource {
  /** State that Lifecycle Manager reports. */
  declare public readonly state: pulumi.Output<string | undefined>;
  /** Version of each module. */
  declare public readonly versions: pulumi.Output<Record<string, unknown> | undefined>;

  constructor(name: string, args: KymaModulesArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:KymaModules",
      name,
      {
        ...args,
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        controlPlaneKubeconfig:
          args.controlPlaneKubeconfig === undefined ? undefined : pulumi.secret(args.controlPlaneKubeconfig),
        state: undefined,
        versions: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig", "controlPlaneKubeconfig"] }),
    );
  }
}
