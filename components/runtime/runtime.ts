import { typeOf, type RuntimePlan } from "./types/registry";
import type { RuntimeOptions, RuntimeStackOutputs } from "./types/runtimeType";

/** Creates the planned runtime. Returns the same outputs for all types. */
export async function createRuntime(plan: RuntimePlan, options: RuntimeOptions): Promise<RuntimeStackOutputs> {
  const { cpu, memoryGb, storageBytes, provisioner, deployment } = plan;
  const common = { cpu, memoryGb, storageBytes, provisioner, state: deployment.state };
  return { ...common, ...(await typeOf(plan).create(plan, options)) };
}
