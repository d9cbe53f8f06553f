import * as pulumi from "@pulumi/pulumi";
import type { AdoptedDatabase } from "../clickhouse/adopted";
import type { ClickHousePlan } from "../clickhouse/plan";
import { prepareDatabase, type PreparedDatabase } from "../clickhouse/prepare";
import { withPasswordVersion } from "../clickhouse/restart";
import { hibernatedObjects } from "./hibernate";
import { KubernetesRuntime } from "./kubernetesRuntime";
import type { KubernetesPlan, RuntimePlan, StaticPlan } from "./plan";
import { withOrigin } from "./request/origin";
import type { RuntimeOutputs } from "./platform/platform";
import type { Present } from "./request/present";
import type { RuntimeRecord } from "./request/record";
import { chartValues, type Manifest, renderRuntime } from "./templates/render";
import { StaticRuntime } from "./staticRuntime";
import { templateEngine } from "./templates/templateEngine";

/** What the choice needs besides the plan. */
export interface RuntimeOptions {
  /** PostgreSQL URL of the ledger; a secret. Only a static runtime needs it. */
  readonly ledgerUrl?: string;
  /** Whether the runtime may move to another place: host of its pool (to grow, or off a drained one), namespace, cluster. */
  readonly allowMove: boolean;
  /** The runtime as it was before this run. */
  readonly present?: Present;
  /** Platform stack. */
  readonly platform: string;
  /** Command that brings it up, for the record. */
  readonly command: string;
  /** Owner id of objects that are there already, and are to be taken over. */
  readonly adopt?: string;
  /** Whether the deployment as it is asked for is a secret in the stack's config. */
  readonly secretDeployment: boolean;
  /** The deployment's database in ClickHouse. Default: none. */
  readonly clickhouse?: ClickHousePlan;
  /** What is there of that already. Default: nothing. */
  readonly adoptedDatabase?: AdoptedDatabase;
}

/** Outputs before all of them are known. */
export type RuntimeStackOutputs = { readonly [K in keyof RuntimeOutputs]: pulumi.Input<RuntimeOutputs[K]> };

/** Makes the runtime that the plan asks for. The outputs are the same for every type. */
export async function createRuntime(plan: RuntimePlan, options: RuntimeOptions): Promise<RuntimeStackOutputs> {
  const { cpu, memoryGb, storageBytes, provisioner, deployment } = plan;
  const common = { cpu, memoryGb, storageBytes, provisioner, state: deployment.state };
  const own = plan.type === "static" ? await staticRuntime(plan, options) : await kubernetesRuntime(plan, options);
  return { ...common, ...own };
}

type Own = Pick<RuntimeStackOutputs, "host" | "audienceUrl" | "dataDir"> & Partial<RuntimeStackOutputs>;

/** Its host goes on running when a deployment hibernates, and the deployment keeps its slots: its data is there. */
async function staticRuntime(plan: StaticPlan, options: RuntimeOptions): Promise<Own> {
  const { name, pool, deployment } = plan;
  const { ledgerUrl, allowMove } = options;
  if (ledgerUrl === undefined) {
    throw new pulumi.RunError(
      `the platform stack has no ledgerUrl, though provisioner pool "${pool}" is static; bring the platform stack up again`,
    );
  }
  const { id, slots } = deployment;
  const record = recordOf(plan, options, plan.revision);
  const { clickhouse } = options;
  const engine = clickhouse?.type === "kubernetes" ? templateEngine() : undefined;
  const whose = { deployment: id, platform: options.platform };
  const database = (clickhouse && (await prepareDatabase(clickhouse, engine, whose, options.adoptedDatabase)))?.make();
  const runtime = new StaticRuntime(name, { ledgerUrl, pool, deployment: id, slots, allowMove, record });
  return { host: runtime.host, audienceUrl: runtime.audienceUrl, dataDir: runtime.dataDir, ...entryOf(database) };
}

/** Rendered before anything is registered, so that a template that is wrong makes nothing. */
async function kubernetesRuntime(plan: KubernetesPlan, options: RuntimeOptions): Promise<Own> {
  const { spec, deployment, host, audienceUrl, storageBytes, namespace } = plan;
  const { kubeconfig, context, cluster, timeoutSeconds, claimsWhenDeleted, dataDir } = spec;
  const stopped = hibernatedObjects(plan, options.present);
  // Registered also where nothing is rendered: a provider that comes and goes would be a change.
  const engine = templateEngine();
  const whose = { deployment: deployment.id, platform: options.platform };
  const prepared =
    options.clickhouse && (await prepareDatabase(options.clickhouse, engine, whose, options.adoptedDatabase));
  const manifests = stopped ?? (await render(plan, options.platform, prepared, engine));
  const revision = stopped === undefined ? plan.revision : options.present?.record?.revision;
  const place = {
    kubeconfig: kubeconfig === undefined ? undefined : pulumi.secret(kubeconfig),
    context,
    cluster,
    namespace,
    allowMove: options.allowMove,
  };
  const database = prepared?.make(place);
  // A database that can't be reached must not keep a runtime from stopping.
  const dependsOn = database && stopped === undefined ? [database.component] : [];
  const runtime = new KubernetesRuntime(
    plan.name,
    {
      ...place,
      provisionId: plan.provisionId,
      manifests: options.secretDeployment ? pulumi.secret(manifests) : manifests,
      pingUrl: deployment.state === "hibernated" ? undefined : plan.pingUrl,
      timeoutSeconds,
      claimsWhenDeleted,
      // A size that follows from the slots may be smaller than the disk, one that was asked for may not.
      claimsWhenSmaller: deployment.diskGb === undefined ? "Keep" : "Refuse",
      ...(options.adopt !== undefined && { adopt: options.adopt }),
      record: recordOf(plan, options, revision),
    },
    { dependsOn },
  );
  // A set without claims has no other size than the one that was asked for.
  const storage = runtime.storageBytes.apply((bytes) => bytes ?? storageBytes);
  return { host, audienceUrl, dataDir, storageBytes: storage, ...entryOf(database) };
}

/** Nothing, not an empty output, where nobody may enter. */
const entryOf = (database: ReturnType<PreparedDatabase["make"]> | undefined): Pick<Own, "clickhouse"> =>
  database?.access === undefined ? {} : { clickhouse: database.access };

async function render(
  plan: KubernetesPlan,
  platform: string,
  database: PreparedDatabase | undefined,
  provider: pulumi.ProviderResource,
): Promise<Manifest[]> {
  const values = database?.values;
  const rendered = await renderRuntime(chartValues(plan, values), plan.namespace, plan.spec, { provider });
  const restarted = values === undefined ? rendered : withPasswordVersion(rendered, database?.passwordVersion ?? "");
  return withOrigin(restarted, { deployment: plan.deployment.id, platform, provisioner: plan.provisioner });
}

function recordOf(
  { deployment, provisioner }: RuntimePlan,
  { platform, command, secretDeployment, clickhouse, present }: RuntimeOptions,
  revision: string | undefined,
): pulumi.Input<Record<string, unknown>> {
  const change = { command, at: new Date().toISOString() };
  const clickhouseRevision = clickhouse && (clickhouse.revision ?? present?.record?.clickhouseRevision);
  const revisions = { ...(revision && { revision }), ...(clickhouseRevision && { clickhouseRevision }) };
  const record: RuntimeRecord = { deployment, platform, provisioner, ...revisions, change };
  return secretDeployment ? pulumi.secret({ ...record }) : { ...record };
}
