// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

/** An owner of Services and Ingresses. */
export interface BalancerOwner {
  /** `set`: a ManifestSet; `bundle`: a BundleRelease; `release`: a Helm release. */
  readonly type: string;
  /** Namespace of the set, bundle or release. */
  readonly namespace: string;
  /** Name of the set, bundle or release. */
  readonly name: string;
}

export interface LoadBalancerGuardArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /** What the stack has in the cluster and deletes together with its load balancers. */
  readonly owners: readonly BalancerOwner[];
}

/**
 * Prevents the deletion of a cluster while Services or Ingresses of other owners have load balancers, unless
 * `stackyard:allowLeftovers` in the stack's config is `true`. It must depend on everything in the cluster, so that
 * it is deleted first.
 */
export class LoadBalancerGuard extends pulumi.CustomResource {
  constructor(name: string, args: LoadBalancerGuardArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:LoadBalancerGuard",
      name,
      { ...args, kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig) },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig"] }),
    );
  }
}
