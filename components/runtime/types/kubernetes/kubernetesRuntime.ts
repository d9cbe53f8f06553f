import * as pulumi from "@pulumi/pulumi";
import { ManifestSet, type ManifestSetArgs } from "../../../resources/manifestSet";
import { component } from "../../../resources/package";

export interface KubernetesRuntimeArgs extends Omit<ManifestSetArgs, "name" | "objects" | "ping"> {
  /** Id that the names of the objects are derived from: a DNS-1123 label of at most 40 characters. */
  readonly provisionId: pulumi.Input<string>;
  /** The runtime's objects, rendered from the provisioner's templates. */
  readonly manifests: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** URL to request after the rollout, until it responds. Default: none; the runtime is ready when rolled out. */
  readonly pingUrl?: pulumi.Input<string>;
  /** Whether it may be replaced by one in another cluster or namespace. Default: false. */
  readonly allowMove?: pulumi.Input<boolean>;
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
