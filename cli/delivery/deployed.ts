import type { Workspaces } from "../../foundation/pulumi/backend";
import { PulumiProcess } from "../../engine/pulumi/pulumi";
import { workspaceOf, type DescribedStack } from "../project/stacks";

/** Source of a successful update of a stack. */
interface Deployed {
  readonly commit: string;
  readonly isDirty: boolean;
}

interface Update {
  readonly kind: string;
  readonly result: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The last update of a stack; undefined if the stack is not deployed yet, or was deployed without git. */
export const deployedCommit = async (workspaces: Workspaces, stack: DescribedStack): Promise<Deployed | undefined> =>
  (await updatesOf(workspaces, stack))[0];

/** The successful updates of a stack, the newest first; none if one of them was without git. */
export async function updatesOf(workspaces: Workspaces, stack: DescribedStack): Promise<Deployed[]> {
  const args = ["stack", "history", "--json", "--stack", stack.name];
  const { code, stdout } = await new PulumiProcess(args, workspaceOf(workspaces, stack)).finished;
  // A stack that does not exist has no history; the preview reports other errors.
  if (code !== 0) return [];
  const updates = (JSON.parse(stdout) as readonly Update[]).filter(
    ({ kind, result }) => kind === "update" && result === "succeeded",
  );
  const found = updates.map(({ environment = {} }) => ({
    commit: environment["git.head"],
    isDirty: environment["git.dirty"] === "true",
  }));
  const end = found.findIndex(({ commit }) => commit === undefined);
  return (end < 0 ? found : found.slice(0, end)) as Deployed[];
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
