import type { Workspace } from "../../foundation/pulumi/backend";
import { pulumi } from "../pulumi/pulumi";
import { stateOf, type StackState } from "../pulumi/state/checkpoint";

/**
 * Reads the state of a stack with decrypted secrets, which needs the passphrase or key. They stay marked as secrets,
 * unless `open` unwraps them.
 */
export async function exportedState(
  stack: string,
  workspace: Workspace,
  open = (deployment: unknown): unknown => deployment,
): Promise<StackState> {
  const text = await pulumi(["stack", "export", "--show-secrets", "--stack", stack], workspace);
  return stateOf(stack, open((JSON.parse(text) as { deployment: unknown }).deployment));
}
