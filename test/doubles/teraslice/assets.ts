import { createHash } from "node:crypto";
import { TextWriter, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { compare, satisfies, valid, validRange } from "semver";
import { Refusal, type Doc } from "./refusal";

/** Platform of the double's master, which bundles may require. */
export const MACHINE = { node_version: 24, platform: "linux", arch: "x64" } as const;

/** A bundle of a master: its `asset.json`, and the id derived from its content. */
export interface StoredAsset extends Doc {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly node_version?: number;
  readonly platform?: string;
  readonly arch?: string;
}

/** The assets of the double: stored by content, found by name and version as in the real master. */
export class Assets {
  readonly stored = new Map<string, StoredAsset>();
  /** Ids on the master's own disk. After a restart with an empty disk, stored assets count as new. */
  readonly onDisk = new Set<string>();

  async save(zip: Uint8Array): Promise<{ id: string; created: boolean }> {
    if (!["50", "4b", "03", "04"].every((byte, index) => zip[index] === Number.parseInt(byte, 16))) {
      throw new Refusal(500, "Failed to save asset. File type not recognized as zip.");
    }
    const id = createHash("sha1").update(Buffer.from(zip).toString("base64")).digest("hex");
    if (this.onDisk.has(id) && this.stored.has(id)) return { id, created: false };
    const asset = await read(id, zip);
    const twin = [...this.stored.values()].find((other) => sameMeta(other, asset));
    if (twin) {
      const what = `name:"${asset.name}" AND version:"${asset.version}"`;
      throw new Refusal(409, `Asset ${what} already exists, please increment the version and send again`);
    }
    this.stored.set(id, { ...asset, _created: new Date().toISOString() });
    this.onDisk.add(id);
    return { id, created: true };
  }

  /** Like `/assets/:name/:version`, newest first. */
  list(name?: string, version?: string): StoredAsset[] {
    const found = [...this.stored.values()].filter(
      (one) => (name === undefined || one.name === name) && (version === undefined || one.version === version),
    );
    return found.reverse();
  }

  remove(id: string): void {
    if (!this.stored.delete(id)) throw new Refusal(404, `Unable to find asset ${id}`);
    this.onDisk.delete(id);
  }

  /** Returns the ids of a job's references, in its order. */
  resolve(references: readonly string[]): string[] {
    return [...new Set(references)].map((reference) => {
      if (reference.length === 40 && this.stored.has(reference)) return reference;
      const [name = "", version] = reference.split(":");
      const range = version === undefined || version === "latest" ? "*" : version;
      if (validRange(range) === null) throw failed(`Version "${range}" is not a valid semver range`);
      const [best] = [...this.stored.values()]
        .filter((one) => one.name === name && satisfies(one.version, range, { includePrerelease: true }) && fits(one))
        .sort((a, b) => compare(b.version, a.version));
      if (!best) throw failed(`TSError: No assets found for "${reference}"`);
      return best.id;
    });
  }
}

/** With its stack trace, as the process that looks for assets hands it on. */
const failed = (why: string): Refusal =>
  new Refusal(
    500,
    `Failure to get assets, caused by ${why}\n    at AssetsStorage._getAssetId (file:///app/assets.js:296:13)`,
  );

const fits = ({ node_version = 0, platform = MACHINE.platform, arch = MACHINE.arch }: StoredAsset): boolean =>
  node_version <= MACHINE.node_version && platform === MACHINE.platform && arch === MACHINE.arch;

const sameMeta = (one: StoredAsset, other: StoredAsset): boolean =>
  (["name", "version", "node_version", "platform", "arch"] as const).every((key) => one[key] === other[key]);

async function read(id: string, zip: Uint8Array): Promise<StoredAsset> {
  const entries = await new ZipReader(new Uint8ArrayReader(zip)).getEntries().catch((error: Error) => {
    throw new Refusal(500, error.message);
  });
  const file = entries.find(({ filename }) => filename === "asset.json");
  if (!file || file.directory) throw new Refusal(422, "asset.json was not found in root directory of asset bundle");
  const { name, version, node_version, ...rest } = JSON.parse(await file.getData(new TextWriter())) as Doc;
  if (typeof name !== "string" || name === "") throw new Refusal(500, "Missing name");
  if (valid(String(version)) === null) throw new Refusal(500, `Invalid version "${String(version)}"`);
  const kept = Object.fromEntries(Object.entries(rest).filter(([, value]) => Boolean(value)));
  return {
    ...kept,
    id,
    name,
    version: String(version),
    ...(node_version ? { node_version: Number(node_version) } : {}),
  };
}
