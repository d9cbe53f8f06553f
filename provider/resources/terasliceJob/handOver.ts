/** Asset bundles of a job: handed over to the master, and whether what runs has them. */

import { readFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { assetFor, assetIdOf } from "./master/assets";
import type { Execution } from "./master/execution";
import type { AssetFile } from "./inputs";
import type { Site } from "./site";
import type { Json } from "../../../foundation/json/isObject";

/** Ids of bundles at the master, by the digests of their files. */
export type AssetIds = Readonly<Record<string, string>>;

/** Sees to it that the master has all bundles of the job; `known` are ids of files that were read before. */
export async function handOver(site: Site, assets: readonly AssetFile[], known: AssetIds = {}): Promise<AssetIds> {
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

async function contentOf(site: Site, { path, sha256 }: AssetFile): Promise<Uint8Array> {
  const zip = await readFile(path).catch((error: Error) => {
    throw new Error(`the asset ${path} of job ${site.name} can't be read: ${error.message}`);
  });
  const found = createHash("sha256").update(zip).digest("hex");
  if (found !== sha256)
    throw new Error(`the asset ${path} of job ${site.name} changed since the preview; run it again`);
  return zip;
}

/**
 * Whether what runs began without a bundle of the job's own that it would take now: an execution keeps the bundles that
 * there were when it started. Bundles that others handed over wait for the next start.
 */
export async function lacksAsset(site: Site, execution: Execution, job: Json, ids: AssetIds): Promise<boolean> {
  const own = new Set(Object.values(ids));
  const has = new Set(textsOf(execution["assets"]));
  if ([...own].every((id) => has.has(id))) return false;
  const [assets, machine] = [await site.master.assets(), await site.master.machine()];
  return textsOf(job["assets"]).some((reference) => {
    const id = assetFor(reference, assets, machine)?.id;
    return id !== undefined && own.has(id) && !has.has(id);
  });
}

/** Assets that a job refers to, or ids that an execution has of them. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
