import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { mib } from "../../../foundation/net/bytes";
import { Refused, Unavailable } from "../../../foundation/net/errors";
import type { Mirror } from "../charts";
import { CHARTS, versionOf, type ChartName } from "../table";
import { ARCHIVE_BYTES } from "./download";
import { fromHelmRepository } from "./helmRepository";
import { fromOciRegistry } from "./ociRegistry";

/** Whether a chart is unavailable or was rejected. An optional component is skipped then. */
export const isChartUnavailable = (error: unknown): error is Error =>
  error instanceof Unavailable || error instanceof Refused;

/** Where a chart comes from: the mirror, or else its own repository. */
export const originOf = (name: ChartName, mirror: string | undefined): string => mirror ?? CHARTS[name].repo;

export const isFolder = (mirror: string | undefined): boolean => mirror !== undefined && !/^[a-z]+:\/\//.test(mirror);

/**
 * Fetches the archive of a chart in its configured version, without verifying it. A relative folder starts at
 * `project`. Throws an error that matches {@link isChartUnavailable} if it is unavailable.
 */
export async function fetchArchive(
  name: ChartName,
  { mirror, credentials, versions }: Mirror,
  project: string,
): Promise<Buffer> {
  const version = versionOf(name, versions);
  const origin = originOf(name, mirror);
  if (origin.startsWith("oci://")) return fromOciRegistry(origin, name, version, credentials);
  if (!isFolder(mirror)) return fromHelmRepository(origin, name, version, credentials);
  const folder = origin.startsWith("~/") ? join(homedir(), origin.slice(2)) : resolve(project, origin);
  const shown = `the file ${join(origin, `${name}-${version}.tgz`)}`;
  try {
    const file = join(folder, `${name}-${version}.tgz`);
    if ((await stat(file)).size > ARCHIVE_BYTES) throw new Refused(`${shown} has more than ${mib(ARCHIVE_BYTES)}`);
    return await readFile(file);
  } catch (error) {
    if (error instanceof Refused) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" || code === "ENOTDIR" ? "is not there" : `can't be read (${code ?? "unknown"})`;
    throw new Unavailable(`${shown} ${why}`, false);
  }
}
