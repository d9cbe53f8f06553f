/**
 * The components for other programs: the same classes, which check their arguments first. A constructor throws a
 * RunError that names the first invalid argument.
 */

import type { ComponentResourceOptions } from "@pulumi/pulumi";
import * as bundles from "../components/bundle/bundles";
import * as clickHouseSet from "../components/clickhouse/clickHouseSet";
import * as cluster from "../components/cluster/cluster";
import * as clusterAutoscaler from "../components/clusterAutoscaler/clusterAutoscaler";
import * as dataAccess from "../components/dataAccess/dataAccess";
import * as ingress from "../components/ingress/ingress";
import * as jupyterHub from "../components/jupyterhub/jupyterHub";
import * as provisionerSet from "../components/provisioners/provisionerSet";
import * as ray from "../components/ray/ray";
import * as terasliceCluster from "../components/teraslice/cluster/terasliceCluster";
import { checked } from "./checked";

const CLUSTER = { value: "a Cluster" };
const CHARTED = { cluster: CLUSTER, charts: { value: "the charts that withCharts fetches" } };

/** All bundle instances of a platform, in dependency order. */
export class Bundles extends bundles.Bundles {
  constructor(name: string, args: bundles.BundlesArgs, opts?: ComponentResourceOptions) {
    super(name, checked("Bundles", args, { instances: { decoded: "bundles" } }), opts);
  }
}

/** The ClickHouse provisioners of a platform. */
export class ClickHouseSet extends clickHouseSet.ClickHouseSet {
  constructor(name: string, args: clickHouseSet.ClickHouseSetArgs, opts?: ComponentResourceOptions) {
    super(name, checked("ClickHouseSet", args, { clickhouse: { decoded: "clickhouse" } }), opts);
  }
}

/** The platform's cluster: access for the components that are installed on it. */
export class Cluster extends cluster.Cluster {
  constructor(name: string, args: cluster.ClusterArgs, opts?: ComponentResourceOptions) {
    super(name, checked("Cluster", args, { existing: { value: "an object with server, kubeconfig, context" } }), opts);
  }
}

/** The cluster-autoscaler on EKS: the upstream chart, and a role limited to the groups of this cluster. */
export class ClusterAutoscaler extends clusterAutoscaler.ClusterAutoscaler {
  constructor(name: string, args: clusterAutoscaler.ClusterAutoscalerArgs, opts?: ComponentResourceOptions) {
    super(name, checked("ClusterAutoscaler", args, { ...CHARTED, settings: { decoded: "clusterAutoscaler" } }), opts);
  }
}

/** IAM roles that give pods access to data, one per entry. */
export class DataAccess extends dataAccess.DataAccess {
  constructor(name: string, args: dataAccess.DataAccessArgs, opts?: ComponentResourceOptions) {
    super(
      name,
      checked("DataAccess", args, {
        cluster: { value: "the `identity` of a Cluster with its `access`" },
        rolePrefix: { value: "what the names of the roles begin with" },
        identity: { value: "podIdentity or irsa" },
        entries: { entriesWith: ["serviceAccounts", "accounts", "createNamespaces", "buckets", "managedPolicies"] },
      }),
      opts,
    );
  }
}

/** Ingress controllers, DNS records and certificates on EKS. Each part is an upstream chart with its own IAM role. */
export class Ingress extends ingress.Ingress {
  constructor(name: string, args: ingress.IngressArgs, opts?: ComponentResourceOptions) {
    super(
      name,
      checked("Ingress", args, {
        ...CHARTED,
        settings: { decoded: "ingress" },
        served: { value: "the cluster on EKS" },
      }),
      opts,
    );
  }
}

/** JupyterHub, installed by the upstream chart in our wrapper. */
export class JupyterHub extends jupyterHub.JupyterHub {
  constructor(name: string, args: jupyterHub.JupyterHubArgs, opts?: ComponentResourceOptions) {
    super(name, checked("JupyterHub", args, { ...CHARTED, settings: { decoded: "jupyterhub" } }), opts);
  }
}

/** The provisioner set of a platform: registers static pools in the ledger and creates namespaces. */
export class ProvisionerSet extends provisionerSet.ProvisionerSet {
  constructor(name: string, args: provisionerSet.ProvisionerSetArgs, opts?: ComponentResourceOptions) {
    super(
      name,
      checked("ProvisionerSet", args, {
        provisioners: { decoded: "provisioners" },
      }),
      opts,
    );
  }
}

/** The platform's Ray clusters, their namespaces and, if needed, the KubeRay operator. */
export class Ray extends ray.Ray {
  constructor(name: string, args: ray.RayArgs, opts?: ComponentResourceOptions) {
    super(
      name,
      checked("Ray", args, { ...CHARTED, clusters: { decoded: "ray" }, operator: { decoded: "rayOperator" } }),
      opts,
    );
  }
}

/** A Teraslice master on Kubernetes with its permissions. */
export class TerasliceCluster extends terasliceCluster.TerasliceCluster {
  constructor(name: string, args: terasliceCluster.TerasliceClusterArgs, opts?: ComponentResourceOptions) {
    super(name, checked("TerasliceCluster", args, { cluster: CLUSTER, settings: { decoded: "teraslice" } }), opts);
  }
}
