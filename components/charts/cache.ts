import { createHash } from "node:crypto";
import { join } from "node:path";
import { cacheFolder } from "../../foundation/cacheFolder";
import { digestOf } from "../../foundation/digest";
import { readIfThere, keepWhole } from "../../foundation/wholeFile";
import { ARCHIVE_BYTES } from "./fetch/download";
import { originOf } from "./fetch/fetch";
import type { ChartName } from "./table";

/** Maximum size of a note: a digest and a line break. */
const NOTE_BYTES = 100;

/** An exact version of a chart. */
export interface VersionedChart {
  readonly name: ChartName;
  readonly version: string;
}

/** Cache of verified chart archives by digest, shared by all checkouts of a user. */
export class ChartCache {
  /** Default: `$XDG_CACHE_HOME/stackyard/charts`, or `~/.cache/stackyard/charts`. */
  constructor(private readonly folder: string = cacheFolder("charts")) {}

  /** The archive with this digest; undefined if it is missing or damaged. */
  async find(chart: VersionedChart, digest: string): Promise<Buffer | undefined> {
    const bytes = await readIfThere(this.archive(chart, digest), ARCHIVE_BYTES);
    return bytes !== undefined && digestOf(bytes) === digest ? bytes : undefined;
  }

  /**
   * The archive previously fetched from this origin, for a chart that is not locked. An exact version never changes.
   */
  async findFrom(chart: VersionedChart, mirror: string | undefined): Promise<Buffer | undefined> {
    const digest = (await readIfThere(this.note(chart, mirror), NOTE_BYTES))?.toString("utf8").trim();
    return digest === undefined ? undefined : this.find(chart, digest);
  }

  async keep(chart: VersionedChart, mirror: string | undefined, bytes: Buffer): Promise<void> {
    const digest = digestOf(bytes);
    await keepWhole(this.archive(chart, digest), bytes);
    await keepWhole(this.note(chart, mirror), Buffer.from(`${digest}\n`));
  }

  private archive(chart: VersionedChart, digest: string): string {
    return join(this.folder, archiveName(chart, digest));
  }

  /** Path of the file that records which digest an origin returned. */
  private note({ name, version }: VersionedChart, mirror: string | undefined): string {
    const origin = createHash("sha256").update(originOf(name, mirror)).digest("hex").slice(0, 16);
    return join(this.folder, "origins", `${name}-${version}-${origin}`);
  }
}

/** A file name with the chart's name and version. It changes with the content. */
export function archiveName({ name, version }: VersionedChart, digest: string): string {
  return `${name}-${version}-${digest.replace("sha256:", "").slice(0, 12)}.tgz`;
}
