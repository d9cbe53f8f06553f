import { writeFile } from "node:fs/promises";
import * as path from "node:path";
import { addonNames } from "../../components/eks/versions/choose";
import type { EksConfig } from "../../components/cluster/onEks/eksConfig";
import { releaseParameter } from "../../components/eks/versions/images";
import { NO_LOCK, parseEksLock, renderEksLock, withVersions } from "../../components/cluster/onEks/eksLock";
import { amiType } from "../../components/cluster/nodePool/plan";
import type { Context } from "../context";
import { readLockFile } from "../lockFile";
import { Failure } from "../../foundation/errors";
import { platformConfig } from "../../engine/stack/config";
import { table } from "../terminal/table";
import { AwsQuestions } from "./awsQuestions";
import type { EksLockOptions } from "./options";

type Named = Record<string, string>;
type Cluster = Pick<EksConfig, "region" | "version" | "nodes" | "nodePools" | "lockFile" | "moreAddons">;

/** Records the versions that AWS currently installs for a stack's cluster, and shows the changes. */
export async function lockEks(context: Context, options: EksLockOptions): Promise<void> {
  const { cluster } = await platformConfig(context.platforms, options.stack);
  if (cluster?.type !== "eks") {
    throw new Failure(`${options.stack}: found no cluster of type eks; expected one, whose versions are recorded`);
  }
  await lockVersions(context, cluster.eks, options);
}

/** Like {@link lockEks} for a cluster whose config is known. */
export async function lockVersions(
  context: Context,
  cluster: Cluster,
  options: Pick<EksLockOptions, "kubernetesVersion" | "dryRun">,
  questions: AwsQuestions = new AwsQuestions(cluster.region),
): Promise<void> {
  const minor = options.kubernetesVersion ?? cluster.version;
  const file = path.resolve(context.root, cluster.lockFile);
  const before = await readLockFile(file, cluster.lockFile, parseEksLock, NO_LOCK);
  const names = addonNames(cluster);
  const pools =
    cluster.nodes === "auto" ? [] : Object.values(cluster.nodePools).filter(({ amiId }) => amiId === undefined);
  const types = [...new Set(pools.map(amiType))].sort();
  const [addons, images] = await Promise.all([
    collect(names, (name) => questions.usualAddon(name, minor)),
    collect(types, (type) => questions.parameter(releaseParameter(type, minor))),
  ]);
  const missing = names.filter((name) => addons[name] === undefined);
  if (missing.length > 0) throw new Failure(`EKS has no version of ${missing.join(", ")} for Kubernetes ${minor}`);
  const rows = [...changes(before.addons[minor] ?? {}, addons), ...changes(before.images[minor] ?? {}, images)];
  context.live.line(`Kubernetes ${minor} in ${cluster.region}`);
  context.live.line(table([{ title: "NAME" }, { title: "RECORDED" }, { title: "NOW" }], rows));
  const after = withVersions(before, minor, { addons, images });
  if (renderEksLock(after) === renderEksLock(before)) return context.live.line(`${cluster.lockFile} has them already`);
  if (options.dryRun) return context.live.line(`${cluster.lockFile} is left as it is (--dry-run)`);
  await writeFile(file, renderEksLock(after));
  context.live.line(`${cluster.lockFile} is changed; commit it`);
}

const changes = (before: Named | Readonly<Named>, now: Named): string[][] =>
  Object.entries(now).map(([name, version]) => [
    name,
    before[name] ?? "-",
    before[name] === version ? "the same" : version,
  ]);

async function collect(names: readonly string[], ask: (name: string) => Promise<string | undefined>): Promise<Named> {
  const found = await Promise.all(names.map(async (name) => [name, await ask(name)] as const));
  return Object.fromEntries(found.filter((one): one is [string, string] => one[1] !== undefined));
}
