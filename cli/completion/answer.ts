import type { Command } from "commander";
import type { Context } from "../context";
import { RUNTIME_PROJECT } from "../../engine/stack/names";
import { withStore } from "../../engine/state/store";
import { complete } from "./candidates";

/** Answers completion requests of a shell. Fails silently, because errors would disturb the prompt. */
export async function answer(commands: Command, context: Context, words: readonly string[]): Promise<void> {
  const { candidates, wantsRuntimes } = complete(commands, words);
  const ids = wantsRuntimes ? await runtimesStarting(words.at(-1) ?? "", context.runtimeFolder) : [];
  const lines = [
    ...candidates.map(({ word, description }) => `${word}\t${description}`),
    ...ids.map((id) => `${id}\truntime`),
  ];
  if (lines.length > 0) context.print(lines.join("\n"));
}

async function runtimesStarting(current: string, folder: string): Promise<string[]> {
  try {
    // Only if this does not start another program.
    const stacks = await withStore(folder, (store) =>
      store.isDirect ? store.list(RUNTIME_PROJECT) : Promise.resolve([]),
    );
    return stacks.map(({ name }) => name).filter((name) => name.startsWith(current));
  } catch {
    return []; // No state, or an unavailable database; the commands themselves report that.
  }
}
