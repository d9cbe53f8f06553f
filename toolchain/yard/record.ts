import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { writePrivateSync } from "../../foundation/wholeFile";
import type { Layout } from "./layout";
import { choosePorts, type Ports } from "./ports";
import { isMissing } from "../../foundation/errorCode";

/** Data that a yard keeps between starts. */
export interface YardRecord {
  /** Folder in which the yard was created: all its parts have absolute paths. */
  readonly directory: string;
  readonly ports: Ports;
  readonly postgresPassword: string;
  /** PostgreSQL's folder if its user can't access the yard's folder (root's yard in a private folder). */
  readonly postgresAway?: string;
}

export function readRecord(layout: Layout): YardRecord | undefined {
  let text;
  try {
    text = fs.readFileSync(layout.record, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return JSON.parse(text) as YardRecord; // Written atomically, so it is complete.
}

export function writeRecord(layout: Layout, record: YardRecord): void {
  writePrivateSync(layout.record, `${JSON.stringify(record, undefined, 2)}\n`);
}

export async function newRecord(layout: Layout): Promise<YardRecord> {
  return {
    directory: layout.directory,
    ports: await choosePorts(layout.directory),
    postgresPassword: randomBytes(24).toString("base64url"),
  };
}

/** Folders whose paths identify the yard's processes. */
export function foldersOf(layout: Layout, record: YardRecord | undefined): string[] {
  return [
    layout.cluster,
    layout.postgres,
    layout.pulumiHome,
    layout.shoots,
    layout.node,
    ...(record?.postgresAway === undefined ? [] : [record.postgresAway]),
  ];
}

/** URL of the ledger's database, with its password. */
export function ledgerUrl(record: YardRecord): string {
  return `postgres://stackyard:${record.postgresPassword}@127.0.0.1:${record.ports.postgres}/ledger`;
}
