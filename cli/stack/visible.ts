import { goOn } from "../../engine/interrupt";
import { endStatus } from "../terminal/live";
import { PulumiProcess } from "../../engine/pulumi/pulumi";

/** One run of the Pulumi CLI that the user sees as if it was typed. Answers its exit code. */
export async function pulumiVisibly(args: readonly string[], folder: string): Promise<number> {
  goOn();
  endStatus();
  return (await new PulumiProcess(args, folder, { visible: true, env: { PULUMI_DEBUG_COMMANDS: "true" } }).finished)
    .code;
}
