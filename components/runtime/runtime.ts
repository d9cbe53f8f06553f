import * as pulumi from "@pulumi/pulumi";
import { KubernetesRuntime } from "./kubernetesRuntime";
import type { KubernetesPlan, RuntimePlan, StaticPlan } from "./plan";
import type { RuntimeOutputs } from "./platform";
import { StaticRuntime } from "./staticRuntime";

/** What the choice needs besides the plan. */
export interface RuntimeOptions {
  /** PostgreSQL URL of the ledger; a secret. Only a static runtime needs it. */
  readonly ledgerUrl?: string;
  /** Whether a static runtime that has to grow may move to another host of its pool. */
  readonly allowMove: boolean;
}

/** Outputs before all of them are known. */
export type RuntimeStackOutputs = { readonly [K in keyof RuntimeOutputs]: pulumi.Input<RuntimeOutputs[K]> };

/** Makes the runtime that the plan asks for. The outputs are the same for every type. */
export function createRuntime(plan: RuntimePlan, options: RuntimeOptions): RuntimeStackOutputs {
  const { cpu, memoryGb, storageBytes, provisioner, deployment } = plan;
  const common = { cpu, memoryGb, storageBytes, provisioner, state: deployment.state };
  return { ...common, ...(plan.type === "static" ? staticRuntime(plan, options) : kubernetesRuntime(plan)) };
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

function kubernetesRuntime(plan: KubernetesPlan): Own {
  const { spec, deployment, host, audienceUrl, storageBytes } = plan;
  const runtime = new KubernetesRuntime(plan.name, {
    kubeconfig: spec.kubeconfig === undefined ? undefined : pulumi.secret(spec.kubeconfig),
    context: spec.context,
    cluster: spec.cluster,
    namespace: spec.namespace,
    provisionId: plan.provisionId,
    image: spec.image,
    imageTag: deployment.version,
    host,
    audienceUrl,
    slots: deployment.slots,
    cpu: plan.cpu,
    memoryGb: plan.memoryGb,
    storageBytes,
    dataDir: spec.dataDir,
    environment: deployment.environment,
    annotations: deployment.annotations,
    templates: [...spec.templates],
    ping: spec.ping === "off" ? undefined : spec.ping,
    hibernated: deployment.state === "hibernated",
    timeoutSeconds: spec.timeoutSeconds,
    claimsWhenDeleted: spec.claimsWhenDeleted,
  });
  // A set without claims has no other size than the one that was asked for.
  const storage = runtime.storageBytes.apply((bytes) => bytes ?? storageBytes);
  return { host, audienceUrl, dataDir: spec.dataDir, storageBytes: storage };
}
