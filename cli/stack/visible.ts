import type { Workspace } from "../../foundation/pulumi/backend";
import { throwIfInterrupted } from "../../engine/process/interrupt";
import { endStatus } from "../terminal/live";
import { PulumiProcess } from "../../engine/pulumi/pulumi";

/** Runs the Pulumi CLI with its output visible. Returns its exit code. */
export async function pulumiVisibly(args: readonly string[], workspace: Workspace): Promise<number> {
  throwIfInterrupted();
  endStatus();
  return (await new PulumiProcess(args, workspace, { visible: true, env: { PULUMI_DEBUG_COMMANDS: "true" } }).finished)
    .code;
}
