// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface KymaInstallationArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current context. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
  /** Version of Kyma, such as 1.24.8, or an on-demand version: main, main-<commit> or PR-<number>. */
  readonly version: pulumi.Input<string>;
  /** URL of the installer's manifests. Default: the URL where Kyma publishes them for the version. */
  readonly installerUrl?: pulumi.Input<string>;
  /**
   * URL of Tiller's manifests. If there are none, Tiller is not installed. Default: the folder of the installer's
   * manifests.
   */
  readonly tillerUrl?: pulumi.Input<string>;
  /** SHA-256 of the installer's manifests. Other content is an error. Default: any content. */
  readonly digest?: pulumi.Input<string>;
  /** Resource profile, `evaluation` or `production`. Default: the release's. */
  readonly profile?: pulumi.Input<string>;
  /**
   * Components in the order of installation: component, namespace, sourceURL, configuration, conflictStrategy.
   * Default: the release's.
   */
  readonly components?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Overrides for all components: key, value. */
  readonly configuration?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Secret overrides: key, value, and component for overrides of a single component. */
  readonly secretOverrides?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** How a value that Kyma also sets is handled: `Merge` or `Replace`. */
  readonly conflictStrategy?: pulumi.Input<string>;
  /**
   * Before Kyma is removed, ServiceInstances of brokers whose URL has this prefix are deleted. Default:
   * https://service-manager.
   */
  readonly brokerUrlPrefix?: pulumi.Input<string>;
  /** Seconds until Kyma must be installed. Default: 3600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** Seconds after which an error that does not change is final. Default: 600. */
  readonly errorPatienceSeconds?: pulumi.Input<number>;
}

/** Kyma 1, installed in a cluster by its own installer. */
export class KymaInstallation extends pulumi.CustomResource {
  /** SHA-256 of the installed manifests of the installer. */
  declare public readonly installedDigest: pulumi.Output<string | undefined>;
  /** State that the installer reports. */
  declare public readonly state: pulumi.Output<string | undefined>;

  constructor(name: string, args: KymaInstallationArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:KymaInstallation",
      name,
      {
        ...args,
        kubeconfig: args.kubeconfig === undefined ? undefined : pulumi.secret(args.kubeconfig),
        secretOverrides: args.secretOverrides === undefined ? undefined : pulumi.secret(args.secretOverrides),
        installedDigest: undefined,
        state: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["kubeconfig", "secretOverrides"] }),
    );
  }
}
