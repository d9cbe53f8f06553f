/** Uploads asset bundles of a job to the master, and checks whether the running execution has them. */

import { readFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { assetFor, assetIdOf } from "./master/assets";
import type { Execution } from "./master/execution";
import type { AssetFile } from "./inputs";
import type { JobSite } from "./site";
import type { Json } from "../../../foundation/json/isObject";

/** Ids of bundles at the master, by the digests of their files. */
type AssetIds = Readonly<Record<string, string>>;

/** Ensures that the master has all bundles of the job. `known`: ids of files that were uploaded before. */
export async function handOver(site: JobSite, assets: readonly AssetFile[], known: AssetIds = {}): Promise<AssetIds> {
  if (assets.length === 0) return {};
  const there = new Set((await site.master.assets()).map(({ id }) => id));
  const ids: Record<string, string> = {};
  for (const asset of assets) {
    const before = known[asset.sha256];
    if (before !== undefined && there.has(before)) {
      ids[asset.sha256] = before;
      continue;
    }
    const zip = await contentOf(site, asset);
    const id = assetIdOf(zip);
    if (!there.has(id)) site.log("status", `uploads the asset ${asset.path}`);
    ids[asset.sha256] = there.has(id) ? id : await site.master.upload(asset.path, zip);
  }
  return ids;
}

async function contentOf(site: JobSite, { path, sha256 }: AssetFile): Promise<Uint8Array> {
  const zip = await readFile(path).catch((error: Error) => {
    throw new Error(`the asset ${path} of job ${site.name} can't be read: ${error.message}`);
  });
  const found = createHash("sha256").update(zip).digest("hex");
  if (found !== sha256)
    throw new Error(`the asset ${path} of job ${site.name} changed since the preview; run it again`);
  return zip;
}

/**
 * Whether the running execution lacks one of the job's own bundles that a restart would use: an execution keeps the
 * bundles that existed when it started. Bundles from others wait for the next start.
 */
export async function lacksAsset(site: JobSite, execution: Execution, job: Json, ids: AssetIds): Promise<boolean> {
  const own = new Set(Object.values(ids));
  const has = new Set(textsOf(execution["assets"]));
  if ([...own].every((id) => has.has(id))) return false;
  const [assets, machine] = [await site.master.assets(), await site.master.machine()];
  return textsOf(job["assets"]).some((reference) => {
    const id = assetFor(reference, assets, machine)?.id;
    return id !== undefined && own.has(id) && !has.has(id);
  });
}

/** Assets that a job refers to, or ids of the assets of an execution. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
