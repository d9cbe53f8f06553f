import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../stack/names";
import type { DescribedStack } from "./stacks";

/** A stack that a change touches, with the files by which it does. */
export interface Touched {
  readonly stack: DescribedStack;
  readonly files: readonly string[];
}

type Concerns = (stack: DescribedStack) => boolean;

const platforms: Concerns = ({ project }) => project === PLATFORM_PROJECT;
const runtimes: Concerns = ({ project }) => project === RUNTIME_PROJECT;
const everybody: Concerns = () => true;
const nobody: Concerns = () => false;
const having =
  (key: string): Concerns =>
  ({ project, config }) =>
    project === PLATFORM_PROJECT && config[key] !== undefined;
const onEks: Concerns = ({ project, config }) =>
  project === PLATFORM_PROJECT && (config["cluster"] as { type?: unknown } | undefined)?.type === "eks";

/** What a part of the checkout goes into; the first that fits counts, and what fits none goes into nothing. */
const PARTS: readonly (readonly [RegExp, Concerns])[] = [
  [/^(components\/ray|components\/config\/ray|charts\/ray-static-cluster)\//, having("ray")],
  [/^(components\/jupyterhub|components\/config\/jupyterhub|charts\/jupyterhub)\//, having("jupyterhub")],
  [/^(components\/cluster\/autoscaler|components\/config\/autoscaler)\//, having("clusterAutoscaler")],
  [/^components\/cluster\/(eks|network|nodePool|serviceAccountRole|dataAccess)\//, onEks],
  [/^components\/config\/(eks\/|dataAccess\.ts)/, onEks],
  [/^(components\/charts\/|charts\.lock\.yaml$)/, platforms],
  [/^components\/(runtime|resources)\//, everybody],
  [/^(charts\/runtime|runtime)\/(?!examples\/)/, runtimes],
  [/^(index\.ts|program\.js|Pulumi\.yaml|components\/.*)$/, platforms],
  [/^(provider|policy|toolchain\/bundle)\//, everybody],
  [/^(package|package-lock|tsconfig)\.json$/, everybody],
];

/** Stack files, wherever they are: each is one stack's own. */
const STACK_FILE = /^(runtime\/)?Pulumi\.[^/]+\.yaml$/;

/** All texts of a value, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * The stacks that a change of these files touches: those whose own file it is, those that name the file in their config,
 * and those that have the part of the program that it belongs to. Pure.
 */
export function touchedBy(files: readonly string[], stacks: readonly DescribedStack[]): Touched[] {
  return stacks.flatMap((stack) => {
    const named = new Set(textsIn(stack.config).map((text) => text.replace(/^\.\//, "")));
    const mine = files.filter((file) => {
      if (file === stack.file || named.has(file)) return true;
      if (STACK_FILE.test(file) && !/^(runtime\/)?Pulumi\.yaml$/.test(file)) return false;
      const [, concerns = nobody] = PARTS.find(([pattern]) => pattern.test(file)) ?? [];
      return concerns(stack);
    });
    return mine.length === 0 ? [] : [{ stack, files: mine }];
  });
}
