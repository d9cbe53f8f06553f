import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheFolder } from "../../foundation/cacheFolder";
import { originOf } from "./fetch/fetch";
import type { ChartName } from "./table";

/** An exact version of a chart. */
export interface VersionedChart {
  readonly name: ChartName;
  readonly version: string;
}

export const digestOf = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Verified archives, by digest, shared by all checkouts of one user. */
export class ChartCache {
  /** Default folder: `$XDG_CACHE_HOME/stackyard/charts`, else `~/.cache/stackyard/charts`. */
  constructor(private readonly folder: string = cacheFolder("charts")) {}

  /** The archive with this digest; undefined when it is not here or was damaged. */
  async find(chart: VersionedChart, digest: string): Promise<Buffer | undefined> {
    const bytes = await readIfThere(this.archive(chart, digest));
    return bytes !== undefined && digestOf(bytes) === digest ? bytes : undefined;
  }

  /** The archive that came from this origin before, for a chart that is not locked: an exact version stays what it was. */
  async findFrom(chart: VersionedChart, mirror: string | undefined): Promise<Buffer | undefined> {
    const digest = (await readIfThere(this.note(chart, mirror)))?.toString("utf8").trim();
    return digest === undefined ? undefined : this.find(chart, digest);
  }

  async keep(chart: VersionedChart, mirror: string | undefined, bytes: Buffer): Promise<void> {
    const digest = digestOf(bytes);
    await writeWhole(this.archive(chart, digest), bytes);
    await writeWhole(this.note(chart, mirror), Buffer.from(`${digest}\n`));
  }

  private archive(chart: VersionedChart, digest: string): string {
    return join(this.folder, archiveName(chart, digest));
  }

  /** Says which digest came from an origin. */
  private note({ name, version }: VersionedChart, mirror: string | undefined): string {
    const origin = createHash("sha256").update(originOf(name, mirror)).digest("hex").slice(0, 16);
    return join(this.folder, "origins", `${name}-${version}-${origin}`);
  }
}

/** A name that says which chart it is and changes with its content. */
export function archiveName({ name, version }: VersionedChart, digest: string): string {
  return `${name}-${version}-${digest.replace("sha256:", "").slice(0, 12)}.tgz`;
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whole or not at all, also when several programs write it at once. */
export async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(temporary, bytes);
  await rename(temporary, file);
}
