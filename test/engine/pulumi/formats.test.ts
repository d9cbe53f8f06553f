import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SECRET } from "../../../engine/pulumi/state/checkpoint";
import { FileStore } from "../../../engine/pulumi/state/fileStore";
import { emptyCheckpoint } from "../../../engine/pulumi/state/stateStore";
import { parseLocks } from "../../../engine/pulumi/engineLock";
import { passphraseFault } from "../../../engine/pulumi/diagnostics";
import { parseEvent, STACK_TYPE } from "../../../engine/pulumi/events";
import { backendName } from "../../../foundation/pulumi/backend";
import { projectRoot } from "../../../toolchain/root";
import { decrypt, saltIn, secretsKey } from "../../../toolchain/yard/pulumiSecrets";

/** Creates nothing. While the file `hold` exists, it waits. */
const PROGRAM = `
const fs = require("node:fs");
const pulumi = require("@pulumi/pulumi");
module.exports = async () => {
  while (fs.existsSync("hold")) {
    fs.writeFileSync("held", "");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { host: "http://a", key: pulumi.secret("k") };
};
`;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe("a format of the engine", () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "stackyard-formats-")));
  const stacks = path.join(folder, ".pulumi", "stacks", "formats");
  const file = (name: string): string => path.join(folder, name);
  const store = (): FileStore => FileStore.open(`file://${folder}`, "/");
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "correct horse",
    PULUMI_CONFIG_PASSPHRASE_FILE: "",
    PULUMI_DEBUG_COMMANDS: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_HOME: file("home"),
    PULUMI_NODEJS_TYPESCRIPT: "false",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };

  function start(args: readonly string[], extra: NodeJS.ProcessEnv = {}): { pid?: number; ended: Promise<Ended> } {
    const child = spawn("pulumi", [...args, "--non-interactive"], { cwd: folder, env: { ...env, ...extra } });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (text: Buffer) => (stdout += text.toString()));
    child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
    const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
    return { pid: child.pid, ended };
  }

  async function must(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await start(args).ended;
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  }

  const up = (stack: string, ...flags: string[]): string[] => ["up", "--yes", "--skip-preview", "-s", stack, ...flags];

  before(() => {
    mkdirSync(file("home"));
    mkdirSync(file("node_modules/@pulumi"), { recursive: true });
    symlinkSync(path.join(projectRoot(), "node_modules/@pulumi/pulumi"), file("node_modules/@pulumi/pulumi"));
    writeFileSync(file("Pulumi.yaml"), "name: formats\nruntime: { name: nodejs, options: { typescript: false } }\n");
    writeFileSync(file("package.json"), '{ "main": "index.js" }');
    writeFileSync(file("index.js"), PROGRAM);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("matches engine/pulumi/state/stateStore.ts: the checkpoint and the layout of a new stack", async () => {
    await must("stack", "init", "one");
    const read = (text: string) => JSON.parse(text) as { version: number; checkpoint: { stack: string } };
    const written = read(readFileSync(path.join(stacks, "one.json"), "utf8"));
    const own = read(emptyCheckpoint("formats", "one"));
    assert.deepEqual([written.version, written.checkpoint.stack], [own.version, own.checkpoint.stack]);
    assert.match(readFileSync(path.join(folder, ".pulumi", "meta.yaml"), "utf8"), /^version:\s*1\s*$/m);
    assert.deepEqual(
      (await store().list("formats")).map(({ name }) => name),
      ["one"],
    );
  });

  it("matches engine/pulumi/state/fileStore.ts: a stack that the file store creates", async () => {
    assert.equal(await store().create("formats", "made"), true);
    await must(...up("made"));
    assert.deepEqual((await store().find("formats", "made"))?.outputs, { host: "http://a", key: SECRET });
  });

  it("matches engine/pulumi/state/checkpoint.ts and damage.ts: version, outputs, secrets and traces of a state", async () => {
    await must(...up("one", "--event-log", file("events")));
    const state = await store().find("formats", "one");
    assert.deepEqual(state?.outputs, { host: "http://a", key: SECRET });
    assert.equal(state.secrets?.type, "passphrase");
    assert.equal(state.pending, 0);
    assert.ok(state.updated !== undefined && Date.now() - state.updated.getTime() < 600_000);
    for (const trace of [path.join(stacks, "one.json.bak"), file(".pulumi/history/formats/one")]) {
      assert.ok(existsSync(trace), `the engine leaves no ${trace}`);
    }
  });

  it("matches engine/pulumi/events.ts: events", () => {
    const events = readFileSync(file("events"), "utf8").trim().split("\n").map(parseEvent);
    const of = <T>(pick: (event: NonNullable<(typeof events)[number]>) => T | undefined): T[] =>
      events.flatMap((event) => (event && pick(event)) ?? []);
    assert.deepEqual(
      of(({ resourcePreEvent }) => resourcePreEvent?.metadata).map(({ op, type }) => [op, type]),
      [["create", STACK_TYPE]],
    );
    const [outputs] = of(({ resOutputsEvent }) => resOutputsEvent?.metadata);
    assert.equal(outputs?.new?.outputs?.["host"], "http://a");
    assert.deepEqual(of(({ summaryEvent }) => summaryEvent)[0]?.resourceChanges, { create: 1 });
  });

  it("matches engine/pulumi/state/stateStore.ts and engine/pulumi/engineLock.ts: the file and message of a lock", async () => {
    writeFileSync(file("hold"), "");
    const first = start(up("one"));
    try {
      while (!existsSync(file("held"))) await sleep(50);
      const [lock, ...others] = await store().locks("formats", "one");
      assert.deepEqual(others, []);
      assert.deepEqual([lock?.pid, lock?.host], [first.pid, hostname()]);
      assert.ok(Date.now() - Date.parse(lock?.since ?? "") < 600_000);
      const { stderr } = await start(up("one")).ended;
      const [said] = parseLocks(stderr) ?? [];
      assert.deepEqual(
        [said?.pid, said?.host, said?.file, said?.user],
        [first.pid, hostname(), lock?.file, lock?.user],
      );
    } finally {
      rmSync(file("hold"));
      await first.ended;
    }
    assert.deepEqual(await store().locks("formats", "one"), []);
  });

  it("matches engine/pulumi/state/encoding.ts: the suffixes of a compressed state", async () => {
    const { code, stderr } = await start(up("one"), { PULUMI_DIY_BACKEND_GZIP: "true" }).ended;
    assert.equal(code, 0, stderr);
    assert.ok(existsSync(path.join(stacks, "one.json.gz")));
    assert.equal((await store().find("formats", "one"))?.outputs["host"], "http://a");
  });

  it("matches engine/pulumi/diagnostics.ts and engine/pulumi/state/commandStore.ts: messages", async () => {
    const wrong = await start(up("one"), { PULUMI_CONFIG_PASSPHRASE: "wrong" }).ended;
    assert.match(passphraseFault(wrong.stderr) ?? wrong.stderr, /found another passphrase/);
    const none = await start(["up", "--yes", "-s", "one"], { PULUMI_CONFIG_PASSPHRASE: undefined }).ended;
    assert.match(passphraseFault(none.stderr) ?? none.stderr, /none is set/);
    assert.match((await start(["stack", "export", "-s", "two"]).ended).stderr, /no stack named/);
  });

  it("matches toolchain/yard/pulumiSecrets.ts: the encryption of secrets", async () => {
    await must("config", "set", "--secret", "word", "sesame", "-s", "one");
    const text = readFileSync(file("Pulumi.one.yaml"), "utf8");
    const key = secretsKey("correct horse", saltIn(text) ?? "");
    assert.ok(key, "the salt has another format");
    assert.equal(decrypt(key, /secure: (\S+)/.exec(text)?.[1] ?? ""), "sesame");
  });

  it("matches foundation/pulumi/backend.ts: the file of a login", async () => {
    await must("login", `file://${folder}`);
    assert.equal(backendName({ folder: "/" }, { PULUMI_HOME: file("home") }), `file://${folder} on ${hostname()}`);
  });
});
