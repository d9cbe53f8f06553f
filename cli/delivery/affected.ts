import type { Metafile } from "esbuild";
import { existsSync } from "node:fs";
import * as path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../../engine/stack/names";
import { isObject } from "../../foundation/json/isObject";
import { type Imports, reachedFrom } from "../../foundation/reachedFrom";
import type { Context } from "../context";
import { isMeant } from "./affected/meaning";
import { forAll } from "../../kubernetes/client/pool";
import { namedBy } from "./affected/named";
import { PROGRAMS, FEATURES, READ, type Concerns } from "./affected/parts";
import { changedSince } from "../project/git";
import { describedBefore, describedStacks, PROJECTS, STACK_FILE, type DescribedStack } from "../project/stacks";
import { table } from "../terminal/table";
import type { AffectedOptions } from "./options";

/** A stack that a change affects, with the changed files that cause it. */
interface Affected {
  readonly stack: DescribedStack;
  readonly files: readonly string[];
}

/**
 * Returns the stacks that a change of these files affects: stacks whose own file changed, whose config names the file
 * or its folder, or whose program runs or reads it. Pure.
 */
export function affectedBy(files: readonly string[], stacks: readonly DescribedStack[], imports: Imports): Affected[] {
  const parts = partsOf(imports);
  return stacks.flatMap((stack) => {
    const isNamed = namedBy(stack, stack.config);
    const runs = parts.filter(({ concerns }) => concerns(stack));
    const mine = files.filter(
      (file) =>
        file === stack.file || isNamed(file) || runs.some((part) => part.files.has(file)) || isRead(file, stack),
    );
    return mine.length === 0 ? [] : [{ stack, files: mine }];
  });
}

const isRead = (file: string, stack: DescribedStack): boolean =>
  READ.find(([pattern]) => pattern.test(file))?.[1](stack) ?? false;

interface Part {
  readonly concerns: Concerns;
  readonly files: ReadonlySet<string>;
}

function partsOf(imports: Imports): Part[] {
  const entries = new Set(FEATURES.flatMap((feature) => feature.entries));
  return [
    ...PROGRAMS.map(({ entry, concerns }) => ({ concerns, files: reachedFrom(imports, [entry], entries) })),
    ...FEATURES.map(({ entries: own, concerns }) => ({ concerns, files: reachedFrom(imports, own, entries) })),
  ];
}

type Config = DescribedStack["config"];

/**
 * Returns the runtime stacks whose provisioner is changed by a platform's config or templates, or that would get
 * another provisioner. `before`: earlier configs of platforms, by stack id. Pure.
 */
export function provisionedBy(
  files: readonly string[],
  stacks: readonly DescribedStack[],
  before: ReadonlyMap<string, Config>,
): Affected[] {
  return stacks.flatMap((stack) => {
    if (stack.project !== RUNTIME_PROJECT) return [];
    const platform = platformOf(stack, stacks);
    if (platform === undefined) return [];
    const was = before.get(platform.id) ?? platform.config;
    const [name, nameBefore] = [chosenBy(stack, platform.config), chosenBy(stack, was)];
    const provisioner = entryOf(platform.config, "provisioners", name);
    const isSame = name === nameBefore && isDeepStrictEqual(provisioner, entryOf(was, "provisioners", nameBefore));
    const isSameSlot = isDeepStrictEqual(platform.config["slot"], was["slot"]);
    const templates = files.filter(namedBy(platform, provisioner));
    const by = [...(isSame && isSameSlot ? [] : [platform.file]), ...templates];
    return by.length === 0 ? [] : [{ stack, files: by }];
  });
}

/** `organization/stackyard/dev`, or `dev`. */
function platformOf({ config }: DescribedStack, stacks: readonly DescribedStack[]): DescribedStack | undefined {
  const name = textOf(config["platform"]).split("/").at(-1);
  return stacks.find((each) => each.project === PLATFORM_PROJECT && each.name === name);
}

