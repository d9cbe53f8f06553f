import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { Client } from "pg";
import { parse } from "yaml";
import type { Shown } from "../../../cli/provisioners/show";
import type { Checked } from "../../../cli/fleet/check";
import type { Summary } from "../../../cli/fleet/summary";
import type { Result } from "../../../engine/runtime/result";
import { testYard } from "../runtime/yard";
import { holdLedger, killWhen, pidsOf, until, waitsForLedger } from "./held";
import { Project } from "./project";

const UNIQUE = process.pid;
const HOST = `http://cli-${UNIQUE}.example.com:9091`;

describe("stackyard runtime with the engine", () => {
  let project: Project;

  before(async () => {
    project = new Project(await testYard());
    await project.platform({
      defaultProvisioner: "shared",
      provisioners: {
        shared: { type: "static", spec: { runtimes: [{ host: HOST, slots: 12, dataDir: "/mnt/data" }] } },
      },
    });
  });
  after(() => project.remove());

  const json = async <T>(...args: string[]): Promise<T> =>
    JSON.parse((await project.stackyard(...args, "--json")).stdout) as T;

  it("creates a runtime in which plain pulumi finds no changes", async () => {
    const { code, stdout, stderr } = await project.stackyard("runtime", "up", "new", "--version", "1", "--slots", "2");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /new is ready/);
    assert.ok(stdout.includes(HOST), stdout);
    const byHand = await project.pulumi("preview", "-s", "new", "--expect-no-changes");
    assert.equal(byHand.code, 0, byHand.stdout + byHand.stderr);
    const outputs = JSON.parse((await project.pulumi("stack", "output", "-s", "new", "--json")).stdout) as object;
    const again = await json<Result>("runtime", "up", "new");
    assert.deepEqual(again.outputs, outputs);
    assert.deepEqual(Object.keys(again.changes), ["same"]);
  });

  it("shows the resources of a runtime", async () => {
    const { stdout } = await project.stackyard("runtime", "status", "new");
    assert.match(stdout, /^new is running\n[\s\S]*consists of\n {2}2 slots of pool here\/shared on http/);
    assert.match((await project.stackyard("runtime", "status", "none")).stderr, /there is no runtime none/);
  });

  it("continues with a stack created by hand and keeps the content of its file", async () => {
    await project.pulumi("stack", "init", "hand", "--no-select");
    appendFileSync(
      project.stackFile("hand"),
      [
        "config:",
        "  # asked for by team blue",
        "  stackyard-runtime:platform: organization/stackyard/here",
        "  stackyard-runtime:deployment:",
        "    slots: 1 # enough",
        '    version: "7"',
        "    annotations: {team: blue}",
        "",
      ].join("\n"),
    );
    const { code, stderr } = await project.stackyard("runtime", "up", "hand", "--annotation", "stage=test");
    assert.equal(code, 0, stderr);
    const text = readFileSync(project.stackFile("hand"), "utf8");
    assert.match(text, /# asked for by team blue/);
    assert.match(text, /slots: 1 # enough/);
    assert.deepEqual(parse(text).config["stackyard-runtime:deployment"], {
      slots: 1,
      version: "7",
      annotations: { team: "blue", stage: "test" },
    });
  });

  it("creates the stack for an existing stack file", async () => {
    const config = { "stackyard-runtime:deployment": { version: "1", slots: 1 } };
    writeFileSync(project.stackFile("file-first"), JSON.stringify({ config }));
    const { code, stderr } = await project.stackyard("runtime", "up", "file-first");
    assert.equal(code, 0, stderr);
  });

  it("leaves nothing behind of a new runtime whose creation failed", async () => {
    const { code, stderr } = await project.stackyard("runtime", "up", "bad", "--version", "1", "--provisioner", "nope");
    assert.equal(code, 1);
    assert.match(stderr, /bad could not be deployed:\n.*found provisioner "nope"; expected one of/);
    assert.equal(project.hasStackFile("bad"), false);
    assert.ok(!(await project.stacks()).includes("bad"));
  });

  it("previews without leaving files or stacks", async () => {
    const before = readFileSync(project.stackFile("new"), "utf8");
    const changed = await project.stackyard("runtime", "preview", "new", "--slots", "3");
    assert.match(changed.stdout, /new: 1 resource to change\n.*change SlotAllocation .*slots/);
    assert.equal(readFileSync(project.stackFile("new"), "utf8"), before);
    const made = await project.stackyard("runtime", "preview", "seen", "--version", "1");
    assert.match(made.stdout, /seen: 1 resource to change\n.*create SlotAllocation/, made.stderr);
    assert.equal(project.hasStackFile("seen"), false);
    assert.ok(!(await project.stacks()).includes("seen"));
    assert.match((await project.stackyard("runtime", "preview", "new")).stdout, /new: nothing to do/);
  });

  it("deploys many runtimes, lists failed ones, and continues with the others", async () => {
    const file = path.join(project.folder, "many.yaml");
    const good = ["m1", "m2", "m3"].map((id) => `${id}: {version: "1"}`);
    writeFileSync(file, [...good, 'lost: {version: "1", platform: nowhere}', "late: {slots: 1}"].join("\n"));
    const refused = await project.stackyard("runtime", "up", "-f", file);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /2 faults; nothing was started[\s\S]*lost\.platform: found [\s\S]*late\.version: found/,
    );
    writeFileSync(file, [...good, 'huge: {version: "1", slots: 1000}', ""].join("\n"));
    const { code, stderr } = await project.stackyard("runtime", "up", "-f", file, "--parallel", "2");
    assert.equal(code, 1);
    assert.match(stderr, /huge could not be deployed:\n.*1000 slots/);
    assert.match(stderr, /3 runtimes ready, 1 failed/);
    const list = await json<Summary[]>("runtime", "list");
    const state = (id: string) => list.find((runtime) => runtime.id === id)?.state;
    assert.deepEqual(["m1", "m2", "m3", "huge"].map(state), ["running", "running", "running", undefined]);
  });

  it("shows how the provisioner set is used", async () => {
    const [shared] = await json<Shown[]>("provisioners", "show", "--stack", "here");
    assert.ok(shared);
    assert.equal(shared.name, "shared");
    assert.deepEqual([...shared.runtimes].sort(), ["file-first", "hand", "m1", "m2", "m3", "new"]);
    assert.equal(shared.hosts?.[0]?.used, 7);
    assert.equal(shared.hosts[0].free, 5);
    const { stdout } = await project.stackyard("provisioners", "show", "--stack", "here");
    assert.match(stdout, /^shared +static +1 host +7 +5 +6 +default$/m);
  });

  it("selects runtimes by their properties and changes many with one command", async () => {
    const ids = async (...args: string[]) =>
      (await project.stackyard("runtime", "list", "-o", "id", ...args)).stdout.trim().split("\n");
    const asleep = await project.stackyard("runtime", "hibernate", "m1", "m2", "--parallel", "2");
    assert.match(asleep.stderr, /^hibernate 2 runtimes: m1, m2\n[\s\S]*2 runtimes hibernated, 0 failed/);
    assert.deepEqual(await ids("--state", "hibernated"), ["m1", "m2"]);
    const asked = await project.stackyard("runtime", "wake", "--all");
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /^wake 2 runtimes: m1, m2\n[\s\S]*pass --yes/);
    const planned = await project.stackyard(
      "runtime",
      "wake",
      "--all",
      "--provisioner",
      "shared",
      "--wave",
      "1",
      "--dry-run",
    );
    assert.equal(planned.stdout, "would wake 2 runtimes in 2 waves:\nwave 1 (1)\n  m1\nwave 2 (1)\n  m2\n");
    const awake = await project.stackyard("runtime", "wake", "--all", "--wave", "1", "--yes");
    assert.match(awake.stderr, /wave 2 of 2\n[\s\S]*2 runtimes awake, 0 failed/);
    assert.equal(awake.code, 0);
    assert.match((await project.stackyard("runtime", "wake", "--all", "--yes")).stderr, /nothing to wake/);
    const table = (await project.stackyard("runtime", "list", "--state", "running")).stdout;
    assert.match(table, /^ID +STATE +VERSION +SLOTS +ENV +PROVISIONER +PLATFORM +CHANGED\n/);
    assert.match(table, /^m1 +running .* shared /m);
  });

  it("checks that state and ledger agree", async () => {
    const healthy = await project.stackyard("runtime", "check", "m1", "m3");
    assert.equal(healthy.code, 0, healthy.stdout);
    assert.equal(healthy.stdout, "✓ m1\n✓ m3\n");
    const ledger = new Client({ connectionString: project.place.ledgerUrl });
    await ledger.connect();
    const rename = (from: string, to: string) =>
      ledger.query("UPDATE stackyard.allocations SET deployment = $2 WHERE deployment = $1", [from, to]);
    await rename("m3", "ghost");
    const { code, stdout } = await project.stackyard("runtime", "check", "--all", "-o", "json");
    await rename("ghost", "m3");
    await ledger.end();
    assert.equal(code, 1);
    const wrong = (JSON.parse(stdout) as Checked[]).filter(({ ok }) => !ok);
    assert.deepEqual(
      wrong.map(({ id, problems }) => [id, problems.map(({ kind }) => kind)]),
      [
        ["m3", ["ledger"]],
        ["ghost", ["orphan"]],
      ],
    );
  });

  it("reports who works on a runtime and waits for them when instructed to", async () => {
    const release = await holdLedger(project.place);
    const first = project.start("runtime", "up", "new", "--slots", "3");
    try {
      await until("the first update runs", async () => (await pidsOf(project, "pulumi", "up", "new")).length > 0);
      await until("it holds the lock", async () => (await project.stackyard("runtime", "up", "new")).code === 1);
      const refused = await project.stackyard("runtime", "up", "new");
      assert.match(refused.stderr, /another process is working on this stack: pid \d+ of \S+ on \S+, since /);
      await until("it says whom it waits for", () =>
        Promise.resolve(/waiting: the ledger .* is locked by process \d+ of user /.test(first.said())),
      );
    } finally {
      const waiting = project.start("runtime", "up", "new", "--wait", "30");
      try {
        await until("it waits for the first", () => Promise.resolve(/waiting for pid \d+/.test(waiting.said())));
      } finally {
        await release();
      }
      assert.equal((await first.ended).code, 0);
      const { code, stderr } = await waiting.ended;
      assert.equal(code, 0, stderr);
      assert.match(stderr, /waiting for pid \d+/);
    }
  });

  it("ends cleanly on Ctrl-C and continues on the next command", async () => {
    const release = await holdLedger(project.place);
    const { pid, ended } = project.start("runtime", "up", "stopped", "--version", "1");
    await until("the update runs", async () => (await pidsOf(project, "pulumi", "up", "stopped")).length > 0);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    process.kill(pid, "SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 300));
    await release();
    assert.equal((await ended).code, 130);
    assert.deepEqual(await pidsOf(project, "pulumi", "up", "stopped"), []);
    const { code, stderr } = await project.stackyard("runtime", "up", "stopped", "--version", "1");
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stderr, /lock/);
  });

  it("removes the lock of a killed update and settles its pending operations", async () => {
    const release = await holdLedger(project.place);
    const up = ["runtime", "up", "killed", "--version", "1"] as const;
    await killWhen(project, up, "it waits for the ledger", () => waitsForLedger(project.place));
    await release();
    const { code, stderr } = await project.stackyard("runtime", "up", "killed", "--version", "1");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /removed the lock of a process that is gone \(pid \d+/);
    assert.match(
      stderr,
      /an earlier update was interrupted; the resources that it was creating are added to the state/,
    );
    const byHand = await project.pulumi("preview", "-s", "killed", "--expect-no-changes");
    assert.equal(byHand.code, 0, byHand.stdout + byHand.stderr);
    assert.doesNotMatch(byHand.stdout + byHand.stderr, /pending/);
  });

  it("destroys a runtime with its stack and file after a confirmation", async () => {
    const asked = await project.stackyard("runtime", "destroy", "m1");
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /pass --yes/);
    assert.equal(project.hasStackFile("m1"), true);
    const { code, stderr } = await project.stackyard("runtime", "destroy", "m1", "--yes");
    assert.equal(code, 0, stderr);
    assert.equal(project.hasStackFile("m1"), false);
    assert.ok(!(await project.stacks()).includes("m1"));
    assert.match((await project.stackyard("runtime", "destroy", "m1", "--yes")).stderr, /there is no runtime m1/);
  });

  it("exits with 2 on invalid command lines", async () => {
    for (const args of [
      ["runtime", "up"],
      ["runtime", "up", "a/b"],
      ["runtime", "lst"],
      ["runtime", "up", "x1"],
      ["no"],
    ]) {
      assert.equal((await project.stackyard(...args)).code, 2, args.join(" "));
    }
  });
});
