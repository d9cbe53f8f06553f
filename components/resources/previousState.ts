import * as pulumi from "@pulumi/pulumi";

/** A resource of this stack as the state has it from before this run. */
export interface PreviousResource {
  readonly type: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** The resources of this stack before this run, by URN. */
export async function previousResources(): Promise<Readonly<Record<string, PreviousResource>>> {
  const stackName = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  const { outputs } = (await pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName })) as {
    outputs?: Readonly<Record<string, PreviousResource>>;
  };
  return outputs ?? {};
}
