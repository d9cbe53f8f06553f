import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { signalAll } from "../../../engine/pulumi/processTree";
import { connect } from "../../../kubernetes/client/connect";
import { inventoryKey } from "../../../kubernetes/client/objects";
import { refOf } from "../../../kubernetes/claims/claims";
import { markedIn } from "../../../kubernetes/remove/marked";
import { startYard } from "../../../toolchain/yard";
import type { ResourceState } from "../../../engine/state/checkpoint";
import type { Summary } from "../../../cli/fleet/text/summary";
import { Project, type Ended } from "../cli/project";
import { ClaimWatch } from "./claims";
import { harm, MARK, processesOf } from "./harm";
import { dice, HOSTS, planSoak, RUNTIMES, type Action } from "./plan";
import { kubernetesProvisioner } from "../runtime/provisioner";

const SEED = Number(process.env["STACKYARD_SOAK_SEED"] ?? randomInt(1_000_000));
const ACTIONS = Number(process.env["STACKYARD_SOAK_ACTIONS"] ?? 5);
/** Far above what any action takes on a busy machine: what takes longer hangs. */
const HANGS_MS = 180_000;
/** How long processes of an action that has ended may take to end. */
const LINGER_MS = 15_000;

const run = randomBytes(4).toString("hex");
const namespaces = [`soak-${run}-1`, `soak-${run}-2`] as const;

interface Done extends Action {
  readonly began: number;
  readonly ended: number;
}

