import * as pulumi from "@pulumi/pulumi";

/** One resource of a state. */
export interface StateResource {
  readonly type: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** The resources of a state by URN. */
export type StateResources = Readonly<Record<string, StateResource>>;

/**
 * The resources of this stack's state as it was before this run; without those that are yet to be deleted. A program asks
 * once: the engine decrypts the whole state each time.
 */
export async function readOwnState(): Promise<StateResources> {
  const name = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  if (pulumi.runtime.isDryRun() && (await isEmpty(name))) return {};
  const { outputs } = (await pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName: name })) as {
    outputs?: StateResources;
  };
  return outputs ?? {};
}

/**
 * Whether a stack has no outputs. The engine crashes when it is asked for the resources of a stack that was never deployed
 * (3.259.0, `GetStackResourceOutputs`), which only a preview can find: an update has written the stack itself by then.
 */
async function isEmpty(name: string): Promise<boolean> {
  const { outputs } = (await pulumi.runtime.invoke("pulumi:pulumi:readStackOutputs", { name })) as {
    outputs?: Readonly<Record<string, unknown>>;
  };
  return Object.keys(outputs ?? {}).length === 0;
}
