import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { renderLock } from "../../../components/charts/lock";
import { CHART_NAMES, CHARTS } from "../../../components/charts/table";
import { ChartRepository, packDouble, sha256 } from "../../doubles/chartRepository";
import type { Place } from "../runtime/world";
import { World } from "../runtime/world";
import { secure } from "../../tools/warmPulumi/stackFile";

const root = path.join(__dirname, "../../..");

/** The config of a committed stack file, without the project's prefix. */
export function committedConfig(
  stage: string,
  change: (text: string) => string = (text) => text,
): Record<string, unknown> {
  const committed = readFileSync(path.join(root, `Pulumi.${stage}.yaml`), "utf8");
  const text = change(committed.replace(/((?:runtime|charts)\/\S+\.(?:tmpl|yaml))/g, `${root}/$1`));
  const { config } = load(text) as { config: Record<string, unknown> };
  const all = Object.fromEntries(Object.entries(config).map(([key, value]) => [key.replace("stackyard:", ""), value]));
  // There is no registry with the images.
  return { ...all, images: {} };
}

type Pools = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A config of node groups, as it is where nodes come in another way. */
export function withNodes(
  config: Readonly<Record<string, unknown>>,
  nodes: "karpenter" | "auto",
): Record<string, unknown> {
  const rest = Object.fromEntries(Object.entries(config).filter(([key]) => key !== "clusterAutoscaler"));
  const { nodePools, ...cluster } = config["cluster"] as { nodePools: Pools };
  const pools = Object.entries(nodePools).map(([name, pool]) => [name, { ...pool, min: 0 }]);
  return {
    ...rest,
    cluster: { ...cluster, nodes, nodePools: Object.fromEntries(pools) as Pools },
    // EKS Auto Mode has load balancers of its own.
    ...(nodes === "auto" ? { ingress: undefined } : {}),
  };
}

/** A world in which AWS is a double; with the address of a moto server, that one stands behind it. */
export function worldWithAws(place: Place, moto?: string): World {
  const world = new World(place);
  for (const [name, value] of Object.entries(envWithAws(place, world.folder))) world.setEnv(name, value);
  if (moto !== undefined) world.setEnv("STACKYARD_AWS_MOTO", moto);
  return world;
}

/** Variables with which AWS is a double, whose account is in the folder. */
export const envWithAws = ({ env, kubeconfig }: Place, folder: string): Record<string, string> => ({
  PATH: [path.join(root, "test/doubles/bin"), env["PATH"] ?? process.env["PATH"]].join(path.delimiter),
  STACKYARD_AWS_DOUBLE_KUBECONFIG: kubeconfig,
  STACKYARD_AWS_DOUBLE: path.join(folder, "aws.json"),
  XDG_CACHE_HOME: path.join(folder, "cache"),
});

/** Double charts of the upstream names, and the config with which they are found and locked. */
export async function doubleCharts(folder: string): Promise<{ repository: ChartRepository; charts: object }> {
  const archives = await Promise.all(CHART_NAMES.map(async (name) => [name, await packDouble(name)] as const));
  const repository = await new ChartRepository(Object.fromEntries(archives)).start();
  const lockFile = path.join(folder, "lock.yaml");
  const locked = archives.map(([name, archive]) => [name, { version: CHARTS[name].version, digest: sha256(archive) }]);
  writeFileSync(lockFile, renderLock(Object.fromEntries(locked) as Parameters<typeof renderLock>[0]));
  return { repository, charts: { mirror: repository.url, lock: "required", lockFile } };
}

/** Writes the stack file, with the secret that its owner sets. */
export async function configure(world: World, stack: string, config: Readonly<Record<string, unknown>>): Promise<void> {
  const { jupyterhub = {} } = config as { readonly jupyterhub?: { readonly auth?: object } };
  const auth = { ...jupyterhub.auth, clientSecret: secure("s3cret-of-auth0") };
  await world.configure("platform", stack, "stackyard", { ...config, jupyterhub: { ...jupyterhub, auth } });
}
