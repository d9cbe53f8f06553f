import type { Platform } from "../../components/runtime/platform/platform";
import type { Workspace } from "../../foundation/pulumi/backend";
import { pulumi } from "../pulumi/pulumi";
import { Failure, messageOf } from "../../foundation/errors";
import { withStore } from "../pulumi/state/store";
import { PLATFORM_PROJECT } from "./names";

/** Names of the platform stacks in the state backend that have a provisioner set. */
export async function platformNames(workspace: Workspace): Promise<string[]> {
  const stacks = await withStore(workspace, (store) => store.list(PLATFORM_PROJECT));
  return stacks.flatMap(({ name, outputs }) => (outputs["provisioners"] === undefined ? [] : [name]));
}

/**
 * Reads the outputs of a platform stack, including secrets, which must not be printed. A stack that does not exist is
 * an input failure.
 */
export async function readPlatform(workspace: Workspace, stack: string): Promise<Platform> {
  const args = ["stack", "output", "--json", "--show-secrets", "--stack", stack];
  const text = await pulumi(args, workspace).catch((error: unknown) => {
    // From the CLI (pkg/backend), for any backend.
    if (!/no stack named '.*' found/.test(messageOf(error))) throw error;
    throw new Failure(
      `found ${JSON.stringify(stack)}, which does not exist; expected a platform stack that is up`,
      "input",
    );
  });
  const outputs = JSON.parse(text) as Partial<Platform>;
  const { provisioners, defaultProvisioner, environments, slot } = outputs;
  if (!provisioners || defaultProvisioner === undefined || !environments || !slot) {
    throw new Failure(
      `the platform stack ${stack} has no provisioner set among its outputs; run "pulumi up --stack ${stack}"`,
    );
  }
  return { ...outputs, provisioners, defaultProvisioner, environments, slot };
}
