// Generated from provider/resources/*/schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface KymaInstallationArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /**
   * Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does
   * not.
   */
  readonly cluster: pulumi.Input<string>;
  /** Version of Kyma, such as 1.24.8; main, main-<commit> or PR-<number> for one on demand. */
  readonly version: pulumi.Input<string>;
  /** URL of the installer's manifests. Default: where Kyma publishes those of the version. */
  readonly installerUrl?: pulumi.Input<string>;
  /**
   * URL of Tiller's manifests; where there are none, Tiller is not installed. Default: beside those of the installer.
   */
  readonly tillerUrl?: pulumi.Input<string>;
  /** SHA-256 of the installer's manifests. Other content is an error. Optional; default: any. */
  readonly digest?: pulumi.Input<string>;
  /** evaluation or production. Optional; default: the release's. */
  readonly profile?: pulumi.Input<string>;
  /**
   * Components in the order of their installation: component, namespace, sourceURL, configuration, conflictStrategy.
   * Default: the release's.
   */
  readonly components?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Overrides for all components: key, value. */
  readonly configuration?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Overrides that are secret: key, value, and component for those of one component. */
  readonly secretOverrides?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Merge or Replace: what becomes of a value that Kyma sets too. */
  readonly conflictStrategy?: pulumi.Input<string>;
  /**
   * Before Kyma is removed, instances of brokers whose URL begins so are deleted. Default: https://service-manager.
   */
  readonly brokerUrlPrefix?: pulumi.Input<string>;
  /** Seconds until Kyma has to be installed. Default: 3600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** Seconds after which an error that does not change is final. Default: 600. */
  readonly errorPatienceSeconds?: pulumi.Input<number>;
}

/** Kyma 1, installed in a cluster by its own installer. */
export class KymaInstallation extends pulumi.CustomResource {
  /** SHA-256 of the installer's manifests that are installed. */
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
