import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../../../engine/stack/names";
import type { DescribedStack } from "../stacks";

export type Concerns = (stack: DescribedStack) => boolean;

/** A program's code, with these entry files. */
export interface Program {
  readonly entry: string;
  readonly concerns: Concerns;
}

/** Code that only runs for stacks with these config keys. */
export interface Feature {
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
const onEks: Concerns = ({ project, config }) =>
  project === PLATFORM_PROJECT && (config["cluster"] as { type?: unknown } | undefined)?.type === "eks";

export const PROGRAMS: readonly Program[] = [
  { entry: "index.ts", concerns: platforms },
  { entry: "runtime/index.ts", concerns: runtimes },
  { entry: "provider/main.ts", concerns: everybody },
  { entry: "policy/index.ts", concerns: everybody },
];

/** A feature without an entry here belongs to the whole program, which previews more stacks but never fewer. */
const configOf = (feature: string): string[] =>
  ["decode", "schema"].map((file) => `components/${feature}/config/${file}.ts`);

export const FEATURES: readonly Feature[] = [
  {
    concerns: having("ray", "rayOperator"),
    entries: ["components/ray/ray.ts", ...configOf("ray"), ...configOf("ray/operator")],
  },
  { concerns: having("jupyterhub"), entries: ["components/jupyterhub/jupyterHub.ts", ...configOf("jupyterhub")] },
  {
    concerns: having("teraslice", "terasliceClusters"),
    entries: [
      "components/teraslice/cluster/terasliceCluster.ts",
      "provider/resources/terasliceJob/terasliceJob.ts",
      ...configOf("teraslice"),
    ],
  },
  {
    concerns: having("bundles", "bundleClasses", "instances"),
    entries: [
      "components/bundle/bundles.ts",
      "provider/resources/bundleRelease/bundleRelease.ts",
      ...configOf("bundle"),
    ],
  },
  {
    concerns: having("clusterAutoscaler"),
    entries: ["components/cluster/autoscaler/clusterAutoscaler.ts", ...configOf("cluster/autoscaler")],
  },
  {
    concerns: having("ingress", "gpuDevicePlugin", "metricsServer"),
    entries: [
      "components/ingress/ingress.ts",
      "components/cluster/gpu/gpuDevicePlugin.ts",
      "components/cluster/gpu/config.ts",
      "components/cluster/metrics/metricsServer.ts",
      "components/cluster/metrics/config.ts",
      ...configOf("ingress"),
    ],
  },
  { concerns: having("dataAccess"), entries: ["components/cluster/dataAccess/dataAccess.ts"] },
  {
    concerns: onEks,
    entries: [
      "components/cluster/eks/eksCluster.ts",
      "components/cluster/eks/preflight/preflight.ts",
      "components/cluster/karpenter/karpenter.ts",
      "components/cluster/karpenter/decode.ts",
      "components/cluster/eks/config/schema.ts",
      "components/cluster/eks/config/resolve.ts",
    ],
  },
];

/** Files that programs read without importing them; the first match wins. */
export const READ: readonly (readonly [RegExp, Concerns])[] = [
  [/^charts\/ray-static-cluster\//, having("ray")],
  [/^charts\/jupyterhub\//, having("jupyterhub")],
  [/^charts\/service\//, having("service")],
  [/^charts\/runtime\//, runtimes],
  [/^runtime\/(entry\.js|Pulumi\.yaml|[^/]+\.schema\.json)$/, runtimes],
  [/^(charts\.lock\.yaml|eks\.lock\.yaml|program\.js|Pulumi\.yaml)$/, platforms],
  [/^toolchain\/bundle\//, everybody],
  [/^(provider\/pulumi-resource-|policy\/(pulumi-analyzer-|Pulumi|package\.json))/, everybody],
  [/^(package|package-lock|tsconfig)\.json$/, everybody],
];