describe(`runtimes under ${ACTIONS} random actions and kills (STACKYARD_SOAK_SEED=${SEED})`, function () {
  this.timeout(HANGS_MS * ACTIONS);
  let checkouts: readonly Project[];
  let watch: ClaimWatch;
  const done: Done[] = [];
  const faults: string[] = [];
  const state = mkdtempSync(path.join(tmpdir(), "stackyard-soak-"));

  before(async () => {
    const yard = await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false });
    const env = { ...yard.env, PULUMI_BACKEND_URL: `file://${state}` };
    checkouts = [new Project({ ...yard, env }), new Project({ ...yard, env }), new Project({ ...yard, env })];
    const provisioner = (namespace: string) => kubernetesProvisioner(namespace, { timeoutSeconds: 60 });
    await checkouts[0]!.platform({
      cluster: { type: "existing", kubeconfig: { path: yard.kubeconfig } },
      defaultProvisioner: "one",
      provisioners: {
        one: provisioner(namespaces[0]),
        two: provisioner(namespaces[1]),
        shared: { type: "static", spec: { runtimes: HOSTS.map((host) => ({ host, slots: 8, dataDir: "/mnt" })) } },
      },
    });
    watch = new ClaimWatch(cluster(), namespaces);
  });
  after(async () => {
    await watch.stop();
    const [first, ...others] = checkouts;
    await first?.remove();
    for (const { folder } of others) rmSync(folder, { recursive: true, force: true });
    rmSync(state, { recursive: true, force: true });
    for (const namespace of namespaces)
      await cluster().remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
  });

  const cluster = () =>
    connect(readFileSync(checkouts[0]!.place.kubeconfig, "utf8"), undefined, { patienceMs: 20_000 });

  /** A command of one checkout; all of its processes carry the mark. */
  const begin = (checkout: number, name: string, args: readonly string[]) => {
    const project = checkouts[checkout]!;
    const env = { ...project.place.env, [MARK]: `${run}-${name}-` };
    const as = Object.create(project, { place: { value: { ...project.place, env } } }) as Project;
    return as.start(...args);
  };

  async function act(action: Action): Promise<void> {
    const name = String(action.number);
    const mark = `${run}-${name}-`;
    const began = Date.now();
    const { pid, ended } = begin(action.checkout, name, action.args);
    const what = `${action.number}: ${action.args.join(" ")} (from checkout ${action.checkout})`;
    let over = false;
    const end = ended.then((how) => {
      over = true;
      return how;
    });
    if (action.kill) {
      const { victim, afterMs } = action.kill;
      await Promise.race([sleep(afterMs), end]);
      if (!over) await harm(victim, { pid, mark, isOver: () => over });
    }
    const how = await Promise.race([end, sleep(HANGS_MS, undefined, { ref: false })]);
    if (how === undefined) {
      faults.push(`${what} did not end`);
      signalAll(
        processesOf(mark).map((one) => one.pid),
        "SIGKILL",
      );
    } else {
      report(what, action, how);
    }
    for (const until = Date.now() + LINGER_MS; processesOf(mark).length > 0 && Date.now() < until;) await sleep(200);
    for (const { pid: left, program } of processesOf(mark)) {
      faults.push(`${what}: ${program} remains`);
      signalAll([left], "SIGKILL");
    }
    done.push({ ...action, began, ended: Date.now() });
  }

  /** Failing is allowed, in words. */
  function report(what: string, { args, kill }: Action, { code, stdout, stderr }: Ended): void {
    if (process.env["STACKYARD_SOAK_VERBOSE"]) {
      const killed = kill ? `, ${kill.victim} killed after ${kill.afterMs} ms` : "";
      // What moved or was left behind is to be found afterwards.
      const said = stderr + (args.includes("--orphans") || args.includes("check") ? stdout : "");
      console.log(`      ${new Date().toISOString()} ${what}: ${code}${killed}\n${said.replace(/^/gm, "        ")}`);
    }
    // Of Node.js, or of a program in Go.
    if (/^\s+at .*:\d+:\d+\)?$|^\s*goroutine \d+ \[/m.test(stderr + stdout))
      faults.push(`${what} printed a stack trace:\n${stderr}`);
    const isKilled = kill?.victim === "command" && code === -1;
    if (!isKilled && code !== 0 && code !== 1) faults.push(`${what} ended with ${code}:\n${stderr}`);
    if (code === 1 && stderr.trim() === "" && stdout.trim() === "") faults.push(`${what} failed silently`);
  }

  it("ends each of them, in words and without a process that remains", async () => {
    const waiting = planSoak(SEED, ACTIONS);
    const worker = async (): Promise<void> => {
      for (let action = waiting.shift(); action; action = waiting.shift()) await act(action);
    };
    // As many at a time as there are checkouts: they meet on the same runtimes.
    await Promise.all(checkouts.map(worker));
    assert.deepEqual(faults, []);
  });

  it("lets every runtime settle with one more command", async () => {
    await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false });
    for (const host of HOSTS) {
      const { code, stderr } = await begin(0, "settle", ["provisioners", "undrain", host, "--stack", "here", "--yes"])
        .ended;
      assert.equal(code, 0, `undrain ${host}: ${stderr}`);
    }
    const listed = await begin(0, "settle", ["runtime", "list", "-o", "json"]).ended;
    const there = new Set((JSON.parse(listed.stdout) as Summary[]).map(({ id }) => id));
    const roll = dice(SEED + 1);
    const settle = async (id: string, index: number): Promise<void> => {
      const isGone = roll() < 0.3 && there.has(id);
      const args = isGone ? ["destroy", id, "--yes"] : ["up", id, "--version", "9"];
      const began = Date.now();
      const { code, stderr } = await begin(index % 3, "settle", ["runtime", ...args]).ended;
      done.push({ number: ACTIONS + 1, checkout: 0, args, id, deletes: isGone, began, ended: Date.now() });
      if (code !== 0) faults.push(`${args.join(" ")}: ${stderr}`);
    };
    await Promise.all(RUNTIMES.map(settle));
    assert.deepEqual(faults, []);
  });

  it("has ledger, cluster and states equal then", async () => {
    const { stdout } = await begin(1, "audit", ["runtime", "list", "-o", "json"]).ended;
    const runtimes = JSON.parse(stdout) as Summary[];
    assert.deepEqual(
      runtimes.filter(({ state }) => state !== "running" && state !== "hibernated"),
      [],
    );
    const resources: ResourceState[] = [];
    for (const { id } of runtimes) {
      const exported = await checkouts[2]!.pulumi("stack", "export", "-s", id);
      const { deployment } = JSON.parse(exported.stdout) as {
        deployment: { resources: ResourceState[]; pending_operations?: unknown[] };
      };
      assert.deepEqual(deployment.pending_operations ?? [], [], id);
      resources.push(...deployment.resources);
    }
    const ofType = (type: string) => resources.filter((one) => one.type === `stackyard:index:${type}`);

    const ledger = new Client({ connectionString: checkouts[0]!.place.ledgerUrl });
    await ledger.connect();
    const { rows } = await ledger.query<{ row: string }>(
      "SELECT deployment || ' ' || slots || ' ' || host AS row FROM stackyard.allocations WHERE host = ANY($1)",
      [HOSTS],
    );
    await ledger.end();
    const slots = ofType("SlotAllocation").map(({ outputs = {} }) =>
      ["deployment", "slots", "host"].map((key) => String(outputs[key])).join(" "),
    );
    assert.deepEqual(rows.map(({ row }) => row).sort(), slots.sort());

    const marked = await Promise.all(namespaces.map((namespace) => markedIn(cluster(), namespace)));
    const objects = marked.flat().map((object) => inventoryKey(refOf(object)));
    const runtimesOnly = objects.filter((key) => key.includes("runtime-"));
    const inventory = ofType("ManifestSet").flatMap(({ outputs = {} }) => outputs["inventory"] as string[]);
    assert.deepEqual(runtimesOnly.sort(), inventory.sort());

    const orphans = await begin(0, "audit", ["runtime", "list", "--orphans", "-o", "json"]).ended;
    assert.deepEqual(JSON.parse(orphans.stdout), []);
    const checked = await begin(1, "audit", ["runtime", "check", "--all"]).ended;
    assert.equal(checked.code, 0, checked.stdout);
    const again = async ({ id }: Summary): Promise<void> => {
      const { stderr } = await begin(2, "audit", ["runtime", "up", id, "--version", "9"]).ended;
      assert.match(stderr, /nothing changed/, id);
    };
    await Promise.all(runtimes.map(again));
  });

  it("has deleted no disk that nobody asked to delete", async () => {
    await watch.stop();
    const asked = ({ name, since, gone = 0 }: { name: string; since: number; gone?: number }): boolean =>
      done.some(
        ({ id, deletes, began, ended }) =>
          deletes && name === `data-runtime-${id}-0` && ended >= since && began <= gone,
      );
    const lost = [...watch.disks.values()].filter((disk) => disk.gone !== undefined && !asked(disk));
    assert.deepEqual(
      lost.map(({ name }) => name),
      [],
    );
    assert.ok(watch.disks.size > 0, "no disk was ever made");
  });

  it("has left no process", () => {
    assert.deepEqual(processesOf(`${run}-`), []);
  });
});
