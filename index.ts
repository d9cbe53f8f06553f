import "./foundation/pulumi/structs";
import "./foundation/schema/interpreted";
import * as pulumi from "@pulumi/pulumi";
import { Bundles } from "./components/bundle/bundles";
import { ClickHouseSet } from "./components/clickhouse/clickHouseSet";
import { clickHouseRevisions } from "./components/clickhouse/revision";
import { withCharts } from "./components/charts/platformCharts";
import { warnOfSizes } from "./components/cluster/existingNodes";
import { checkReleases } from "./components/cluster/otherReleases";
import {
  platformAutoscaler,
  platformCluster,
  platformDataAccess,
  platformGpuPlugin,
  platformKarpenter,
  platformMetrics,
} from "./components/cluster/platformCluster";
import { readConfig } from "./components/platform/config/decode";
import { platformIngress } from "./components/ingress/platformIngress";
import { JupyterHub } from "./components/jupyterhub/jupyterHub";
import { ProvisionerSet } from "./components/provisioners/provisionerSet";
import { noteChanged } from "./components/provisioners/changed";
import { provisionerRevisions } from "./components/provisioners/revisions";
import { checkRemoval } from "./components/provisioners/removal";
import { Ray } from "./components/ray/ray";
import { guardBalancers } from "./components/resources/guard/guardBalancers";
import { guardData } from "./components/resources/guard/guardData";
import { readOwnState } from "./components/resources/ownState";
import { warnOfDisabled } from "./components/resources/disabled";
import type { Platform } from "./components/runtime/platform/platform";
import { platformService } from "./components/service/platformService";
import { terasliceMasters } from "./components/teraslice/cluster/masters";

/** Pulumi calls this function. Its result becomes the stack outputs. */
export = async (): Promise<pulumi.Inputs> => {
  const given = readConfig();
  const state = readOwnState();
  // Runs while the provider starts. It only logs a warning, so no resource waits for it.
  const sizes = warnOfSizes(given);
  sizes.catch(() => undefined);
  const [{ config, charts, skipped }] = await Promise.all([
    withCharts(given, state),
    warnOfDisabled(given.disabled, state),
    checkRemoval(given, state),
    checkReleases(given, state),
    noteChanged(state, provisionerRevisions(given)),
  ]);

  const cluster = config.cluster && (await platformCluster("cluster", config.cluster, state, config));
  const dataAccess = await platformDataAccess("data-access", config, cluster);
  const autoscaler = await platformAutoscaler("cluster-autoscaler", config, cluster, charts);
  const karpenter = await platformKarpenter("karpenter", config, cluster, charts);
  const gpuPlugin = await platformGpuPlugin("gpu-device-plugin", config, cluster, charts);
  const metrics = await platformMetrics("metrics-server", config, cluster, charts);
  const served = await platformIngress("ingress", config, cluster, charts, state);
  const roleArns = dataAccess?.roleArns;
  // Components that may have Ingresses are deleted before the Ingress controllers, which delete the load balancers.
  const afterIngress = { dependsOn: served ? [served] : [] };
  const rayOptions = { dependsOn: [...(dataAccess ? [dataAccess] : []), ...afterIngress.dependsOn] };
  const ray =
    cluster &&
    config.ray &&
    new Ray("ray", { cluster, charts, clusters: config.ray, operator: config.rayOperator }, rayOptions);
  const jupyterhub =
    cluster &&
    config.jupyterhub &&
    new JupyterHub(
      "jupyterhub",
      { cluster, charts, settings: config.jupyterhub, roleArns, ray: ray?.reached(config.jupyterhub.rayCluster) },
      afterIngress,
    );

  const teraslice = terasliceMasters(config, cluster, afterIngress);

  const instances = config.bundles;
  const bundles = instances.length > 0 && new Bundles("bundles", { cluster, instances }, afterIngress);

  const service = await platformService("service", config, cluster, afterIngress);

  const stateful = [ray, jupyterhub, ...teraslice.clusters, bundles];
  const charted = [autoscaler, karpenter, gpuPlugin, metrics, served];
  const made = [cluster, cluster?.made, ...stateful, ...charted, dataAccess, service].filter(isMade);
  const clusterServer = config.cluster?.type === "existing" ? config.cluster.access.server : undefined;
  const { pools, kubernetes, gardener, ledgerUrl } = config;
  const provisionerSet = new ProvisionerSet("provisioners", {
    ...{ pools, kubernetes, gardener, ledgerUrl, cluster, clusterServer, guarded: made },
  });
  const { provisioners } = provisionerSet;
  // Everything that a refused destroy must not have deleted.
  const guarded = [...made, ...provisionerSet.places];
  const hasClickHouse = Object.keys(config.clickhouse).length > 0;
  const clickhouse =
    hasClickHouse &&
    new ClickHouseSet("clickhouse", { clickhouse: config.clickhouse, cluster, clusterServer, guarded });
  const guard = guardData("data-guard", cluster?.access, stateful, guarded);
  guardBalancers("load-balancer-guard", config, cluster, [...made, guard, provisionerSet, clickhouse]);

  await sizes;
  // Outputs for runtime stacks. Optional ones are omitted, because Pulumi warns about undefined outputs.
  const platform: pulumi.Inputs & { [Field in keyof Platform]: pulumi.Input<Platform[Field]> } = {
    provisioners,
    defaultProvisioner: config.defaultProvisioner,
    environments: config.environments,
    provisionerRevisions: provisionerRevisions(config),
    slot: config.slot,
    ...(config.ledgerUrl && { ledgerUrl: pulumi.secret(config.ledgerUrl) }),
    ...(clickhouse && {
      clickhouse: clickhouse.provisioners,
      clickhouseRevisions: clickHouseRevisions(config.clickhouse),
    }),
  };
  // Outputs for users: `pulumi stack output kubeconfig --show-secrets`.
  return {
    ...platform,
    ...(cluster?.access.kubeconfig && { kubeconfig: cluster.kubeconfig }),
    ...(dataAccess && { dataAccessRoles: dataAccess.roleArns }),
    ...(ray && { ray: ray.endpoints }),
    ...(jupyterhub && { jupyterhub: jupyterhub.url }),
    ...(jupyterhub?.loadBalancer && { jupyterhubLoadBalancer: jupyterhub.loadBalancer }),
    ...teraslice.outputs,
    ...(service && { service: service.endpoint }),
    ...(bundles && { bundles: bundles.outputs }),
    ...(skipped && { skipped }),
  };
};

/** Whether the config has this part of the platform. */
const isMade = <Part extends pulumi.Resource>(part: Part | false | undefined): part is Part =>
  part !== undefined && part !== false;
