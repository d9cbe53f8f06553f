import * as pulumi from "@pulumi/pulumi";
import { shootAccessText } from "../../../../foundation/shootAccess";
import { ManifestSet } from "../../../resources/manifestSet";
import { component } from "../../../resources/package";
import { DataGuard } from "../../../resources/dataGuard";
import { dataPart } from "../../../resources/guard/dataPart";
import { Shoot, type ShootArgs } from "../../../resources/gardener/shoot";
import { DirectorRuntime } from "../../../resources/gardener/directorRuntime";
import type { Manifest } from "../../templates/render";
import { GardenerKyma } from "./kyma/kyma";
import type { KymaResource } from "./kyma/modules";
import type { KymaPlan } from "./kyma/plan";
import type { DirectorSettings } from "./kyma/settings";

interface GardenerRuntimeArgs extends ShootArgs {
  /** Kubeconfig of the Gardener project (YAML text); a secret. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Namespace of the Gardener project. Plain, like `shootName`. */
  readonly namespace: string;
  /** Name of the Shoot. */
  readonly shootName: string;
  /** ClusterRoleBindings in the cluster. Plain, because without any there is no resource. */
  readonly bindings: readonly Manifest[];
  /** Kyma in the cluster. Plain. Default: none. */
  readonly contents?: Contents;
  /** Registration in a Director. Plain. Default: none. */
  readonly registration?: RuntimeRegistration;
}

/** The parts of Kyma in a cluster. */
export interface Contents {
  readonly kyma?: KymaPlan;
  /** Its Kyma in the cluster of Lifecycle Manager, with mode `modules`. */
  readonly resource?: KymaResource;
  /** Whether its agent is connected to the Director. */
  readonly agent: boolean;
}

/** Registration of a runtime in a Director. */
export interface RuntimeRegistration {
  readonly director: DirectorSettings;
  readonly tenant: string;
  /** Platform and deployment. */
  readonly owner: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly labels?: Readonly<Record<string, unknown>> | undefined;
}

/** A runtime that is a dedicated Kubernetes cluster, created by Gardener. */
export class GardenerRuntime extends pulumi.ComponentResource {
  /** The cluster. */
  readonly shoot: Shoot;
  /** State of the agent's connection to the Director; undefined without a connection. */
  readonly connectionState: pulumi.Output<string | undefined>;

  constructor(name: string, args: GardenerRuntimeArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("GardenerRuntime"), name, {}, opts);
    const { namespace, shootName, bindings, contents, registration, ...shootArgs } = args;
    const runtime = registration && registered(`${name}-registration`, registration, { parent: this });
    // The registration is created first and deleted last, so that no cluster exists without one.
    const shoot = new Shoot(`${name}-shoot`, shootArgs, { parent: this, dependsOn: runtime ? [runtime] : [] });
    this.shoot = shoot;
    if (bindings.length > 0) {
      // Deleted with the cluster, which may be hibernated at that time.
      const inCluster = { parent: this, dependsOn: [shoot], deletedWith: shoot };
      const set = {
        kubeconfig: this.kubeconfigFor(args),
        cluster: `Shoot ${namespace}/${shootName}`,
        name: "administrators",
        namespace: "kube-system",
        objects: [...bindings],
        // It goes with its cluster, without a deletion of its own, so its record may outlive it.
        shared: true,
      };
      new ManifestSet(`${name}-administrators`, set, inCluster);
    }
    const isEmpty = contents?.kyma === undefined && !(contents?.agent === true && runtime !== undefined);
    const kyma = isEmpty
      ? undefined
      : new GardenerKyma(
          `${name}-kyma`,
          {
            kubeconfig: this.kubeconfigFor(args),
            cluster: `Shoot ${namespace}/${shootName}`,
            shoot,
            ...(contents?.kyma && { plan: contents.kyma }),
            ...(contents?.resource && {
              resource: {
                ...contents.resource,
                shootUid: shoot.uid,
                domain: shoot.domain.apply((domain) => domain ?? ""),
              },
            }),
            ...(contents?.agent === true &&
              registration &&
              runtime && {
                director: registration.director,
                tenant: registration.tenant,
                runtimeId: runtime.runtimeId,
                labels: shoot.domain.apply((domain) => ({
                  gardenerClusterName: shootName,
                  gardenerClusterDomain: domain ?? "",
                })),
              }),
          },
          { parent: this, dependsOn: [shoot] },
        );
    // Deleted first: with these modes Kyma is deleted before its Shoot, which refuses an older state.
    if (kyma && ["installer", "modules"].includes(contents?.kyma?.mode ?? "")) {
      const id = pulumi.all([shoot.instance, shoot.uid]).apply(([instance, uid]) => instance ?? uid);
      const owner = { id, generation: shoot.ownerGeneration.apply((one) => one ?? 0) };
      const part = { type: "shoot", namespace, name: shootName, owner };
      const { kubeconfig, context } = args;
      new DataGuard(
        `${name}-guard`,
        { parts: [dataPart({ kubeconfig, context }, part)] },
        { parent: this, dependsOn: [kyma] },
      );
    }
    this.connectionState = kyma?.connectionState ?? pulumi.output(undefined);
    this.registerOutputs({ shoot: shoot.id, connectionState: this.connectionState });
  }

  /** A ShootAccess that replaces a kubeconfig of the cluster. Gardener issues short-lived kubeconfigs on demand. */
  private kubeconfigFor({ kubeconfig, context, namespace, shootName }: GardenerRuntimeArgs): pulumi.Output<string> {
    const text = pulumi
      .all([kubeconfig, context, this.shoot.id])
      .apply(([garden = "", chosen]) =>
        shootAccessText({ garden, ...(chosen !== undefined && { context: chosen }), namespace, shoot: shootName }),
      );
    return pulumi.secret(text);
  }
}

function registered(name: string, registration: RuntimeRegistration, opts: pulumi.CustomResourceOptions) {
  const { director, tenant, owner, name: runtimeName, description, labels } = registration;
  const { url, tokenUrl, clientId, clientSecret, skipCertVerification } = director;
  const access = { url, tokenUrl, clientId, clientSecret: pulumi.secret(clientSecret), skipCertVerification };
  return new DirectorRuntime(name, { ...access, tenant, owner, name: runtimeName, description, labels }, opts);
}
