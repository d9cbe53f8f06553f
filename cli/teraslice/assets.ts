import { readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { rcompare } from "semver";
import { isObject, type Json } from "../../foundation/json/isObject";
import { parseUrl } from "../../foundation/net/url";
import { textsOf } from "../../provider/resources/terasliceJob/handOver";
import type { Machine, Asset } from "../../provider/resources/terasliceJob/master/assets";
import { readBundle } from "../../provider/resources/terasliceJob/master/bundle";
import { LIVE, isLive } from "../../provider/resources/terasliceJob/master/execution";
import type { Master } from "../../provider/resources/terasliceJob/master/master";
import { success, type Context } from "../context";
import { Failure } from "../../foundation/errors";
import { buildAsset } from "./assets/build";
import { downloadAsset, downloadRelease, gitHubOf } from "./assets/download";
import { deployed, masterOf } from "./master";
import { confirm } from "../terminal/ask";
import { table } from "../terminal/table";
import type { AssetBuildOptions, AssetRemoveOptions, TerasliceShowOptions, TerasliceOptions } from "./options";

/** Assets to remove. */
interface AssetChoice {
  readonly remove: readonly Asset[];
  /** Matching assets that stay, because an execution uses them. */
  readonly used: readonly Asset[];
}

/**
 * Selects assets by `name`, `name:version` or id. With `keep`, this number of newest versions stays per name and Node
 * version. Assets in use stay, because replaced pods load them again.
 */
export function choose(assets: readonly Asset[], which: string, keep: number, inUse: ReadonlySet<string>): AssetChoice {
  const [name, version] = which.split(":");
  const found = assets.filter(
    (one) => one.id === which || (one.name === name && (version ?? one.version) === one.version),
  );
  if (found.length === 0) throw new Failure(`the master has no asset ${which}; it has ${namesOf(assets)}`);
  const kinds = new Map<string, Asset[]>();
  for (const one of [...found].sort((a, b) => rcompare(a.version, b.version))) {
    const kind = `${one.name} ${one.nodeVersion ?? ""} ${one.platform ?? ""} ${one.arch ?? ""}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  const old = [...kinds.values()].flatMap((versions) => versions.slice(keep));
  return { remove: old.filter(({ id }) => !inUse.has(id)), used: old.filter(({ id }) => inUse.has(id)) };
}

/** Returns the ids of assets in executions that run or are starting. */
export async function assetsInUse(master: Master): Promise<ReadonlySet<string>> {
  const path = `/v1/ex?size=10000&status=${LIVE.join(",")}`;
  const list = await master.read("list executions", path);
  const live = (Array.isArray(list) ? list.filter(isObject) : []).filter((execution: Json) => isLive(execution));
  return new Set(live.flatMap((execution) => textsOf(execution["assets"])));
}

const namesOf = (assets: readonly Asset[]): string =>
  assets.length === 0 ? "none" : [...new Set(assets.map(({ name }) => name))].join(", ");

/** `stackyard teraslice assets …`. */

/** Long, because a master unpacks and stores each upload. */
const PATIENCE_SECONDS = 900;

export async function writeAsset(context: Context, folder: string, { out, node }: AssetBuildOptions): Promise<void> {
  const { zip, fileName, asset } = await buildAsset(folder, node);
  const file = path.resolve(out ?? ".", fileName);
  await writeFile(file, zip);
  success(context, `asset ${asset.name} ${asset.version} is built`);
  context.print(file);
}

/** Uploads bundles: zip files, folders to build, or addresses of release archives. */
export async function deploy(context: Context, sources: readonly string[], options: TerasliceOptions): Promise<void> {
  const master = masterOf(await deployed(context.platforms, options), PATIENCE_SECONDS);
  const machine = await master.machine();
  for (const source of sources) {
    const zip = await zipOf(source, machine);
    const asset = await readBundle(zip).catch((error: Error) => {
      throw new Failure(`${source} is no asset: ${error.message}`);
    });
    const isThere = (await master.assets()).some(({ id }) => id === asset.id);
    const id = isThere ? asset.id : await master.upload(source, zip);
    success(context, `asset ${asset.name} ${asset.version} ${isThere ? "exists already" : "is deployed"}, as ${id}`);
  }
}

async function zipOf(source: string, machine: Machine): Promise<Uint8Array> {
  if (source.startsWith("github:")) return downloadRelease(source, machine, gitHubOf(process.env));
  if (/^https?:\/\//.test(source)) return downloadAsset({ url: parseUrl(source, ["https:"]) });
  try {
    return await readFile(source);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EISDIR") return (await buildAsset(source, machine.nodeVersion ?? 24)).zip;
    throw new Failure(`${source} can't be read: ${code === "ENOENT" ? "there is no such file" : message}`);
  }
}

export async function listAssets(
  context: Context,
  name: string | undefined,
  options: TerasliceShowOptions,
): Promise<void> {
  const all = await masterOf(await deployed(context.platforms, options)).assets();
  const assets = all.filter((asset) => name === undefined || asset.name === name);
  if (options.json) return context.print(JSON.stringify(assets, null, 2));
  if (assets.length === 0) return context.print("no assets");
  const columns = ["NAME", "VERSION", "NODE", "PLATFORM", "ARCH", "ID"];
  const rows = assets.map(({ name: called, version, nodeVersion, platform = "", arch = "", id }) => {
    return [called, version, String(nodeVersion ?? ""), platform, arch, id];
  });
  context.print(table(columns, rows));
}

export async function remove(context: Context, which: string, options: AssetRemoveOptions): Promise<void> {
  const { keep, yes } = options;
  const master = masterOf(await deployed(context.platforms, options), PATIENCE_SECONDS);
  const { remove: chosen, used } = choose(await master.assets(), which, keep, await assetsInUse(master));
  for (const { name, version } of used) context.live.line(`asset ${name} ${version} stays: an execution runs with it`);
  if (chosen.length === 0) return success(context, "nothing to remove");
  const names = chosen.map(({ name, version }) => `${name} ${version}`).join(", ");
  if (yes !== true && !(await confirm(`Remove ${names} from the master?`))) return;
  for (const { id } of chosen) await master.removeAsset(id);
  success(context, `${names} removed`);
}
