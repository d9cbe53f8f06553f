import * as pulumi from "@pulumi/pulumi";
import { invokeSilently } from "../../foundation/pulumi/protocol/silentInvoke";
import { readWhole } from "../../foundation/pulumi/readWhole";
import { hasResources } from "./exportedState";

/** A resource of a state. */
export interface StateResource {
  readonly type: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** The resources of a state by URN. */
export type StateResources = Readonly<Record<string, StateResource>>;

/** The stack that runs, `organization/project/stack`. */
export const ownStack = (): string => `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;

/**
 * Reads the resources of this stack's state before this run, without those that are pending deletion. Call it once per
 * program, because the engine decrypts the whole state each time. `isDeployed`: whether the stack has resources, asked
 * in a preview of a stack without outputs. A stack whose first update failed has none either.
 */
export async function readOwnState(isDeployed = hasResources): Promise<StateResources> {
  const name = ownStack();
  if (pulumi.runtime.isDryRun() && (await isWithoutOutputs(name)) && !(await isDeployed(name))) return {};
  const answer = await readWhole(() => invokeSilently("pulumi:pulumi:readStackResourceOutputs", { stackName: name }));
  return (answer["outputs"] ?? {}) as StateResources;
}

/**
 * The engine (3.274.1, `GetStackResourceOutputs`) crashes when asked for the resources of a stack that was never
 * deployed. This can only happen in a preview, because an update has already written the stack itself.
 */
async function isWithoutOutputs(name: string): Promise<boolean> {
  const { outputs } = (await readWhole(() => pulumi.runtime.invoke("pulumi:pulumi:readStackOutputs", { name }))) as {
    outputs?: Readonly<Record<string, unknown>>;
  };
  return Object.keys(outputs ?? {}).length === 0;
}
