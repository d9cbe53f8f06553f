/** Asset bundles at a master, and which of them it uses for a job's references. Pure. */

import { createHash } from "node:crypto";
import { compare, coerce, satisfies, validRange } from "semver";
import { numberAt, textAt } from "../../../../kubernetes/objects/objects";
import type { Json } from "../../../../foundation/json/isObject";

export interface Asset {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** Minimum major version of Node.js, if the bundle requires one. */
  readonly nodeVersion?: number;
  readonly platform?: string;
  readonly arch?: string;
}

/** The master's platform; older masters don't report it. */
export interface Machine {
  readonly nodeVersion?: number;
  readonly platform?: string;
  readonly arch?: string;
}

/** The id that a master assigns to a bundle, derived from its content. */
export const assetIdOf = (zip: Uint8Array): string =>
  createHash("sha1").update(Buffer.from(zip).toString("base64")).digest("hex");

export function assetOf(record: Json): Asset {
  return {
    id: textAt(record, "id") ?? textAt(record, "_id") ?? "",
    name: textAt(record, "name") ?? "",
    version: textAt(record, "version") ?? "",
    nodeVersion: numberAt(record, "node_version"),
    platform: textAt(record, "platform"),
    arch: textAt(record, "arch"),
  };
}

export const machineOf = (about: Json): Machine => ({
  nodeVersion: coerce(textAt(about, "node_version"))?.major,
  platform: textAt(about, "platform"),
  arch: textAt(about, "arch"),
});

/**
 * Returns the newest matching bundle for `name`, `name:version`, `name:range` or an id that fits the platform;
 * undefined if there is none.
 */
export function assetFor(reference: string, assets: readonly Asset[], machine: Machine): Asset | undefined {
  const byId = assets.find(({ id }) => id === reference);
  if (byId) return byId;
  return named(reference, assets)
    .filter((asset) => fits(asset, machine))
    .sort((a, b) => compare(b.version, a.version))[0];
}

/** Returns why there is no bundle, for a message. */
export function whyNoAsset(reference: string, assets: readonly Asset[]): string {
  const [name = "", version] = reference.split(":");
  const others = assets.filter((asset) => asset.name === name);
  if (version !== undefined && validRange(rangeOf(version)) === null) return `${version} is no range of versions`;
  if (named(reference, assets).length > 0)
    return "what it has is made for another version of Node, platform or architecture";
  if (others.length > 0) return `it has ${others.map((asset) => asset.version).join(", ")} of ${name}`;
  const names = [...new Set(assets.map((asset) => asset.name))];
  return names.length === 0 ? "it has no asset at all" : `it has ${names.join(", ")}`;
}

function named(reference: string, assets: readonly Asset[]): Asset[] {
  const [name = "", version] = reference.split(":");
  const range = rangeOf(version);
  return assets.filter((asset) => asset.name === name && satisfies(asset.version, range, { includePrerelease: true }));
}

const rangeOf = (version: string | undefined): string =>
  version === undefined || version === "" || version === "latest" ? "*" : version;

const fits = (asset: Asset, { nodeVersion = Infinity, platform, arch }: Machine): boolean =>
  (asset.nodeVersion ?? 0) <= nodeVersion &&
  (asset.platform === undefined || platform === undefined || asset.platform === platform) &&
  (asset.arch === undefined || arch === undefined || asset.arch === arch);
