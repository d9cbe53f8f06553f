/**
 * Three checkouts work on the same runtimes at the same time. Two share a state backend; the third has another one, with a
 * platform of the same name, and requests the same deployments by mistake. In two fifths of the actions, the command, the
 * engine, a provider, PostgreSQL or the API server is killed, or (from 20 actions on) all processes of the action are frozen for
 * 12 seconds. A thing has one owner at every moment; in the end, ledger, cluster and states agree, and no process remains.
 */

import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { signalAll } from "../../../engine/process/processTree";
import { connect } from "../../../kubernetes/connect/connect";
import { inventoryKey, refOf } from "../../../kubernetes/objects/objects";
import { markedIn } from "../../tools/markedIn";
import { startYard } from "../../../toolchain/yard/yard";
import type { ResourceState } from "../../../engine/pulumi/state/checkpoint";
import type { Summary } from "../../../cli/fleet/summary";
import { Project, type Ended } from "../cli/project";
import { ClaimWatch, type Disk } from "./claims";
import { harm, MARK, processesOf } from "./harm";
import { OwnerWatch, type Tenure } from "./owners";
import { seededRandom } from "../../../toolchain/tests/random";
import { BACKENDS, HOSTS, OTHER_HOST, planSoak, RUNTIMES, type Action } from "./plan";
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
  /** The first checkout of each state backend. */
  let first: readonly [Project, Project];
  let watch: ClaimWatch;
  let owners: OwnerWatch;
  const done: Done[] = [];
  const faults: string[] = [];
  const state = mkdtempSync(path.join(tmpdir(), "stackyard-soak-"));

  before(async () => {
    const yard = await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false });
    const backends = ["a", "b"].map((name) => path.join(state, name));
    for (const backend of backends) mkdirSync(backend);
    checkouts = BACKENDS.map(
      (index) => new Project({ ...yard, env: { ...yard.env, PULUMI_BACKEND_URL: `file://${backends[index]}` } }),
    );
    first = [checkouts[0]!, checkouts[2]!];
    const provisioner = (namespace: string) => kubernetesProvisioner(namespace, { timeoutSeconds: 60 });
    const pool = (hosts: readonly string[]) => ({
      type: "static",
      spec: { runtimes: hosts.map((host) => ({ host, slots: 8, dataDir: "/mnt" })) },
    });
    const config = (pools: object) => ({
      cluster: { type: "existing", kubeconfig: { path: yard.kubeconfig } },
      defaultProvisioner: "one",
      provisioners: { one: provisioner(namespaces[0]), two: provisioner(namespaces[1]), ...pools },
    });
    await Promise.all([
      first[0].platform(config({ shared: pool(HOSTS) })),
      first[1].platform(config({ other: pool([OTHER_HOST]) })),
    ]);
    watch = new ClaimWatch(cluster(), namespaces);
    owners = new OwnerWatch(cluster(), namespaces, yard.ledgerUrl, [...HOSTS, OTHER_HOST]);
  });
  after(async () => {
    await Promise.all([watch.stop(), owners.stop()]);
    // A platform is not destroyed while runtimes are with it, and both have the same name.
    for (const project of first) {
      for (const id of await project.stacks()) await project.stackyard("runtime", "destroy", id, "--yes");
    }
    for (const project of first) await project.remove();
    for (const { folder } of checkouts) rmSync(folder, { recursive: true, force: true });
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
    await owners.look().catch(() => undefined); // A server may be away.
  }

  /** Failing is allowed, in words. */
  function report(what: string, { args, kill }: Action, { code, stdout, stderr }: Ended): void {
    if (process.env["STACKYARD_SOAK_VERBOSE"]) {
      const killed = kill ? `, ${kill.victim} after ${kill.afterMs} ms` : "";
      // What moved or was left behind is to be found afterwards.
      const said = stderr + (args.includes("--orphans") || args.includes("check") ? stdout : "");
      console.log(`      ${new Date().toISOString()} ${what}: ${code}${killed}\n${said.replace(/^/gm, "        ")}`);
    }
    // Of Node.js, or of a program in Go.
    if (/^\s+at .*:\d+:\d+\)?$|^\s*goroutine \d+ \[/m.test(stderr + stdout))
      faults.push(`${what} printed a stack trace:\n${stderr}`);
    const isKilled = kill?.victim === "command" && code === -1;
    // What is being made or deleted does not show what it was asked for.
    const isAsked = code === 2 && args.includes("adopt") && stderr.includes("give the original request with");
    if (!isKilled && !isAsked && code !== 0 && code !== 1) faults.push(`${what} ended with ${code}:\n${stderr}`);
    if (code === 1 && stderr.trim() === "" && stdout.trim() === "") faults.push(`${what} failed silently`);
  }

  it("end each action with a message and without remaining processes", async () => {
    const waiting = planSoak(SEED, ACTIONS);
    const worker = async (): Promise<void> => {
      for (let action = waiting.shift(); action; action = waiting.shift()) await act(action);
    };
    // As many at a time as there are checkouts: they meet on the same runtimes.
    await Promise.all(checkouts.map(worker));
    assert.deepEqual(faults, []);
  });

  it("settle with one more command", async () => {
    await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false });
    for (const host of HOSTS) {
      const { code, stderr } = await begin(0, "settle", ["provisioners", "undrain", host, "--stack", "here", "--yes"])
        .ended;
      assert.equal(code, 0, `undrain ${host}: ${stderr}`);
    }
    const roll = seededRandom(SEED + 1);
    const settle = async (id: string, checkout: 0 | 1 | 2, verb: "up" | "destroy"): Promise<Ended> => {
      const args = verb === "up" ? ["up", id, "--version", "9"] : ["destroy", id, "--yes"];
      const began = Date.now();
      const ended = await begin(checkout, "settle", ["runtime", ...args]).ended;
      done.push({ number: ACTIONS + 1, checkout, args, id, deletes: verb === "destroy", began, ended: Date.now() });
      return ended;
    };
    const settleIn = async (id: string, checkout: 0 | 1 | 2, there: ReadonlySet<string>): Promise<void> => {
      if (!there.has(id) && checkout === 2) return;
      const isGone = roll() < 0.3 && there.has(id);
      const { code, stderr } = await settle(id, checkout, isGone ? "destroy" : "up");
      if (code === 0) return;
      // What the other one took over is left to it, also if it has destroyed it since.
      const left = /belongs to stack|another owner|was deleted with its data/.test(stderr)
        ? await settle(id, checkout, "destroy")
        : undefined;
      if (left === undefined || !/another owner|is gone|no runtime/.test(left.stderr)) {
        faults.push(`${id} in backend ${BACKENDS[checkout]}: ${stderr}\n${left?.stderr ?? ""}`);
      }
    };
    const there = await Promise.all(first.map(async (_, index) => new Set((await list(index)).map(({ id }) => id))));
    await Promise.all(
      RUNTIMES.map(async (id, index) => {
        await settleIn(id, 2, there[1]!);
        await settleIn(id, index % 2 === 0 ? 0 : 1, there[0]!);
      }),
    );
    assert.deepEqual(faults, []);
  });

  /** The runtimes of a backend. */
  const list = async (backend: number): Promise<Summary[]> =>
    JSON.parse((await begin(backend * 2, "audit", ["runtime", "list", "-o", "json"]).ended).stdout) as Summary[];

  it("then agree in ledger, cluster and states", async () => {
    const runtimes = await Promise.all(first.map((_, backend) => list(backend)));
    assert.deepEqual(
      runtimes.flat().filter(({ state }) => state !== "running" && state !== "hibernated"),
      [],
    );
    const resources: ResourceState[] = [];
    for (const [backend, project] of first.entries()) {
      for (const { id } of runtimes[backend]!) {
        const exported = await project.pulumi("stack", "export", "-s", id);
        const { deployment } = JSON.parse(exported.stdout) as {
          deployment: { resources: ResourceState[]; pending_operations?: unknown[] };
        };
        assert.deepEqual(deployment.pending_operations ?? [], [], id);
        resources.push(...deployment.resources);
      }
    }
    const ofType = (type: string) => resources.filter((one) => one.type === `stackyard:index:${type}`);

    const ledger = new Client({ connectionString: checkouts[0]!.place.ledgerUrl });
    await ledger.connect();
    const { rows } = await ledger.query<{ row: string }>(
      "SELECT deployment || ' ' || slots || ' ' || host AS row FROM stackyard.allocations WHERE host = ANY($1)",
      [[...HOSTS, OTHER_HOST]],
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

    for (const [backend, own] of runtimes.entries()) {
      const checkout = backend * 2;
      const orphans = await begin(checkout, "audit", ["runtime", "list", "--orphans", "-o", "json"]).ended;
      const found = JSON.parse(orphans.stdout) as { record?: { backend: string } }[];
      const other = first[1 - backend]!.place.env["PULUMI_BACKEND_URL"] ?? "";
      const nobodys = found.filter(({ record }) => record?.backend.startsWith(`${other} on `) !== true);
      assert.deepEqual(nobodys, [], "the other backend has what is no orphan");
      if (own.length === 0) continue;
      const checked = await begin(checkout, "audit", ["runtime", "check", ...own.map(({ id }) => id)]).ended;
      assert.equal(checked.code, 0, checked.stdout);
    }
    const again = async (checkout: number, { id }: Summary): Promise<void> => {
      const { stderr } = await begin(checkout, "audit", ["runtime", "up", id, "--version", "9"]).ended;
      assert.match(stderr, /nothing changed/, id);
    };
    await Promise.all(runtimes.flatMap((own, backend) => own.map((one) => again(backend + 1, one))));
  });

  /** Whether an action from this backend on the runtime was under way between two moments. */
  const acted = (
    backend: string,
    id: string,
    since: number,
    until: number,
    on: "adopts" | "deletes" | "moves",
  ): boolean =>
    done.some(
      (one) =>
        one[on] === true &&
        one.id === id &&
        backend.startsWith(`${first[BACKENDS[one.checkout]].place.env["PULUMI_BACKEND_URL"]} on `) &&
        one.ended >= since &&
        one.began <= until,
    );

  it("have exactly one owner at every moment, changed only by adoption", async () => {
    await owners.stop();
    assert.deepEqual(owners.faults, []);
    const idOf = ({ thing }: Tenure) => thing.slice(thing.lastIndexOf("/") + 1).replace(/^runtime-/, "");
    const { tenures } = owners;
    assert.ok(tenures.length > 0, "nothing was ever owned");
    const stolen = tenures.filter((one) => one.taken && !acted(one.backend, idOf(one), ...one.began, "adopts"));
    assert.deepEqual(stolen, [], "taken without adoption");
    const lost = tenures.filter(
      ({ gone, applied, backend, last, ended = 0, ...one }) =>
        gone &&
        applied &&
        !acted(backend, idOf({ ...one, backend, applied, last }), last, ended, "deletes") &&
        !acted(backend, idOf({ ...one, backend, applied, last }), one.began[0], ended, "moves"),
    );
    assert.deepEqual(lost, [], "not deleted by the owner");
  });

  it("lose no disk without a request to delete it", async () => {
    await watch.stop();
    // Whoever owned the set of a disk last has asked for the deletion of the disk.
    const asked = ({ name, namespace, since, gone = 0 }: Disk): boolean => {
      const [, id = ""] = /^data-runtime-(.+)-0$/.exec(name) ?? [];
      const owned = owners.tenures.findLast(
        ({ thing, began: [, seen] }) => thing === `${namespace}/runtime-${id}` && seen <= gone,
      );
      return owned !== undefined && acted(owned.backend, id, since, gone, "deletes");
    };
    const lost = [...watch.disks.values()].filter((disk) => disk.gone !== undefined && !asked(disk));
    assert.deepEqual(
      lost.map(({ name }) => name),
      [],
    );
    assert.ok(watch.disks.size > 0, "no disk was ever made");
  });

  it("leave no process", () => {
    assert.deepEqual(processesOf(`${run}-`), []);
  });
});
