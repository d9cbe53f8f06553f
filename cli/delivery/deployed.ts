import type { Workspaces } from "../../foundation/pulumi/backend";
import { PulumiProcess } from "../../engine/pulumi/pulumi";
import { workspaceOf, type DescribedStack } from "../project/stacks";

/** Source of the last successful update of a stack. */
interface Deployed {
  readonly commit: string;
  readonly isDirty: boolean;
}

interface Update {
  readonly kind: string;
  readonly result: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Undefined if the stack is not deployed yet, or was deployed without git. */
export async function deployedCommit(workspaces: Workspaces, stack: DescribedStack): Promise<Deployed | undefined> {
  const args = ["stack", "history", "--json", "--stack", stack.name];
  const { code, stdout } = await new PulumiProcess(args, workspaceOf(workspaces, stack)).finished;
  // A stack that does not exist has no history; the preview reports other errors.
  if (code !== 0) return undefined;
  const updates = JSON.parse(stdout) as readonly Update[];
  const last = updates.find(({ kind, result }) => kind === "update" && result === "succeeded");
  const commit = last?.environment?.["git.head"];
  return commit === undefined ? undefined : { commit, isDirty: last?.environment?.["git.dirty"] === "true" };
}

/** Returns the outputs of a stack with masked secrets; empty if it is not deployed yet. */
export async function outputsOf(
  workspaces: Workspaces,
  stack: DescribedStack,
): Promise<Readonly<Record<string, unknown>>> {
  const args = ["stack", "output", "--json", "--stack", stack.name];
  const { code, stdout } = await new PulumiProcess(args, workspaceOf(workspaces, stack)).finished;
  return code === 0 ? (JSON.parse(stdout) as Readonly<Record<string, unknown>>) : {};
}
