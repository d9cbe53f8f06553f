import type { Workspace } from "../../foundation/pulumi/backend";
import type { Command, Option } from "commander";
import type { Context } from "../context";
import { RUNTIME_PROJECT } from "../../engine/stack/names";
import { withStore } from "../../engine/pulumi/state/store";
import { accessOf } from "../service/access";
import { readList } from "../service/list";

/** A possible completion of the last word. */
interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** The candidates, and whether ids of runtimes are valid there too. */
interface Completion {
  readonly candidates: readonly Candidate[];
  readonly wantsRuntimes: boolean;
}

/** Completes the last of `words`, which may be empty; the words follow the program's name. Pure. */
export function complete(root: Command, words: readonly string[]): Completion {
  const current = words.at(-1) ?? "";
  let command = root;
  let waiting: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (waiting !== undefined) waiting = undefined;
    else if (word.startsWith("-")) waiting = valueOf(command, word);
    else command = command.commands.find((child) => namesOf(child).includes(word)) ?? command;
  }
  if (waiting !== undefined) return starting(current, choicesOf(waiting), false);
  if (current.startsWith("-")) return starting(current, optionsOf(command), false);
  const wantsRuntimes = command.parent?.name() === "runtime" && command.registeredArguments.length > 0;
  return starting(current, command.commands.map(described), wantsRuntimes);
}

const namesOf = (command: Command): string[] => [command.name(), ...command.aliases()];

/** Returns the option in a word if its value is the next word. */
function valueOf(command: Command, word: string): Option | undefined {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option !== undefined && (option.required || option.optional) ? option : undefined;
}

const choicesOf = ({ argChoices = [], description }: Option): Candidate[] =>
  argChoices.map((word) => ({ word, description }));

const optionsOf = ({ options }: Command): Candidate[] => [
  ...options.flatMap(({ long, description }) => (long === undefined ? [] : [{ word: long, description }])),
  { word: "--help", description: "print this help" },
];

const described = (command: Command): Candidate => ({ word: command.name(), description: command.description() });

function starting(current: string, candidates: readonly Candidate[], wantsRuntimes: boolean): Completion {
  return { candidates: candidates.filter(({ word }) => word.startsWith(current)), wantsRuntimes };
}

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
