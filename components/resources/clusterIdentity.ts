// Generated from provider/resources/*/schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface ClusterIdentityArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
}

/** What a cluster is known by, whatever its address. It makes nothing. */
export class ClusterIdentity extends pulumi.CustomResource {
  /** UID of the cluster (of its namespace kube-system); its address where the kubeconfig's user may not read that. */
  declare public readonly identifier: pulumi.Output<string>;

  constructor(name: string, args: ClusterIdentityArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:ClusterIdentity",
      name,
      {
        ...args,
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        identifier: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig"] }),
    );
  }
}
