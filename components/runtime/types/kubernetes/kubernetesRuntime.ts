import * as pulumi from "@pulumi/pulumi";
import { ManifestSet } from "../../../resources/manifestSet";
import { component } from "../../../resources/package";

export interface KubernetesRuntimeArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /** Address of the cluster. */
  readonly cluster: pulumi.Input<string>;
  /** UID of the cluster that it is created in. Default: any cluster at that address. */
  readonly expectedClusterUid?: pulumi.Input<string>;
  /** Namespace, which must exist. Another one is another location, see `allowMove`. */
  readonly namespace: pulumi.Input<string>;
  /** Id that the names of the objects are derived from: a DNS-1123 label of at most 40 characters. */
  readonly provisionId: pulumi.Input<string>;
  /** The runtime's objects, rendered from the provisioner's templates. */
  readonly manifests: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** URL to request after the rollout, until it responds. Default: none; the runtime is ready when rolled out. */
  readonly pingUrl?: pulumi.Input<string>;
  /** Seconds until everything must be ready. Default: 300. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** `Retain` or `Delete`: whether destroy keeps the disk. Default: as the manifests specify. */
  readonly claimsWhenDeleted?: pulumi.Input<string>;
  /** `Refuse` or `Keep`: whether a request for a smaller disk is an error, or keeps the size. Default: Refuse. */
  readonly claimsWhenSmaller?: pulumi.Input<string>;
  /** Whether it may be replaced by one in another cluster or namespace. Default: false. */
  readonly allowMove?: pulumi.Input<boolean>;
  /** Owner id of existing objects to take over unchanged. Default: none; the objects are created. */
  readonly adopt?: pulumi.Input<string>;
  /** Kept disk that a new runtime uses. Default: none; it gets a new disk. */
  readonly disk?: pulumi.Input<string>;
  /** The request, stored in the state with the runtime. */
  readonly record?: pulumi.Input<Record<string, unknown>>;
}

/**
 * A dedicated runtime in a Kubernetes cluster: its objects as one ManifestSet, which waits until they are ready.
 * Changes happen in place and never delete the disk.
 */
export class KubernetesRuntime extends pulumi.ComponentResource {
  /** Sum of the actual sizes of bound claims, in bytes; null if there are none. */
  readonly storageBytes: pulumi.Output<number | null>;
  /** Objects in the cluster: `apps/v1/StatefulSet/namespace/name`. */
  readonly inventory: pulumi.Output<string[]>;

  constructor(name: string, args: KubernetesRuntimeArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("KubernetesRuntime"), name, {}, opts);
    const { provisionId, manifests, pingUrl, allowMove, ...place } = args;
    const set = new ManifestSet(
      `${name}-objects`,
      {
        ...place,
        name: pulumi.interpolate`runtime-${provisionId}`,
        objects: manifests,
        ping: pingUrl === undefined ? undefined : { url: pingUrl },
        allowMove: allowMove ?? false,
      },
      { parent: this },
    );
    this.storageBytes = set.storageBytes;
    this.inventory = set.inventory;
    this.registerOutputs({ storageBytes: this.storageBytes, inventory: this.inventory });
  }
}
