import { isCreatedOnEks } from "../../../components/cluster/onEks/onEks";
import type { Feature } from "../../../components/feature";
import { FEATURES as ALL } from "../../../components/features";
import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../../../engine/stack/names";
import { valueAt } from "../../../foundation/schema/describe";
import type { DescribedStack } from "../../project/stacks";

export type Concerns = (stack: DescribedStack) => boolean;

/** A program's code, with these entry files. */
interface Program {
  readonly entry: string;
  readonly concerns: Concerns;
}

/** Code that only stacks run that use a feature. */
interface UsedCode {
  readonly concerns: Concerns;
  /** Files through which the programs use it. The import graph adds what they import. */
  readonly entries: readonly string[];
}

const platforms: Concerns = ({ project }) => project === PLATFORM_PROJECT;
const runtimes: Concerns = ({ project }) => project === RUNTIME_PROJECT;
const everybody: Concerns = () => true;
const having =
  (...keys: readonly string[]): Concerns =>
  ({ project, config }) =>
    project === PLATFORM_PROJECT && keys.some((key) => config[key] !== undefined);

export const PROGRAMS: readonly Program[] = [
  { entry: "index.ts", concerns: platforms },
  { entry: "runtime/index.ts", concerns: runtimes },
  { entry: "provider/main.ts", concerns: everybody },
  { entry: "policy/index.ts", concerns: everybody },
];

export const FEATURES: readonly UsedCode[] = (ALL as readonly Feature[]).map(
  ({ code = ["feature.ts"], resources = [], ...feature }) => ({
    concerns: feature.isUsed
      ? ({ project, config }) => project === PLATFORM_PROJECT && feature.isUsed!(config)
      : having(...Object.keys(feature.keys)),
    entries: [
      ...code.map((file) => `components/${feature.name}/${file}`),
      ...resources.map((resource) => `provider/resources/${resource}/${resource}.ts`),
    ],
  }),
);

/** Files that programs read without importing them; the first match wins. */
export const READ: readonly (readonly [RegExp, Concerns])[] = [
  ...(ALL as readonly Feature[]).flatMap(({ ownCharts = [], keys }) =>
    ownCharts.map((chart) => [new RegExp(`^charts/${chart}/`), having(...Object.keys(keys))] as const),
  ),
  [/^charts\/runtime\//, runtimes],
  [/^runtime\/(entry\.js|Pulumi\.yaml|[^/]+\.schema\.json)$/, runtimes],
  [/^eks\.lock\.yaml$/, ({ config }) => isCreatedOnEks(valueAt(config, ["cluster", "type"]))],
  [/^(charts\.lock\.yaml|program\.js|Pulumi\.yaml)$/, platforms],
  [/^foundation\/loader\//, everybody],
  [/^(provider\/pulumi-resource-|policy\/(pulumi-analyzer-|Pulumi|package\.json))/, everybody],
  [/^(package|package-lock|tsconfig)\.json$/, everybody],
];
