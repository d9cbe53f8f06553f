/** Checks whether a master has, or is about to get, the assets that a job refers to. */

import { readFile } from "node:fs/promises";
import { ApiError, UnreachableError } from "../../../../kubernetes/client/apiError";
import { assetFor, whyNoAsset } from "../master/assets";
import type { Asset } from "../master/assets";
import { readBundle } from "../master/bundle";
import { textsOf } from "../handOver";
import type { JobInputs } from "../inputs";
import type { JobSite } from "../site";

/**
 * Lists the assets that the master lacks, one line each; it would reject the job. With `coming`, the job's own bundles
 * count as uploaded. Undefined if no master can be reached, for example before it is created.
 */
export async function lackingAssets(site: JobSite, inputs: JobInputs, coming: boolean): Promise<string[] | undefined> {
  const references = textsOf(inputs.job["assets"]);
  if (references.length === 0) return [];
  try {
    const there = await site.master.assets();
    const assets = coming ? [...there, ...(await ownAssets(inputs))] : there;
    const machine = await site.master.machine();
    return references
      .filter((reference) => assetFor(reference, assets, machine) === undefined)
      .map((reference) => `the master has no asset ${reference}; ${whyNoAsset(reference, assets)}`);
  } catch (error) {
    if (error instanceof ApiError || error instanceof UnreachableError) return undefined;
    throw error;
  }
}

/** An unreadable file is reported when it is uploaded. */
async function ownAssets({ assets }: JobInputs): Promise<Asset[]> {
  const read = await Promise.all(
    assets.map(({ path }) =>
      readFile(path)
        .then(readBundle, () => undefined)
        .catch(() => undefined),
    ),
  );
  return read.filter((asset) => asset !== undefined);
}
