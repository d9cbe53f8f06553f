import * as pulumi from "@pulumi/pulumi";
import { databaseIn } from "../../clickhouse/present";
import { prepareDatabase, type PreparedDatabase } from "../../clickhouse/prepare";
import { withPasswordVersion } from "../../clickhouse/restart";
import { clickhouseOutput, recordOf } from "../stateRecord";
import { dataOptions } from "../../protection";
import type { Deployment } from "../../request/deployment";
import { originOf, withOrigin } from "../../record/origin";
import { requestDigest } from "../../record/requestDigest";
import { renderRuntime, type Manifest, type ChartValues, type ClickHouseValues } from "../../templates/render";
import { scaledToZero } from "../../templates/scaledToZero";
import { templateEngine } from "../../templates/templateEngine";
import type { OwnOutputs, RuntimeOptions } from "../runtimeType";
import { KubernetesRuntime } from "./kubernetesRuntime";
import type { KubernetesPlace } from "./place";
import type { KubernetesPlan } from "./plan";

/** The chart's values for a plan. */
function chartValues(plan: KubernetesPlan, clickhouse?: ClickHouseValues): ChartValues {
  const { spec, deployment } = plan;
  return {
    provisionId: plan.provisionId,
    image: spec.image,
    imageTag: deployment.version,
    host: plan.host,
    audienceUrl: plan.audienceUrl,
    slots: deployment.slots,
    cpu: plan.cpu,
    memoryGb: plan.memoryGb,
    storageBytes: plan.storageBytes,
    dataDir: spec.dataDir,
    environment: deployment.environment,
    annotations: deployment.annotations,
    ping: spec.ping === "off" ? "" : spec.ping,
    hibernated: deployment.state === "hibernated",
    ...(clickhouse && { clickhouse }),
  };
}

/** Renders the objects before it registers any resource, so that an invalid template creates nothing. */
export async function createKubernetes(plan: KubernetesPlan, options: RuntimeOptions): Promise<OwnOutputs> {
  const { spec, deployment, host, audienceUrl, storageBytes, namespace } = plan;
  const { kubeconfig, context, cluster, clusterUid, timeoutSeconds, claimsWhenDeleted, dataDir } = spec;
  const kept = keptObjects(plan, options);
  // Always registered, because a provider that appears and disappears would be a change.
  const engine = templateEngine(options.parent && { name: plan.name, parent: options.parent });
  const whose = { deployment: deployment.id, platform: options.platform };
  const prepared =
    options.clickhouse && (await prepareDatabase(options.clickhouse, engine, whose, options.adoptedDatabase));
  const manifests = kept ?? (await render(plan, options.platform, prepared, engine));
  const revision = kept === undefined ? plan.revision : options.present?.record?.revision;
  const place = {
    kubeconfig: kubeconfig === undefined ? undefined : pulumi.secret(kubeconfig),
    context,
    cluster,
    ...(clusterUid !== undefined && { expectedClusterUid: clusterUid }),
    namespace,
    allowMove: options.allowMove,
  };
  const database = prepared?.create(place, dataOptions(deployment));
  // A destroy begins with the runtime, which shows that the state is older or a copy. A database whose creation was
  // interrupted, and whose server is unreachable, must not prevent a runtime from stopping.
  const isIncomplete = databaseIn(options.state ?? {})?.isCreated === false;
  const databases = database && (kept === undefined || !isIncomplete) ? [database.component] : [];
  const runtime = new KubernetesRuntime(
    plan.name,
    {
      ...place,
      provisionId: plan.provisionId,
      manifests: options.secretDeployment ? pulumi.secret(manifests) : manifests,
      pingUrl: deployment.state === "hibernated" ? undefined : plan.pingUrl,
      timeoutSeconds,
      claimsWhenDeleted,
      // A size that is derived from the slots may be smaller than the disk; a requested size may not.
      claimsWhenSmaller: deployment.diskGb === undefined ? "Keep" : "Refuse",
      ...(options.adopt !== undefined && { adopt: options.adopt }),
      ...(options.disk !== undefined && { disk: options.disk }),
      record: recordOf(plan, options, revision),
    },
    {
      parent: options.parent,
      dependsOn: [...databases, ...(options.dependsOn ?? [])],
      ...dataOptions(deployment),
    },
  );
  // A set without claims reports no size, so the requested one is used.
  const storage = runtime.storageBytes.apply((bytes) => bytes ?? storageBytes);
  return { host, audienceUrl, dataDir, storageBytes: storage, ...clickhouseOutput(database) };
}

async function render(
  plan: KubernetesPlan,
  platform: string,
  database: PreparedDatabase | undefined,
  provider: pulumi.ProviderResource,
): Promise<Manifest[]> {
  const values = database?.values;
  const rendered = await renderRuntime(chartValues(plan, values), plan.namespace, plan.spec, { provider });
  const restarted = values === undefined ? rendered : withPasswordVersion(rendered, database?.passwordVersion ?? "");
  return withOrigin(restarted, originOf(plan, platform));
}

/**
 * The existing objects of a runtime, if hibernation or its protection is the only change. Changed templates and sizes
 * can't prevent it from stopping, or an administrator from removing the protection. Undefined if the request changes
 * anything else.
 */
function keptObjects(plan: KubernetesPlan, { present, platform }: RuntimeOptions): Manifest[] | undefined {
  const { record, place, name } = present ?? {};
  if (!isKubernetes(place) || record === undefined || name !== plan.name) return undefined;
  const { deployment, provisioner } = plan;
  const before = record.deployment;
  const wanted = requestDigest({ ...record, deployment, provisioner });
  const isAll = (change: Partial<Deployment>): boolean =>
    requestDigest({ ...record, deployment: { ...before, ...change } }) === wanted;
  const { state, protected: isProtected } = deployment;
  if (state === "hibernated" && before.state === "running" && isAll({ state })) return place.objects.map(scaledToZero);
  const isOther = (isProtected ?? false) !== (before.protected ?? false);
  return isOther && isAll({ protected: isProtected }) ? withOrigin(place.objects, originOf(plan, platform)) : undefined;
}

const isKubernetes = (place: unknown): place is KubernetesPlace =>
  (place as { readonly type?: unknown } | undefined)?.type === "kubernetes";
