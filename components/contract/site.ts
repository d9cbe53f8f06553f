import type * as pulumi from "@pulumi/pulumi";
import type { Charts } from "../charts/charts";
import type { Cluster } from "../cluster/cluster";
import type { PlacedPod } from "../cluster/nodePool/placedPods";
import type { DataPart } from "../resources/dataGuard";
import type { StateResources } from "../resources/ownState";
import type { PlannedRole } from "../cluster/serviceAccountRole/plan";

/** What a feature's `create` gets. */
export interface Site {
  /** The fetched charts. */
  readonly charts: Charts;
  /** The stack's state before this run. */
  readonly state: Promise<StateResources>;
  /** Helm releases that were offered to this stack and are not in its state yet, as namespace/name. */
  readonly offered: readonly string[];
  /** Pods of all features, and the IAM roles that they create. */
  readonly pods: readonly PlacedPod[];
  readonly roles: readonly PlannedRole[];
  /** What the features before it in the list provide. */
  readonly provided: Provided;
  /** Name of a resource of a feature by its role. In a platform, the role itself. */
  readonly named: (role: string) => string;
  /** What is known only when the cluster exists, if another resource of the program makes it. Default: it exists. */
  readonly made?: pulumi.Output<unknown> | undefined;
  /** The component of the package that the resources belong to. Not set in a platform. */
  readonly parent?: pulumi.Resource | undefined;
  /** All resources so far that a refused destroy must not have deleted. */
  readonly guarded: readonly pulumi.Resource[];
}

/** What features build upon. */
export interface Provided {
  /** Not set if the config has no cluster. */
  readonly cluster?: Cluster;
  /** The IAM roles for service accounts. */
  readonly roles?: pulumi.Resource;
  /** Their ARNs by entry of the config. */
  readonly roleArns?: pulumi.Output<Record<string, string>>;
  /** The Ingress controllers. They delete load balancers, so what may have Ingresses is deleted before them. */
  readonly ingress?: pulumi.Resource;
  /** The namespaces of teams. */
  readonly teams?: pulumi.Resource;
  /** Ray clusters by name. */
  readonly ray?: Readonly<Record<string, ReachedRay>>;
}

/** How other components reach a Ray cluster. */
export interface ReachedRay {
  /** Plain, because resources depend on it. */
  readonly access: RayEndpoint;
  /** Resolves when the cluster is ready. Known in a preview if the cluster already exists. */
  readonly ready: pulumi.Output<unknown>;
  /** Its token, if the platform created it. Otherwise it is in the Secret that `access` names, if any. Secret. */
  readonly token?: pulumi.Output<string> | undefined;
  /** Set if a NetworkPolicy closes its head to other namespaces: who uses it needs one that opens it. */
  readonly closed?: ClosedRay | undefined;
}

export interface ClosedRay {
  /** Labels of the head's pod. */
  readonly head: Readonly<Record<string, string>>;
  /** The namespace with the policy. */
  readonly namespace: pulumi.Resource;
}

/** How to reach a Ray cluster. Equal for all modes. */
export interface RayEndpoint {
  readonly mode: string;
  readonly namespace: string;
  readonly service: string;
  /** Address for clients in Kubernetes: `ray://…`. */
  readonly address: string;
  /** URL of the dashboard and the jobs API, in Kubernetes. */
  readonly dashboard: string;
  /** Address for `ray status --address`, in Kubernetes. */
  readonly gcs: string;
  readonly rayVersion: string;
  /** Image of its pods. Clients need the same Ray and Python versions. */
  readonly image: string;
  /** Secret whose key `auth_token` clients need. */
  readonly authSecret?: string;
  /** Secret with `ca.crt` and `ca.key`, to create the certificates that clients need. */
  readonly caSecret?: string;
  /** Ids of the last runs of its jobs, by name. Not set without jobs; unknown before they ran. */
  readonly jobs?: Readonly<Record<string, string>>;
}

/** A component that may contain data, or has releases that only their owner may uninstall. */
export interface Stateful extends pulumi.ComponentResource {
  readonly dataParts: readonly DataPart[];
}

/** What a feature created. */
export interface Created {
  /** What a refused destroy must not have deleted. It is deleted after all guards. */
  readonly guarded?: readonly pulumi.Resource[];
  /** Components with parts that the guard of data checks. They are also guarded. */
  readonly stateful?: readonly Stateful[];
  /** Components that themselves refuse a destroy. */
  readonly guards?: readonly pulumi.Resource[];
  readonly provides?: Provided;
  /** Stack outputs. */
  readonly outputs?: pulumi.Inputs;
}

/**
 * The options of a component with Ingresses, or in a namespace that may be a team's: it is deleted before the Ingress
 * controllers, and created after the namespaces.
 */
export const afterIngress = ({
  provided: { ingress, teams },
  parent,
}: Site): { parent?: pulumi.Resource; dependsOn: pulumi.Resource[] } => ({
  parent,
  dependsOn: [ingress, teams].filter((one) => one !== undefined),
});
