import { PulumiProcess } from "../../engine/pulumi/pulumi";
import { folderOf, type DescribedStack } from "../project/stacks";

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
export async function deployedCommit(root: string, stack: DescribedStack): Promise<Deployed | undefined> {
  const args = ["stack", "history", "--json", "--stack", stack.name];
  const { code, stdout } = await new PulumiProcess(args, folderOf(root, stack)).finished;
  // A stack that does not exist has no history; the preview reports other errors.
  if (code !== 0) return undefined;
  const updates = JSON.parse(stdout) as readonly Update[];
  const last = updates.find(({ kind, result }) => kind === "update" && result === "succeeded");
  const commit = last?.environment?.["git.head"];
  return commit === undefined ? undefined : { commit, isDirty: last?.environment?.["git.dirty"] === "true" };
}

/** Returns the outputs of a stack with masked secrets; empty if it is not deployed yet. */
export async function outputsOf(root: string, stack: DescribedStack): Promise<Readonly<Record<string, unknown>>> {
  const args = ["stack", "output", "--json", "--stack", stack.name];
  const { code, stdout } = await new PulumiProcess(args, folderOf(root, stack)).finished;
  return code === 0 ? (JSON.parse(stdout) as Readonly<Record<string, unknown>>) : {};
}
