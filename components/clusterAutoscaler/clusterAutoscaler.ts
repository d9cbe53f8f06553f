import * as pulumi from "@pulumi/pulumi";
import type { Charts } from "../charts/charts";
import type { DataPart } from "../resources/dataGuard";
import { component } from "../resources/package";
import type { Cluster } from "../cluster/cluster";
import { createRelease } from "../cluster/ownedRelease";
import type { Identity } from "../cluster/onEks/onEks";
import { roleName } from "../cluster/serviceAccountRole/plan";
import { ServiceAccountRole } from "../cluster/serviceAccountRole/serviceAccountRole";
import { AUTOSCALER, type AutoscalerSettings } from "./config/schema";
import { autoscalerStatements } from "./permissions";
import { chartValues } from "./plan";

export interface ClusterAutoscalerArgs {
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** The fetched charts, including the upstream one. */
  readonly charts: Charts;
  /** Plain, because names and the shape of the graph depend on it. */
  readonly settings: AutoscalerSettings;
  /** How its pods get a role that is created here. Default: no role is created. */
  readonly identity?: Identity;
  /** Prefix of the role's name. Default: the cluster's name. */
  readonly rolePrefix?: string;
}

/** The cluster-autoscaler on EKS: the upstream chart, and a role limited to the groups of this cluster. */
export class ClusterAutoscaler extends pulumi.ComponentResource {
  /** ARN of its role; undefined if the config names none and none is created. */
  readonly roleArn: pulumi.Output<string | undefined>;
  /** What the guard of data protects. */
  readonly dataParts: readonly DataPart[];

  constructor(name: string, args: ClusterAutoscalerArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("ClusterAutoscaler"), name, {}, opts);
    const { settings, cluster, identity } = args;
    const made = this.createRole(name, args);
    const annotated = identity === "podIdentity" ? undefined : (made?.roleArn ?? settings.cluster.roleArn);
    const values = pulumi.output(annotated).apply((roleArn) => chartValues(settings, roleArn));
    const { timeoutSeconds } = settings;
    const { dataPart } = createRelease(
      `${name}-release`,
      { cluster, charts: args.charts, chart: "cluster-autoscaler", account: AUTOSCALER, values, timeoutSeconds },
      // A pod gets its role when it starts, so the role must be complete first.
      { parent: this, dependsOn: made ? [made] : [] },
    );
    this.dataParts = [dataPart];
    this.roleArn = pulumi.output(made?.roleArn ?? settings.cluster.roleArn);
    this.registerOutputs({ roleArn: this.roleArn });
  }

  private createRole(name: string, args: ClusterAutoscalerArgs): ServiceAccountRole | undefined {
    const { cluster, identity, settings } = args;
    if (identity === undefined || cluster.identity === undefined) return undefined;
    return new ServiceAccountRole(
      `${name}-role`,
      {
        cluster: cluster.identity,
        roleName: roleName(args.rolePrefix ?? settings.cluster.name, AUTOSCALER.release),
        identity,
        subjects: { [AUTOSCALER.namespace]: [AUTOSCALER.release] },
        // The chart creates it.
        serviceAccounts: "none",
        statements: pulumi.output(cluster.identity.arn).apply(autoscalerStatements),
      },
      { parent: this },
    );
  }
}
