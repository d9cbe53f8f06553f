import { typeOf, type RuntimePlan } from "./types/registry";
import type { RuntimeOptions, RuntimeStackOutputs } from "./types/runtimeType";

/** Creates the runtime that the plan asks for. The outputs are the same for every type. */
export async function createRuntime(plan: RuntimePlan, options: RuntimeOptions): Promise<RuntimeStackOutputs> {
  const { cpu, memoryGb, storageBytes, provisioner, deployment } = plan;
  const common = { cpu, memoryGb, storageBytes, provisioner, state: deployment.state };
  return { ...common, ...(await typeOf(plan).create(plan, options)) };
}
