import * as pulumi from "@pulumi/pulumi";
import { Provider, type ProviderArgs } from "@pulumi/kubernetes/provider";
import { ClusterIdentity } from "../resources/clusterIdentity";
import type { ManifestSetArgs } from "../resources/manifestSet";
import { component } from "../resources/package";
import type { NodeSource } from "./onEks/karpenterSettings";
import type { RoleCluster } from "./serviceAccountRole/serviceAccountRole";

/** An existing cluster. */
export interface ExistingClusterArgs {
  /** Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context of the kubeconfig. Default: its current one. */
  readonly context?: pulumi.Input<string>;
  /** Server URL, or `in-cluster`. Identifies the cluster. */
  readonly server: pulumi.Input<string>;
}

export interface ClusterArgs {
  /** The cluster to use. Nothing is created. */
  readonly existing: ExistingClusterArgs;
  /** What a `ServiceAccountRole` needs to know about the cluster. Plain. Not set for a cluster without IAM roles. */
  readonly identity?: RoleCluster;
  /** What Karpenter needs to create nodes. Plain. Not set without Karpenter. */
  readonly nodeSource?: NodeSource | undefined;
  /** Helm releases in it that components import instead of installing them, as namespace/name. Default: none. */
  readonly offered?: readonly string[];
  /** The resource that created the cluster. Not set for an existing cluster. */
  readonly made?: pulumi.Resource;
}

/** The platform's cluster: the same access for an existing and a created one. */
export class Cluster extends pulumi.ComponentResource {
  /** Kubeconfig (YAML text); a secret. Undefined for the cluster that the program itself runs in. */
  public readonly kubeconfig: pulumi.Output<string | undefined>;
  /** Context of the kubeconfig, if one is chosen. */
  public readonly context: pulumi.Output<string | undefined>;
  /** Server URL, or `in-cluster`. Identifies the cluster. */
  public readonly server: pulumi.Output<string>;
  /** Arguments that a `ManifestSet` needs to apply objects to the cluster. */
  public readonly access: Pick<ManifestSetArgs, "kubeconfig" | "context" | "cluster">;
  /** What a `ServiceAccountRole` needs to know about the cluster; undefined for a cluster without IAM roles. */
  public readonly identity: RoleCluster | undefined;
  /** What Karpenter needs to create nodes; undefined without Karpenter. */
  public readonly nodeSource: NodeSource | undefined;
  /** The resource that created the cluster; undefined for an existing cluster. */
  public readonly made: pulumi.Resource | undefined;
  /** Helm releases in it that components import instead of installing them, as namespace/name. */
  public readonly offered: readonly string[];
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
    this.offered = args.offered ?? [];
    this.providerName = name;
    this.registerOutputs({ kubeconfig: this.kubeconfig, context: this.context, server: this.server });
  }

  /** The Kubernetes provider of this cluster. Created on first use, because starting one takes time. */
  public get provider(): Provider {
    if (this.madeProvider === undefined) {
      // By default, the provider treats a changed address as another cluster and replaces all its resources.
      const { identifier } = new ClusterIdentity(this.providerName, this.access, { parent: this });
      const { kubeconfig, context } = this.access;
      const args = { kubeconfig, context, clusterIdentifier: identifier } as ProviderArgs;
      this.madeProvider = new Provider(this.providerName, args, { parent: this });
    }
    return this.madeProvider;
  }
}
