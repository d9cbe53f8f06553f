import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { Client } from "pg";
import type { Yard } from "../yard/yard";
import { writePrivateSync } from "../../foundation/wholeFile";
import { isFree } from "../yard/ports";

const DATABASE = "provisioner";
const TENANT = "demo";
/** Number of ports to try from the default one, for machines with several services. */
const PORTS = 100;

/** The environment of a service on the local yard, and data for its first caller. */
interface ServiceEnvironment {
  readonly env: Readonly<Record<string, string>>;
  readonly token: string;
}

/**
 * Returns the environment of a service on the yard: a database beside the ledger, its own token and free ports.
 * Variables that the user has set take precedence.
 */
export async function serviceEnvironment(
  yard: Yard,
  given: NodeJS.ProcessEnv,
  free: (port: number) => Promise<boolean> = isFree,
): Promise<ServiceEnvironment> {
  const token = kept(yard.directory, "service-token", () => `dev-${randomBytes(12).toString("hex")}`);
  const url = new URL(yard.ledgerUrl);
  await createDatabase(url);
  url.pathname = `/${DATABASE}`;
  const defaults = {
    APP_DATABASE_URL: url.href,
    APP_ADDRESS: `127.0.0.1:${await nextFree(3000, free)}`,
    APP_METRICS_ADDRESS: `127.0.0.1:${await nextFree(9000, free)}`,
    APP_ENCRYPTION_KEYS: kept(yard.directory, "service-key", () => `yard:${randomBytes(32).toString("base64")}`),
    APP_PLATFORM: "dev",
    // There is one tenant, whose stacks have the same names in the command line.
    APP_STACK_NAMES: "id",
    APP_LOG_LEVEL: "warn",
    APP_ALLOW_STATIC_TOKENS: "true",
    APP_STATIC_TOKENS: `${token}=${TENANT}:admin`,
  };
  const own = Object.keys(given).flatMap((name): [string, string][] =>
    name.startsWith("APP_") && given[name] ? [[name, given[name]]] : [],
  );
  return { env: { ...yard.env, ...defaults, ...Object.fromEntries(own) }, token };
}

/** Keeps a value as long as the yard exists, so that open pages keep working and sealed values can be opened. */
function kept(directory: string, name: string, make: () => string): string {
  const file = path.join(directory, name);
  if (!fs.existsSync(file)) writePrivateSync(file, `${make()}\n`);
  return fs.readFileSync(file, "utf8").trim();
}

/** Returns the first free port from here. */
export async function nextFree(first: number, free: (port: number) => Promise<boolean>): Promise<number> {
  for (let port = first; port < first + PORTS; port += 1) if (await free(port)) return port;
  throw new Error(`no port from ${first} to ${first + PORTS - 1} is free; set APP_ADDRESS and APP_METRICS_ADDRESS`);
}

async function createDatabase(server: URL): Promise<void> {
  const client = new Client({ connectionString: server.href });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } catch (error) {
    // Another process created it at the same time.
    if ((error as { code?: string }).code !== "42P04" && (error as { code?: string }).code !== "23505") throw error;
  } finally {
    await client.end();
  }
}