/** Returns the deployment's provisioner, else its environment's, else the default one. */
function chosenBy({ config }: DescribedStack, platform: Config): string {
  const deployment = isObject(config["deployment"]) ? config["deployment"] : {};
  const environment = entryOf(platform, "environments", textOf(deployment["environment"]));
  const byEnvironment = isObject(environment) ? environment["provisioner"] : undefined;
  return textOf(deployment["provisioner"] ?? byEnvironment ?? platform["defaultProvisioner"]);
}

/** An encrypted set can't be read, so all of it counts as the entry. */
function entryOf(config: Config, key: string, name: string): unknown {
  const set = config[key];
  if (!isObject(set) || Object.hasOwn(set, "secure")) return set;
  return Object.hasOwn(set, name) ? set[name] : undefined;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Reads the import graph of these entry files; missing entry files are skipped, because the programs may be elsewhere.
 * Throws esbuild's report if one does not compile.
 */
export async function importsOf(root: string, entries: readonly string[]): Promise<Imports> {
  const there = entries.filter((entry) => existsSync(path.join(root, entry)));
  if (there.length === 0) return new Map();
  // Loaded on demand, because most commands need no compiler.
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: there,
    outdir: path.join(root, "node_modules", ".cache", "stackyard", "affected"),
    bundle: true,
    packages: "external",
    platform: "node",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  return graphOf(metafile);
}

const graphOf = ({ inputs }: Metafile): Imports =>
  new Map(
    Object.entries(inputs).map(([file, { imports }]) => [
      file,
      imports.flatMap((each) => (each.external === true ? [] : [each.path])),
    ]),
  );

/** Returns the stacks whose files a change deletes. Pure. */
export function deletedStacks(files: readonly string[], stacks: readonly DescribedStack[]): Affected[] {
  return files.flatMap((file) => {
    const { dir, base } = path.posix.parse(file);
    const name = STACK_FILE.exec(base)?.[1];
    const project = PROJECTS.find(({ folder }) => folder === dir)?.project;
    if (name === undefined || project === undefined || stacks.some((stack) => stack.file === file)) return [];
    return [{ stack: { id: `${project}/${name}`, project, name, file, config: {}, isDeleted: true }, files: [file] }];
  });
}

const SHOWN = 3;

export async function affected(context: Context, { since, json }: AffectedOptions): Promise<void> {
  const { root } = context;
  const [{ base, files: changed }, stacks, imports] = await Promise.all([
    changedSince(root, since),
    describedStacks(root),
    importsOf(
      root,
      PROGRAMS.map(({ entry }) => entry),
    ),
  ]);
  const isNamed = stacks.map((stack) => namedBy(stack, stack.config));
  const meant = await forAll(
    changed,
    async (file) => isNamed.some((named) => named(file)) || isMeant(root, base, file),
  );
  const files = changed.filter((_, index) => meant[index]);
  const before = await describedBefore(
    root,
    base,
    stacks.filter(({ file }) => files.includes(file)),
  );
  const direct = affectedBy(files, stacks, imports);
  const found = [...merged(direct, provisionedBy(files, stacks, before)), ...deletedStacks(files, stacks)];
  if (json) {
    const list = found.map(({ stack, files: by }) => ({
      stack: stack.id,
      project: stack.project,
      name: stack.name,
      by,
      ...(stack.isDeleted && { deleted: true }),
    }));
    return context.print(JSON.stringify(list));
  }
  if (found.length === 0) {
    return context.print(`no stack is affected by the ${changed.length} files changed since ${since}`);
  }
  const rows = found.map(({ stack, files: by }) => {
    const more = by.length > SHOWN ? ` and ${by.length - SHOWN} more` : "";
    const deleted = stack.isDeleted ? " (deleted; the stack itself stays until pulumi destroy)" : "";
    return [stack.id, by.slice(0, SHOWN).join(", ") + more + deleted];
  });
  context.print(table(["STACK", "AFFECTED BY"], rows));
}

/** Merges both lists to one entry per stack, in the order of the first list. */
function merged(direct: readonly Affected[], more: readonly Affected[]): Affected[] {
  const all = new Map(direct.map((each) => [each.stack.id, each]));
  for (const { stack, files } of more) {
    all.set(stack.id, { stack, files: [...new Set([...(all.get(stack.id)?.files ?? []), ...files])] });
  }
  return [...all.values()];
}
