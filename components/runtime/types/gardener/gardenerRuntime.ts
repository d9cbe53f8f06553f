import * as pulumi from "@pulumi/pulumi";
import { shootAccessText } from "../../../../foundation/shootAccess";
import { ManifestSet } from "../../../resources/manifestSet";
import { component } from "../../../resources/package";
import { Shoot, type ShootArgs } from "../../../resources/gardener/shoot";
import { administratorBindings } from "./administrators";

export interface GardenerRuntimeArgs extends ShootArgs {
  /** Kubeconfig of the Gardener project (YAML text); a secret. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Namespace of the Gardener project. Plain, as the name is. */
  readonly namespace: string;
  /** Name of the Shoot. */
  readonly shootName: string;
  /** Users who are cluster-admin in the cluster. Plain: without any there is no resource. */
  readonly administrators: readonly string[];
}

/** A runtime that is a Kubernetes cluster of its own, created by Gardener. */
export class GardenerRuntime extends pulumi.ComponentResource {
  /** The cluster. */
  readonly shoot: Shoot;

  constructor(name: string, args: GardenerRuntimeArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("GardenerRuntime"), name, {}, opts);
    const { namespace, shootName, administrators, ...shootArgs } = args;
    const shoot = new Shoot(`${name}-shoot`, shootArgs, { parent: this });
    this.shoot = shoot;
    if (administrators.length > 0) {
      // Deleted with the cluster, which may be hibernated by then.
      const inCluster = { parent: this, dependsOn: [shoot], deletedWith: shoot };
      const set = {
        kubeconfig: this.kubeconfigFor(args),
        cluster: `Shoot ${namespace}/${shootName}`,
        name: "administrators",
        namespace: "kube-system",
        objects: administratorBindings(administrators),
      };
      new ManifestSet(`${name}-administrators`, set, inCluster);
    }
    this.registerOutputs({ shoot: shoot.id });
  }

  /** Stands for a kubeconfig of the cluster, which Gardener issues for a limited time whenever it is needed. */
  private kubeconfigFor({ kubeconfig, context, namespace, shootName }: GardenerRuntimeArgs): pulumi.Output<string> {
    const text = pulumi
      .all([kubeconfig, context, this.shoot.id])
      .apply(([garden = "", chosen]) =>
        shootAccessText({ garden, ...(chosen !== undefined && { context: chosen }), namespace, shoot: shootName }),
      );
    return pulumi.secret(text);
  }
}
