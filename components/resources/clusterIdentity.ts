// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface ClusterIdentityArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
}

/** Identity of a cluster, independent of its address. Creates nothing. */
export class ClusterIdentity extends pulumi.CustomResource {
  /**
   * UID of the cluster (of its namespace kube-system), or its address if the kubeconfig's user may not read the UID.
   */
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
