import * as pulumi from "@pulumi/pulumi";
import { invokeSilently } from "../../foundation/pulumi/protocol/silentInvoke";

/** A resource of a state. */
export interface StateResource {
  readonly type: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** The resources of a state by URN. */
export type StateResources = Readonly<Record<string, StateResource>>;

/**
 * Reads the resources of this stack's state before this run, without those that are pending deletion. Call it once per
 * program, because the engine decrypts the whole state each time. `isDeployed`: whether the caller knows that the stack
 * has resources. A stack whose first update failed has no outputs either.
 */
export async function readOwnState(isDeployed = false): Promise<StateResources> {
  const name = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  if (!isDeployed && pulumi.runtime.isDryRun() && (await isEmpty(name))) return {};
  const answer = await invokeSilently("pulumi:pulumi:readStackResourceOutputs", { stackName: name });
  return (answer["outputs"] ?? {}) as StateResources;
}

/**
 * Whether a stack has no outputs. The engine (3.274.1, `GetStackResourceOutputs`) crashes when asked for the resources
 * of a stack that was never deployed. This can only happen in a preview, because an update has already written the
 * stack itself.
 */
async function isEmpty(name: string): Promise<boolean> {
  const { outputs } = (await pulumi.runtime.invoke("pulumi:pulumi:readStackOutputs", { name })) as {
    outputs?: Readonly<Record<string, unknown>>;
  };
  return Object.keys(outputs ?? {}).length === 0;
}
