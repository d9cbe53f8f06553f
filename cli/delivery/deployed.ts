import { PulumiProcess } from "../../engine/pulumi/pulumi";
import { folderOf, type DescribedStack } from "./stacks";

/** What the last update of a stack that went well was made from. */
export interface Deployed {
  readonly commit: string;
  readonly isDirty: boolean;
}

interface Update {
  readonly kind: string;
  readonly result: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Undefined if the stack was not deployed yet, or not from a checkout of git. */
export async function deployedCommit(root: string, stack: DescribedStack): Promise<Deployed | undefined> {
  const args = ["stack", "history", "--json", "--stack", stack.name];
  const { code, stdout } = await new PulumiProcess(args, folderOf(root, stack)).finished;
  // A stack that nobody made yet has no history; whatever else is wrong, the preview reports.
  if (code !== 0) return undefined;
  const updates = JSON.parse(stdout) as readonly Update[];
  const last = updates.find(({ kind, result }) => kind === "update" && result === "succeeded");
  const commit = last?.environment?.["git.head"];
  return commit === undefined ? undefined : { commit, isDirty: last?.environment?.["git.dirty"] === "true" };
}

/** Outputs of a stack with secrets masked; none if it is not deployed yet. */
export async function outputsOf(root: string, stack: DescribedStack): Promise<Readonly<Record<string, unknown>>> {
  const args = ["stack", "output", "--json", "--stack", stack.name];
  const { code, stdout } = await new PulumiProcess(args, folderOf(root, stack)).finished;
  return code === 0 ? (JSON.parse(stdout) as Readonly<Record<string, unknown>>) : {};
}
