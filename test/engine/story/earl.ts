import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Story } from "./story";

const run = promisify(execFile);

/** Of the asset, the job and its index. */
const NAME = "by-earl";

/** What `earl` writes into a job file. */
interface Registered {
  readonly __metadata: { readonly cli: { readonly job_id: string } };
}

/** Teraslice's own command line, unchanged, through a port-forward as `docs/teraslice.md` says. */
export async function withEarl(story: Story): Promise<void> {
  const forward = spawn(
    "kubectl",
    ["--kubeconfig", story.place.kubeconfig, "-n", story.namespace, "port-forward", "service/story-master", ":5678"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    const [said] = (await new Promise((resolve) => forward.stdout.once("data", (text) => resolve([text])))) as [Buffer];
    const port = /127\.0\.0\.1:(\d+)/.exec(String(said))?.[1] ?? "";
    await daily(story, `http://127.0.0.1:${port}`);
  } finally {
    forward.kill();
  }
}

async function daily(story: Story, url: string): Promise<void> {
  const folder = story.earlFolder(NAME);
  const earl = async (...args: string[]): Promise<string> => {
    const all = [story.earl, ...args, "--config-dir", path.join(folder, "config")];
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
  await story.until("records are indexed", async () => (await story.count(NAME)) > 0);
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
