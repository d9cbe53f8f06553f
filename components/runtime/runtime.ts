import * as pulumi from "@pulumi/pulumi";
import { announceFormer, keepFormer } from "./types/kubernetes/former";
import { typeOf, type RuntimePlan } from "./types/registry";
import type { RuntimeOptions, RuntimeStackOutputs } from "./types/runtimeType";

/** Creates the planned runtime. Returns the same outputs for all types. */
export async function createRuntime(plan: RuntimePlan, options: RuntimeOptions): Promise<RuntimeStackOutputs> {
  const { cpu, memoryGb, storageBytes, provisioner, deployment } = plan;
  const common = { cpu, memoryGb, storageBytes, provisioner, state: deployment.state };
  const { state = {}, present } = options;
  if (deployment.state === "running") await announceFormer(state, { id: deployment.id, name: plan.name, present });
  const outputs = { ...common, ...(await typeOf(plan).create(plan, options)) };
  const moved = {
    name: plan.name,
    hibernated: deployment.state === "hibernated",
    from: options.allowMove ? present?.name : undefined,
    secret: options.secretDeployment,
  };
  // The outputs carry the new runtime as their dependency.
  keepFormer(
    state,
    moved,
    pulumi.output(outputs).apply((): pulumi.Resource[] => []),
  );
  return outputs;
}
