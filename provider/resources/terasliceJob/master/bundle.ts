/** Reads the description of an asset bundle: `asset.json` in the root of a zip file. */

import { TextWriter, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { clean, coerce } from "semver";
import { textAt } from "../../../../kubernetes/objects/objects";
import { assetIdOf } from "./assets";
import type { Asset } from "./assets";
import { isObject, type Json } from "../../../../foundation/json/isObject";

/** File that every bundle must contain. */
export const MANIFEST = "asset.json";

/** Reads a bundle as a master would. Throws if it is invalid. */
export async function readBundle(zip: Uint8Array): Promise<Asset> {
  return assetOfManifest(await manifestOf(zip), assetIdOf(zip));
}

/** Parses `asset.json` with the checks of a master. */
export function assetOfManifest(manifest: Json, id: string): Asset {
  const name = textAt(manifest, "name");
  const version = clean(textAt(manifest, "version") ?? "");
  if (name === undefined) throw new Error(`its ${MANIFEST} has no name`);
  if (version === null) throw new Error(`its ${MANIFEST} has no version such as 1.0.0`);
  const { node_version: node, platform, arch } = manifest;
  const nodeVersion = typeof node === "number" || typeof node === "string" ? coerce(String(node))?.major : undefined;
  return {
    id,
    name,
    version,
    // Empty values mean no requirement.
    nodeVersion: nodeVersion === 0 ? undefined : nodeVersion,
    platform: typeof platform === "string" && platform !== "" ? platform : undefined,
    arch: typeof arch === "string" && arch !== "" ? arch : undefined,
  };
}

async function manifestOf(zip: Uint8Array): Promise<Json> {
  const reader = new ZipReader(new Uint8ArrayReader(zip), { useWebWorkers: false });
  try {
    const entry = (await reader.getEntries()).find(({ filename }) => filename === MANIFEST);
    if (!entry || entry.directory) throw new Error(`there is no ${MANIFEST} in its root`);
    const manifest: unknown = JSON.parse(await entry.getData(new TextWriter()));
    if (!isObject(manifest)) throw new Error(`its ${MANIFEST} is no object`);
    return manifest;
  } finally {
    await reader.close();
  }
}
