import assert from "node:assert/strict";
import { truncateSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { Client } from "pg";
import { testYard } from "../runtime/yard";
import { holdLedger, killWhen, until } from "./held";
import { Project, type Ended } from "./project";

const HOST = `http://interrupted-${process.pid}.example.com:9091`;

describe("a state after a kill", () => {
  let project: Project;
  let state: string;

  before(async () => {
    const place = await testYard();
    project = new Project({ ...place, env: { ...place.env, STACKYARD_LEDGER_URL: place.ledgerUrl } });
    state = path.join(place.env["PULUMI_BACKEND_URL"]!.slice("file://".length), ".pulumi", "stacks");
    await project.platform({
      defaultProvisioner: "shared",
      provisioners: { shared: { type: "static", spec: { runtimes: [{ host: HOST, slots: 12, dataDir: "/mnt" }] } } },
    });
  });
  after(() => project.remove());

  const well = async (...args: string[]): Promise<Ended> => {
    const ended = await project.stackyard(...args);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    return ended;
  };
  const runtime = (...args: string[]): Promise<Ended> => well("runtime", ...args);
  const checkpoint = (id: string): string => path.join(state, "stackyard-runtime", `${id}.json`);

  it("is repaired by every command when its attributes file is empty", async () => {
    await runtime("up", "acme", "--version", "1");
    for (const args of [["up", "acme"], ["status", "acme"], ["list"]]) {
      writeFileSync(`${checkpoint("acme")}.attrs`, "");
      const { stderr } = await runtime(...args);
      assert.match(stderr, /repaired the state: removed \S+acme\.json\.attrs/, args.join(" "));
    }
  });

  it("of a platform is repaired by every command that reads it", async () => {
    writeFileSync(path.join(state, "stackyard", "here.json.attrs"), "");
    assert.match(
      (await runtime("up", "acme", "--slots", "2")).stderr,
      /repaired the state: removed \S+here\.json\.attrs/,
    );
    writeFileSync(path.join(state, "stackyard", "here.json.attrs"), "");
    assert.match((await well("provisioners", "show", "--stack", "here")).stderr, /repaired the state/);
  });

  it("is restored from its backup when truncated, and the broken file is kept", async () => {
    truncateSync(checkpoint("acme"), 200);
    assert.match(
      (await runtime("up", "acme", "--slots", "3")).stderr,
      /acme\.json was empty or truncated and is restored from/,
    );
    assert.match((await runtime("status", "acme")).stdout, /3 CPU/);
    truncateSync(checkpoint("acme"), 0);
    assert.match((await runtime("list")).stderr, /restored from/);
    truncateSync(checkpoint("acme"), 0);
    writeFileSync(`${checkpoint("acme")}.bak.attrs`, "");
    assert.match((await runtime("destroy", "acme", "--yes")).stderr, /restored from[^]*acme is gone/);
  });

  const ledger = async <T extends object>(text: string, ...values: string[]): Promise<T | undefined> => {
    const client = new Client({ connectionString: project.place.ledgerUrl });
    await client.connect();
    const { rows } = await client.query<T>(text, values);
    await client.end();
    return rows[0];
  };
  const slotsOf = async (deployment: string): Promise<number | undefined> => {
    const text = "SELECT slots FROM stackyard.allocations WHERE deployment = $1 AND pool = 'here/shared'";
    return (await ledger<{ slots: number }>(text, deployment))?.slots;
  };
  const isTaking = async (): Promise<boolean> => {
    const text =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO%allocations%'";
    return (await ledger(text)) !== undefined;
  };
  const killedUp = async (id: string, ...flags: string[]): Promise<void> => {
    const release = await holdLedger(project.place, "SHARE");
    try {
      await killWhen(project, ["runtime", "up", id, ...flags], "slots are being taken", isTaking);
    } finally {
      await release();
    }
    // Nobody is left to hear it, but the ledger carries out what it was asked for.
    await until("they are taken", async () => (await slotsOf(id)) !== undefined);
  };

  const hand = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await project.pulumi(...args);
    assert.equal(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  const platform = (...args: string[]): Promise<string> => project.must("pulumi", ...args, "--non-interactive");

  it("lets destroy release slots that the first up was taking", async () => {
    await killedUp("first", "--version", "1", "--slots", "2");
    const { stderr } = await runtime("destroy", "first", "--yes");
    assert.match(stderr, /removed the lock of a process that is gone/);
    assert.match(
      stderr,
      /an earlier update was interrupted; the resources that it was creating are added to the state[^]*first is gone/,
    );
    assert.equal(await slotsOf("first"), undefined);
    assert.ok(!(await project.stacks()).includes("first"));
  });

  it("lets the next up keep such slots, without pending operations afterwards", async () => {
    await killedUp("second", "--version", "1", "--slots", "2");
    assert.match((await runtime("up", "second", "--version", "1")).stderr, /an earlier update was interrupted/);
    assert.equal(await slotsOf("second"), 2);
    assert.match((await runtime("up", "second")).stderr, /second is ready, nothing changed/);
    const byHand = await project.pulumi("preview", "-s", "second", "--expect-no-changes");
    assert.equal(byHand.code, 0, byHand.stdout + byHand.stderr);
    assert.doesNotMatch(byHand.stdout + byHand.stderr, /pending/);
  });

  it("is recreated by the documented import of lost slots and pools, and the next up changes nothing", async () => {
    await runtime("up", "third", "--version", "1", "--slots", "2");
    const asImported = ["--yes", "--generate-code=false"];
    const lose = async (project_: "runtime" | "platform", id: string): Promise<void> => {
      const run = (...args: string[]) => (project_ === "runtime" ? hand(...args) : platform(...args));
      await run("stack", "rm", id, "--force", "--yes", "--preserve-config");
      await run("stack", "init", id, "--no-select");
    };
    await lose("runtime", "third");
    await hand("import", "stackyard:index:SlotAllocation", "third", "here/shared/third", "-s", "third", ...asImported);
    assert.match((await runtime("up", "third", "--version", "1", "--slots", "2")).stderr, /third is ready/);
    assert.equal(await slotsOf("third"), 2);
    assert.match((await runtime("up", "third")).stderr, /nothing changed/);
    await runtime("destroy", "third", "--yes");
    assert.equal(await slotsOf("third"), undefined);

    await lose("platform", "here");
    await platform("import", "stackyard:index:StaticPool", "shared", "here/shared", "-s", "here", ...asImported);
    const up = await platform("up", "-s", "here", "--yes", "--skip-preview", "--suppress-outputs");
    assert.doesNotMatch(up, /StaticPool .*(?:create|delete)d/);
    await platform("preview", "-s", "here", "--expect-no-changes");
  });
});
