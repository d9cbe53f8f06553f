/** The components for other programs: the same classes, which check their arguments first. */

import type { ComponentResourceOptions } from "@pulumi/pulumi";
import * as bundles from "../components/bundle/bundles";
import * as clickHouseSet from "../components/clickhouse/clickHouseSet";
import * as cluster from "../components/cluster/cluster";
import * as clusterAutoscaler from "../components/cluster/autoscaler/clusterAutoscaler";
import * as dataAccess from "../components/cluster/dataAccess/dataAccess";
import * as ingress from "../components/ingress/ingress";
import * as jupyterHub from "../components/jupyterhub/jupyterHub";
import * as provisionerSet from "../components/provisioners/provisionerSet";
import * as ray from "../components/ray/ray";
import * as terasliceCluster from "../components/teraslice/cluster/terasliceCluster";
import { checked } from "./checked";

const CLUSTER = { value: "a Cluster" };
const CHARTED = { cluster: CLUSTER, charts: { value: "the charts that withCharts fetches" } };

export class Bundles extends bundles.Bundles {
  constructor(name: string, args: bundles.BundlesArgs, opts?: ComponentResourceOptions) {
    super(name, checked("Bundles", args, { instances: { decoded: "bundles" } }), opts);
  }
}

export class ClickHouseSet extends clickHouseSet.ClickHouseSet {
  constructor(name: string, args: clickHouseSet.ClickHouseSetArgs, opts?: ComponentResourceOptions) {
    super(name, checked("ClickHouseSet", args, { clickhouse: { decoded: "clickhouse" } }), opts);
  }
}

export class Cluster extends cluster.Cluster {
  constructor(name: string, args: cluster.ClusterArgs, opts?: ComponentResourceOptions) {
    super(name, checked("Cluster", args, { existing: { value: "an object with server, kubeconfig, context" } }), opts);
  }
}

export class ClusterAutoscaler extends clusterAutoscaler.ClusterAutoscaler {
  constructor(name: string, args: clusterAutoscaler.ClusterAutoscalerArgs, opts?: ComponentResourceOptions) {
    super(name, checked("ClusterAutoscaler", args, { ...CHARTED, settings: { decoded: "clusterAutoscaler" } }), opts);
  }
}

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

export class JupyterHub extends jupyterHub.JupyterHub {
  constructor(name: string, args: jupyterHub.JupyterHubArgs, opts?: ComponentResourceOptions) {
    super(name, checked("JupyterHub", args, { ...CHARTED, settings: { decoded: "jupyterhub" } }), opts);
  }
}

export class ProvisionerSet extends provisionerSet.ProvisionerSet {
  constructor(name: string, args: provisionerSet.ProvisionerSetArgs, opts?: ComponentResourceOptions) {
    super(
      name,
      checked("ProvisionerSet", args, {
        pools: { decoded: "pools" },
        kubernetes: { decoded: "kubernetes" },
        gardener: { decoded: "gardener", optional: true },
      }),
      opts,
    );
  }
}

export class Ray extends ray.Ray {
  constructor(name: string, args: ray.RayArgs, opts?: ComponentResourceOptions) {
    super(
      name,
      checked("Ray", args, { ...CHARTED, clusters: { decoded: "ray" }, operator: { decoded: "rayOperator" } }),
      opts,
    );
  }
}

export class TerasliceCluster extends terasliceCluster.TerasliceCluster {
  constructor(name: string, args: terasliceCluster.TerasliceClusterArgs, opts?: ComponentResourceOptions) {
    super(name, checked("TerasliceCluster", args, { cluster: CLUSTER, settings: { decoded: "teraslice" } }), opts);
  }
}
