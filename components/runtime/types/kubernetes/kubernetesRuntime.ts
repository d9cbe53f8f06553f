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
  /** Namespace, which must exist. Another one is another place, see `allowMove`. */
  readonly namespace: pulumi.Input<string>;
  /** Id that the runtime's objects are named by: a DNS-1123 label of at most 40 characters. */
  readonly provisionId: pulumi.Input<string>;
  /** The runtime's objects, rendered from the provisioner's templates. */
  readonly manifests: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** URL to ask once everything is rolled out. Default: it is ready then. */
  readonly pingUrl?: pulumi.Input<string>;
  /** Seconds until everything has to be ready. Default: 300. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /** `Retain` or `Delete`: what happens to the disk on destroy. Default: what the manifests say. */
  readonly claimsWhenDeleted?: pulumi.Input<string>;
  /** `Refuse` or `Keep`: what happens to a change that asks for a smaller disk than there is. Default: Refuse. */
  readonly claimsWhenSmaller?: pulumi.Input<string>;
  /** Whether it may be replaced by one at another place, in another cluster for instance. Default: false. */
  readonly allowMove?: pulumi.Input<boolean>;
  /** Owner id of objects of the runtime that already exist: they are taken over as they are. Default: they are made. */
  readonly adopt?: pulumi.Input<string>;
  /** What was asked for; kept in the state with the runtime. */
  readonly record?: pulumi.Input<Record<string, unknown>>;
}

/**
 * A runtime of its own in a Kubernetes cluster: its objects applied as one, and awaited until they are ready.
 * Changes are made in place and never lose the disk.
 */
export class KubernetesRuntime extends pulumi.ComponentResource {
  /** Sum of what the bound claims really have, in bytes; null when there is none. */
  readonly storageBytes: pulumi.Output<number | null>;
  /** What is in the cluster: `apps/v1/StatefulSet/namespace/name`. */
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
