import { readdir } from "node:fs/promises";
import * as path from "node:path";
import { Failure } from "../../foundation/errors";
import type { Workspace, Workspaces } from "../../foundation/pulumi/backend";
import { fileAt } from "./git";
import { StackFile } from "../../engine/stack/file";
import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../../engine/stack/names";

/** A stack with a file in the checkout. */
export interface DescribedStack {
  /** `stackyard/dev`. */
  readonly id: string;
  readonly project: typeof PLATFORM_PROJECT | typeof RUNTIME_PROJECT;
  readonly name: string;
  /** Relative to the checkout, with `/`. */
  readonly file: string;
  /** Its config without the project's prefix. Secrets stay encrypted. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Whether the change deletes its file. */
  readonly isDeleted?: true;
}

/** Pulumi projects and their folders in the checkout. */
export const PROJECTS = [
  { project: PLATFORM_PROJECT, folder: "" },
  { project: RUNTIME_PROJECT, folder: "runtime" },
] as const;

export const STACK_FILE = /^Pulumi\.(.+)\.yaml$/;

/** Returns all stacks with a file, platforms first, each sorted by name. */
export async function describedStacks(root: string): Promise<DescribedStack[]> {
  const found: DescribedStack[] = [];
  for (const { project, folder } of PROJECTS) {
    const entries = await readdir(path.join(root, folder)).catch(() => []);
    const names = entries.flatMap((entry) => STACK_FILE.exec(entry)?.[1] ?? []).sort();
    for (const name of names) found.push(await describe(root, project, folder, name));
  }
  return found;
}

async function describe(
  root: string,
  project: DescribedStack["project"],
  folder: string,
  name: string,
): Promise<DescribedStack> {
  const file = await StackFile.read(path.join(root, folder), name);
  return {
    id: `${project}/${name}`,
    project,
    name,
    file: path.posix.join(folder, `Pulumi.${name}.yaml`),
    config: configOf(project, file),
  };
}

function configOf(project: DescribedStack["project"], file: StackFile): DescribedStack["config"] {
  const prefix = `${project}:`;
  const config = file.configKeys().flatMap((key): [string, unknown][] => {
    return key.startsWith(prefix) ? [[key.slice(prefix.length), file.config(key)]] : [];
  });
  return Object.fromEntries(config);
}

/** Returns the configs of stacks in a commit, by id; without stacks that have no file there. */
export async function describedBefore(
  root: string,
  commit: string,
  stacks: readonly DescribedStack[],
): Promise<ReadonlyMap<string, DescribedStack["config"]>> {
  const found = await Promise.all(
    stacks.map(async ({ id, project, file }) => {
      const text = await fileAt(root, commit, file);
      return text === undefined ? [] : [[id, configOf(project, StackFile.of(text, file))] as const];
    }),
  );
  return new Map(found.flat());
}

/** Returns the stack with this id: `dev` for a platform, or `stackyard-runtime/acme`. */
export async function describedStack(root: string, id: string): Promise<DescribedStack> {
  const stacks = await describedStacks(root);
  const wanted = id.includes("/") ? id : `${PLATFORM_PROJECT}/${id}`;
  const found = stacks.find((stack) => stack.id === wanted);
  if (found !== undefined) return found;
  throw new Failure(
    `no file describes the stack ${id}; there are ${stacks.map((stack) => stack.id).join(", ") || "none"}`,
  );
}

export const workspaceOf = ({ platforms, runtimes }: Workspaces, { project }: DescribedStack): Workspace =>
  project === RUNTIME_PROJECT ? runtimes : platforms;
