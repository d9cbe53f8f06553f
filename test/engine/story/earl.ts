import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Teraslice } from "./teraslice";

const run = promisify(execFile);

/** Of the asset, the job and its index. */
const NAME = "by-earl";

/** What `earl` writes into a job file. */
interface Registered {
  readonly __metadata: { readonly cli: { readonly job_id: string } };
}

/** Teraslice's own command line, unchanged, through a port-forward as `docs/teraslice.md` says. */
export async function withEarl(teraslice: Teraslice): Promise<void> {
  const url = await teraslice.platform.forward(teraslice.namespace, "story-master", "5678");
  const folder = await teraslice.earlFolder(NAME);
  const earl = async (...args: string[]): Promise<string> => {
    const all = [teraslice.earl, ...args, "--config-dir", path.join(folder, "config")];
    const { stdout, stderr } = await run(process.execPath, all, { cwd: folder, maxBuffer: 1e8 });
    return stdout + stderr;
  };
  await earl("aliases", "add", "yard", url);
  assert.match(await earl("jobs", "list", "yard"), /records/);
  assert.match(await earl("ex", "list", "yard"), /completed/);
  await earl("assets", "deploy", "yard", "--build", "--dev");
  assert.match(await earl("assets", "list", "yard"), /by-earl/);
  await earl("tjm", "register", "yard", "job.json");
  await earl("tjm", "start", "job.json");
  await teraslice.until("records are indexed", async () => (await teraslice.count(NAME)) > 0);
  const job = JSON.parse(readFileSync(path.join(folder, "job.json"), "utf8")) as Registered;
  const id = job.__metadata.cli.job_id;
  assert.match(await earl("jobs", "status", "yard", id), /running/);
  assert.match(await earl("ex", "list", "yard", "--status", "running"), /by-earl/);
  await earl("jobs", "errors", "yard", id);
  await earl("jobs", "stop", "yard", id, "--yes");
  await earl("jobs", "start", "yard", id, "--yes");
  await earl("tjm", "stop", "job.json");
  await earl("tjm", "delete", "job.json", "--yes");
  assert.doesNotMatch(await earl("jobs", "list", "yard"), /by-earl/);
}
