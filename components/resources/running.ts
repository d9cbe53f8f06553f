import * as pulumi from "@pulumi/pulumi";
import { component } from "./package";

/** Those of the component classes (`JupyterHub`) that this stack's state, as it was before this run, has resources of. */
export async function runningOf(classes: readonly string[]): Promise<ReadonlySet<string>> {
  const stackName = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  const { outputs } = (await pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName })) as {
    outputs?: Readonly<Record<string, unknown>>;
  };
  const urns = Object.keys(outputs ?? {});
  return new Set(classes.filter((name) => urns.some((urn) => urn.includes(`${component(name)}$`))));
}
