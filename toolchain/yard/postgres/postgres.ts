import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { Client } from "pg";
import { tail } from "../files";
import type { Layout } from "../layout";
import { becomesFree } from "../ports";
import { makeLinks, packagedPostgres, reachableBinaries } from "./binaries";
import { postgresUser, type PostgresUser } from "./user";
import { allProcesses, end, ofYard, type Process } from "../processes";
import type { YardRecord } from "../record";

const DATABASE = "ledger";

/** Folder of the data, and of the binaries if they had to be copied. */
export function postgresHome(layout: Layout, record: YardRecord): string {
  return record.postgresAway ?? layout.postgres;
}

/** Whether the server accepts our user name and password. */
async function answers(record: YardRecord, database: string): Promise<boolean> {
  const client = new Client({
    host: "127.0.0.1",
    port: record.ports.postgres,
    user: "stackyard",
    password: record.postgresPassword,
    database,
    connectionTimeoutMillis: 2000,
  });
  // The query reports a lost connection too.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function postgresAnswers(record: YardRecord): Promise<boolean> {
  return answers(record, DATABASE);
}

/** Creates the data folder. It is renamed when it is complete, so that an interrupted one is created again. */
function initialise(home: string, bin: string, user: PostgresUser | undefined, record: YardRecord): void {
  const data = path.join(home, "data");
  if (fs.existsSync(data)) return;
  const fresh = path.join(home, "data.new");
  const password = path.join(home, "password.new");
  fs.rmSync(fresh, { recursive: true, force: true });
  fs.mkdirSync(fresh, { recursive: true, mode: 0o700 });
  fs.writeFileSync(password, `${record.postgresPassword}\n`, { mode: 0o600 });
  if (user) for (const file of [home, fresh, password]) fs.chownSync(file, user.uid, user.gid);
  try {
    const result = spawnSync(
      path.join(bin, "initdb"),
      [
        "-D",
        fresh,
        "--username=stackyard",
        `--pwfile=${password}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync",
      ],
      { ...user, cwd: home, encoding: "utf8", env: { PATH: process.env.PATH, LC_ALL: "C" } },
    );
    if (result.error) throw result.error;
    if (result.status !== 0)
      throw new Error(`initdb ended with ${result.signal ?? `exit code ${result.status}`}:\n${result.stderr.trim()}`);
  } finally {
    fs.rmSync(password, { force: true });
  }
  fs.renameSync(fresh, data);
}

function serversOf(home: string): Process[] {
  return ofYard(allProcesses(), [home]);
}

/** Removes a lock file whose server is gone, or whose process id was reused: it would prevent the start. */
export function removeStaleLock(data: string, servers: readonly Process[]): boolean {
  const lock = path.join(data, "postmaster.pid");
  if (!fs.existsSync(lock)) return false;
  const pid = Number(fs.readFileSync(lock, "utf8").split("\n")[0]);
  if (servers.some((server) => server.pid === pid)) return false;
  fs.rmSync(lock);
  return true;
}

async function createDatabase(record: YardRecord): Promise<void> {
  const client = new Client({
    host: "127.0.0.1",
    port: record.ports.postgres,
    user: "stackyard",
    password: record.postgresPassword,
    database: "postgres",
  });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Stops the server; its data stays. */
export async function stopPostgres(layout: Layout, record: YardRecord): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown: it disconnects clients and writes the data.
  await end(serversOf(postgresHome(layout, record)), "SIGINT", 10_000);
}

/** Starts PostgreSQL with the ledger's database, from any state. Returns whether anything was done. */
export async function ensurePostgres(root: string, layout: Layout, record: YardRecord): Promise<boolean> {
  if (await postgresAnswers(record)) return false;
  const home = postgresHome(layout, record);
  const user = postgresUser();
  const native = packagedPostgres(root);
  makeLinks(native);
  const bin = path.join(reachableBinaries(native, user, record.postgresAway), "bin");
  const log = path.join(layout.logs, "postgres.log");
  const data = path.join(home, "data");

  // A server that runs without answering may be starting, or be broken after its child processes were killed.
  if (!(await answers(record, "postgres"))) {
    await stopPostgres(layout, record);
    if (!(await becomesFree(record.ports.postgres))) {
      throw new Error(
        `port ${record.ports.postgres} of the local yard's PostgreSQL is used by another program; end that program and run make up, or run "make down" and "make up" for a new yard on other ports`,
      );
    }
    fs.mkdirSync(home, { recursive: true });
    fs.mkdirSync(layout.logs, { recursive: true });
    initialise(home, bin, user, record);
    removeStaleLock(data, serversOf(home));
    await launch(path.join(bin, "postgres"), data, log, user, record);
  }
  await createDatabase(record);
  return true;
}

async function launch(
  program: string,
  data: string,
  log: string,
  user: PostgresUser | undefined,
  record: YardRecord,
): Promise<void> {
  const output = fs.openSync(log, "a", 0o600);
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300"];
  const child = spawn(
    program,
    ["-D", data, "-p", String(record.ports.postgres), ...settings.flatMap((setting) => ["-c", setting])],
    {
      ...user,
      cwd: data,
      detached: true,
      stdio: ["ignore", output, output],
      env: { PATH: process.env.PATH, LC_ALL: "C" },
    },
  );
  fs.closeSync(output);
  let ended: string | undefined;
  child.on("error", (error) => (ended = error.message));
  child.on("exit", (code, signal) => (ended = `it ended with ${signal ?? `exit code ${code}`}`));
  child.unref();
  const deadline = Date.now() + 30_000;
  while (!(await answers(record, "postgres"))) {
    if (ended !== undefined || Date.now() > deadline) {
      throw new Error(
        `PostgreSQL of the local yard does not start: ${ended ?? "no answer for 30 seconds"}; last lines of ${log}:\n${tail(log, 5)}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
