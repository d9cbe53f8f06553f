import * as pulumi from "@pulumi/pulumi";
import { Provider, type ProviderArgs } from "@pulumi/kubernetes/provider";
import { ClusterIdentity } from "../resources/clusterIdentity";
import type { ManifestSetArgs } from "../resources/manifestSet";
import { component } from "../resources/package";
import type { NodeSource } from "./karpenter/settings";
import type { RoleCluster } from "./serviceAccountRole/serviceAccountRole";

/** A cluster that already exists. */
export interface ExistingClusterArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /** Server URL, or `in-cluster`: the address of the cluster. */
  readonly server: pulumi.Input<string>;
}

export interface ClusterArgs {
  /** Take this cluster; nothing is made. */
  readonly existing: ExistingClusterArgs;
  /** What a `ServiceAccountRole` needs of it. Plain; unset for a cluster that has no roles on AWS. */
  readonly identity?: RoleCluster;
  /** What Karpenter creates nodes from. Plain; not set where it creates none. */
  readonly nodeSource?: NodeSource | undefined;
  /** What the cluster was created by. Not set where it is taken. */
  readonly made?: pulumi.Resource;
}

/** The platform's cluster: one way in, wherever it comes from. */
export class Cluster extends pulumi.ComponentResource {
  /** Kubeconfig (YAML text), secret; undefined for the cluster that the program itself runs in. */
  public readonly kubeconfig: pulumi.Output<string | undefined>;
  /** Context of the kubeconfig, when one is chosen. */
  public readonly context: pulumi.Output<string | undefined>;
  /** Server URL, or `in-cluster`: the address of the cluster. */
  public readonly server: pulumi.Output<string>;
  /** What a `ManifestSet` needs to apply objects here. */
  public readonly access: Pick<ManifestSetArgs, "kubeconfig" | "context" | "cluster">;
  /** What a `ServiceAccountRole` needs; undefined for a cluster that has no roles on AWS. */
  public readonly identity: RoleCluster | undefined;
  /** What Karpenter creates nodes from; undefined if it creates none. */
  public readonly nodeSource: NodeSource | undefined;
  /** What the cluster was created by; undefined if it is taken. */
  public readonly made: pulumi.Resource | undefined;
  private readonly providerName: string;
  private madeProvider?: Provider;

  constructor(name: string, args: ClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("Cluster"), name, {}, opts);
    const { kubeconfig, context, server } = args.existing;
    this.kubeconfig = pulumi.secret(kubeconfig);
    this.context = pulumi.output(context);
    this.server = pulumi.output(server);
    this.access = { kubeconfig: kubeconfig && this.kubeconfig, context, cluster: this.server } as typeof this.access;
    this.identity = args.identity;
    this.nodeSource = args.nodeSource;
    this.made = args.made;
    this.providerName = name;
    this.registerOutputs({ kubeconfig: this.kubeconfig, context: this.context, server: this.server });
  }

  /** The Kubernetes provider of this cluster; made when first asked for, because starting one takes time. */
  public get provider(): Provider {
    if (this.madeProvider === undefined) {
      // Left to itself, the provider takes another address for another cluster and has all its resources replaced.
      const { identifier } = new ClusterIdentity(this.providerName, this.access, { parent: this });
      const { kubeconfig, context } = this.access;
      const args = { kubeconfig, context, clusterIdentifier: identifier } as ProviderArgs;
      this.madeProvider = new Provider(this.providerName, args, { parent: this });
    }
    return this.madeProvider;
  }
}
