import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chownSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { Client } from "pg";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { projectRoot } from "../../../toolchain/root";
import { portToBind } from "../../../toolchain/yard/ports";
import { postgresUser } from "../../../toolchain/yard/postgres/user";
import { until } from "../../engine/cli/held";

/** PostgreSQL's programs, or why there are none here. */
export async function postgresPrograms(): Promise<{ readonly bin: string } | { readonly missing: string }> {
  const found = await pythonEnvironment("postgres", projectRoot());
  if ("missing" in found) return found;
  const text = "import embedded_postgres, os; print(os.path.dirname(embedded_postgres.__file__))";
  const { stdout } = spawnSync(found.python, ["-c", text], { encoding: "utf8" });
  return { bin: path.join(stdout.trim(), "pginstall", "bin") };
}

/** A second PostgreSQL of a test's own, on another machine as far as anybody can know. */
export class OtherPostgres {
  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    /** URL of an empty database. */
    readonly url: string,
  ) {}

  static async start(bin: string, database: string): Promise<OtherPostgres> {
    const user = postgresUser();
    const folder = mkdtempSync(path.join(tmpdir(), "stackyard-restored-"));
    // The user of the server may not enter our folders.
    const home = path.resolve(bin, "../..");
    for (const part of [home, `${home}.libs`]) {
      cpSync(part, path.join(folder, path.basename(part)), { recursive: true, verbatimSymlinks: true });
    }
    if (user) chownSync(folder, user.uid, user.gid);
    const program = (name: string): string => path.join(folder, path.basename(home), "pginstall", "bin", name);
    const data = path.join(folder, "data");
    const options = { ...user, cwd: folder, env: { LC_ALL: "C" } };
    const made = spawnSync(program("initdb"), ["-D", data, "--username=restored", "--auth=trust", "--no-sync"], {
      ...options,
      encoding: "utf8",
    });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
    const port = await portToBind();
    const settings = ["-D", data, "-p", String(port), "-k", "", "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"];
    const child = spawn(program("postgres"), settings, { ...options, stdio: "ignore" });
    const server = `postgres://restored@127.0.0.1:${port}`;
    await until("the other PostgreSQL answers", () => execute(`${server}/postgres`, `create database ${database}`));
    return new OtherPostgres(folder, child, `${server}/${database}`);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGINT");
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function execute(url: string, text: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.query(text);
    return true;
  } catch {
    return false; // It is starting.
  } finally {
    await client.end().catch(() => undefined);
  }
}
