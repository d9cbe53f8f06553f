// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface ProvisionerRegistrationArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /** Platform stack, `organization/project/stack`. */
  readonly platform: string;
  /** Name of the provisioner. */
  readonly provisioner: string;
  /** Namespace of the objects that deployments get from it. */
  readonly namespace?: string;
  /**
   * URL of the ClickHouse server instead of cluster and namespace, with a user that can list all databases; a secret.
   */
  readonly url?: pulumi.Input<string>;
  /** What deployments get from it: `clickhouse`, or `cluster` from Gardener. Default: their runtime. */
  readonly gives?: string;
  /** `true`: no other provisioner of the platform uses the same cluster and namespace, or the same server. */
  readonly alone: boolean;
}

/** A provisioner of a platform that has no ledger. Destroying it fails while it has deployments. */
export class ProvisionerRegistration extends pulumi.CustomResource {
  /**
   * UID of the cluster, or of the namespace of the Gardener project. Undefined if the kubeconfig's user may not read
   * it.
   */
  declare public readonly clusterUid: pulumi.Output<string | undefined>;

  constructor(name: string, args: ProvisionerRegistrationArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:ProvisionerRegistration",
      name,
      {
        ...args,
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        url: args.url === undefined ? undefined : pulumi.secret(args.url),
        clusterUid: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig", "url"] }),
    );
  }
}
