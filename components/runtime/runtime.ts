import * as pulumi from "@pulumi/pulumi";
import { KubernetesRuntime } from "./kubernetesRuntime";
import type { KubernetesPlan, RuntimePlan, StaticPlan } from "./plan";
import { withOrigin } from "./origin";
import type { RuntimeOutputs } from "./platform";
import { chartValues, renderRuntime } from "./render";
import { StaticRuntime } from "./staticRuntime";
import { templateEngine } from "./templateEngine";

/** What the choice needs besides the plan. */
export interface RuntimeOptions {
  /** PostgreSQL URL of the ledger; a secret. Only a static runtime needs it. */
  readonly ledgerUrl?: string;
  /** Whether a static runtime may move to another host of its pool, to grow or off a drained one. */
  readonly allowMove: boolean;
  /** Platform stack. */
  readonly platform: string;
}

/** Outputs before all of them are known. */
export type RuntimeStackOutputs = { readonly [K in keyof RuntimeOutputs]: pulumi.Input<RuntimeOutputs[K]> };

/** Makes the runtime that the plan asks for. The outputs are the same for every type. */
export async function createRuntime(plan: RuntimePlan, options: RuntimeOptions): Promise<RuntimeStackOutputs> {
  const { cpu, memoryGb, storageBytes, provisioner, deployment } = plan;
  const common = { cpu, memoryGb, storageBytes, provisioner, state: deployment.state };
  const own = plan.type === "static" ? staticRuntime(plan, options) : await kubernetesRuntime(plan, options);
  return { ...common, ...own };
}

type Own = Pick<RuntimeStackOutputs, "host" | "audienceUrl" | "dataDir"> & Partial<RuntimeStackOutputs>;

/** Its host goes on running when a deployment hibernates, and the deployment keeps its slots: its data is there. */
function staticRuntime({ name, pool, deployment }: StaticPlan, { ledgerUrl, allowMove }: RuntimeOptions): Own {
  if (ledgerUrl === undefined) {
    throw new pulumi.RunError(
      `the platform stack has no ledgerUrl, though provisioner pool "${pool}" is static; bring the platform stack up again`,
    );
  }
  const { id, slots } = deployment;
  const runtime = new StaticRuntime(name, { ledgerUrl, pool, deployment: id, slots, allowMove });
  return { host: runtime.host, audienceUrl: runtime.audienceUrl, dataDir: runtime.dataDir };
}

/** Rendered before anything is registered, so that a template that is wrong makes nothing. */
async function kubernetesRuntime(plan: KubernetesPlan, { platform }: RuntimeOptions): Promise<Own> {
  const { spec, deployment, provisioner, host, audienceUrl, storageBytes } = plan;
  const { kubeconfig, context, cluster, namespace, timeoutSeconds, claimsWhenDeleted, dataDir } = spec;
  const rendered = await renderRuntime(chartValues(plan), namespace, spec, { provider: templateEngine() });
  const manifests = withOrigin(rendered, { deployment: deployment.id, platform, provisioner });
  const runtime = new KubernetesRuntime(plan.name, {
    kubeconfig: kubeconfig === undefined ? undefined : pulumi.secret(kubeconfig),
    context,
    cluster,
    namespace,
    provisionId: plan.provisionId,
    manifests,
    pingUrl: deployment.state === "hibernated" ? undefined : plan.pingUrl,
    timeoutSeconds,
    claimsWhenDeleted,
    // A size that follows from the slots may be smaller than the disk, one that was asked for may not.
    claimsWhenSmaller: deployment.diskGb === undefined ? "Keep" : "Refuse",
  });
  // A set without claims has no other size than the one that was asked for.
  const storage = runtime.storageBytes.apply((bytes) => bytes ?? storageBytes);
  return { host, audienceUrl, dataDir, storageBytes: storage };
}
