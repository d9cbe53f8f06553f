import type { Workspace } from "../../foundation/pulumi/backend";
import type { Command } from "commander";
import type { Context } from "../context";
import { RUNTIME_PROJECT } from "../../engine/stack/names";
import { withStore } from "../../engine/pulumi/state/store";
import { accessOf } from "../service/access";
import { readList } from "../service/list";
import { complete } from "./candidates";

/** Most ids that a service is asked for. */
const MOST = 500;

/** Answers completion requests of a shell. Fails silently, because errors would disturb the prompt. */
export async function answer(commands: Command, context: Context, words: readonly string[]): Promise<void> {
  const { candidates, wantsRuntimes } = complete(commands, words);
  const ids = wantsRuntimes ? await runtimesStarting(words.at(-1) ?? "", context.runtimes) : [];
  const lines = [
    ...candidates.map(({ word, description }) => `${word}\t${description}`),
    ...ids.map((id) => `${id}\truntime`),
  ];
  if (lines.length > 0) context.print(lines.join("\n"));
}

async function runtimesStarting(current: string, workspace: Workspace): Promise<string[]> {
  try {
    const access = await accessOf({});
    if (access) {
      const filter = { id: current };
      const list = { field: "deployments", filterType: "DeploymentFilter", fields: "id", filter };
      const found = await readList<{ readonly id: string }>(access, list, MOST);
      return found.map(({ id }) => id).filter((id) => id.startsWith(current));
    }
    // Only if this does not start another program.
    const stacks = await withStore(workspace, (store) =>
      store.isDirect ? store.list(RUNTIME_PROJECT) : Promise.resolve([]),
    );
    return stacks.map(({ name }) => name).filter((name) => name.startsWith(current));
  } catch {
    return []; // No state, or an unavailable database or service; the commands themselves report that.
  }
}
