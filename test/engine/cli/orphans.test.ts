import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import type { KubernetesObject } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { holdLedger, killWhen, until, waitsForLedger } from "./held";
import { Project, type Ended } from "./project";
import { kubernetesProvisioner } from "../runtime/provisioner";

const run = promisify(execFile);
const namespace = `orphans-${randomBytes(3).toString("hex")}`;
const HOST = `http://${namespace}.example.com:9091`;
const KINDS = "statefulsets,services,ingresses,configmaps,pvc";

interface Listed {
  readonly id: string;
  readonly provisioner: string;
  readonly type: string;
  readonly slots?: number;
  readonly objects?: readonly string[];
  readonly disks?: readonly { readonly claim: string; readonly lost: boolean }[];
}

describe("a runtime without its state", () => {
  let project: Project;
  let state: string;

  before(async () => {
    const place = await testYard();
    project = new Project(place);
    state = path.join(
      place.env["PULUMI_BACKEND_URL"]!.slice("file://".length),
      ".pulumi",
      "stacks",
      "stackyard-runtime",
    );
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      defaultProvisioner: "one",
      provisioners: {
        one: kubernetesProvisioner(namespace),
        shared: { type: "static", spec: { runtimes: [{ host: HOST, slots: 12, dataDir: "/mnt" }] } },
      },
    });
    await well("up", "pod", "--version", "1");
    await well("up", "slot", "--version", "1", "--provisioner", "shared");
  });
  after(async () => {
    await project.remove();
    await kubectl("delete", "namespace", namespace, "--wait=false");
  });

  const kubectl = async (...args: string[]): Promise<string> =>
    (await run("kubectl", ["--kubeconfig", project.place.kubeconfig, ...args])).stdout;
  /** UID and version of all objects of one runtime. */
  const objects = async (id: string): Promise<string[]> => {
    const { items = [] } = JSON.parse(await kubectl("-n", namespace, "get", KINDS, "-o", "json")) as KubernetesObject;
    return items
      .filter(({ metadata: { name } }) => name.includes(`runtime-${id}`))
      .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid}`)
      .sort();
  };
  const stateful = (id: string): Promise<string> =>
    kubectl(
      "-n",
      namespace,
      "get",
      "statefulset",
      `runtime-${id}`,
      "-o",
      "jsonpath={.metadata.uid} {.metadata.generation} {.spec}",
    );
  const ledger = async (): Promise<string[]> => {
    const client = new Client({ connectionString: project.place.ledgerUrl });
    await client.connect();
    const { rows } = await client.query<{ row: string }>(
      "SELECT deployment || ' ' || slots || ' ' || host || ' ' || created_at AS row FROM stackyard.allocations WHERE host = $1 ORDER BY 1",
      [HOST],
    );
    await client.end();
    return rows.map(({ row }) => row);
  };
  const well = (...args: string[]): Promise<Ended> => project.runtime(...args);
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await project.stackyard("runtime", ...args);
    assert.notEqual(code, 0, stdout + stderr);
    return stderr;
  };
  const orphans = async (): Promise<Listed[]> =>
    JSON.parse((await well("list", "--orphans", "-o", "json")).stdout) as Listed[];
  const loseState = (id: string): void => {
    for (const file of readdirSync(state).filter((name) => name.startsWith(`${id}.json`)))
      rmSync(path.join(state, file));
    rmSync(project.stackFile(id), { force: true });
  };
  const unchanged = async (id: string): Promise<void> => {
    assert.match((await well("up", id)).stderr, new RegExp(`${id} is ready, nothing changed`));
    const byHand = await project.pulumi("preview", "-s", id, "--expect-no-changes");
    assert.equal(byHand.code, 0, byHand.stdout + byHand.stderr);
  };
  const killedSlots = async (id: string): Promise<void> => {
    const before = (await ledger()).length;
    const release = await holdLedger(project.place, "SHARE");
    try {
      const up = ["runtime", "up", id, "--version", "1", "--slots", "2", "--provisioner", "shared"] as const;
      await killWhen(project, up, "slots are being taken", () => waitsForLedger(project.place));
    } finally {
      await release();
    }
    await until("they are taken", async () => (await ledger()).length > before);
    assert.deepEqual(await orphans(), [], "its state knows what was being made");
    loseState(id);
  };
  /** More than any node has: its pod waits for ever. */
  const killedPods = async (id: string): Promise<void> => {
    const up = ["runtime", "up", id, "--version", "1", "--slots", "500"] as const;
    const isThere = async (): Promise<boolean> =>
      (await kubectl("-n", namespace, "get", "pods", "-o", "name")).includes(`pod/runtime-${id}-0`);
    await killWhen(project, up, "its pod waits for room", isThere);
    loseState(id);
  };

  it("is not listed while every state exists", async () => {
    assert.deepEqual(await orphans(), []);
    assert.match((await well("list", "--orphans")).stdout, /^no orphans$/m);
  });

  it("has its slots listed after a killed up and adopted unchanged", async () => {
    await killedSlots("lost");
    const before = await ledger();
    const [orphan, ...others] = await orphans();
    assert.deepEqual([orphan?.id, orphan?.provisioner, orphan?.slots, others], ["lost", "shared", 2, []]);
    assert.match((await well("list", "--orphans")).stdout, /^lost +here +shared +2 slots of pool here\/shared on /m);
    assert.match(await refused("adopt", "lost"), /does not show its version; give the original request with --version/);
    assert.match(
      await refused("adopt", "lost", "--version", "1", "--slots", "3"),
      /has 2, and adopting changes nothing/,
    );
    assert.match((await well("adopt", "lost", "--version", "1", "--yes")).stderr, /lost is adopted/);
    await unchanged("lost");
    assert.deepEqual(await ledger(), before);
    assert.deepEqual(await orphans(), []);
    await well("destroy", "lost", "--yes");
  });

  it("has its slots released by remove-orphan, and no others", async () => {
    await killedSlots("lost");
    assert.match(await refused("remove-orphan", "lost"), /has no stack, and has:\n {2}- 2 slots of pool[^]*pass --yes/);
    assert.match((await well("remove-orphan", "lost", "--yes")).stderr, /lost is gone/);
    assert.deepEqual(
      (await ledger()).map((row) => row.split(" ")[0]),
      ["slot"],
    );
    assert.ok(!(await project.stacks()).includes("lost"));
    assert.match(await refused("remove-orphan", "lost", "--yes"), /there is no orphan lost/);
    assert.match(await refused("adopt", "slot", "--yes"), /slot is no orphan: .*pulumi stack rename NAME --stack slot/);
  });

  it("has its objects listed after a killed up and adopted unchanged", async () => {
    await killedPods("half");
    const [before, version] = [await objects("half"), await stateful("half")];
    const [orphan] = await orphans();
    assert.deepEqual([orphan?.id, orphan?.provisioner, orphan?.type], ["half", "one", "kubernetes"]);
    assert.ok(orphan?.objects?.includes(`StatefulSet ${namespace}/runtime-half`));
    const disks = orphan?.disks?.map(({ claim, lost }) => [claim, lost]);
    assert.deepEqual(disks, [[`${namespace}/data-runtime-half-0`, true]]);
    const { stderr } = await well("adopt", "half", "--yes");
    assert.match(stderr, /half is adopted/);
    assert.doesNotMatch(stderr, /differ/);
    await unchanged("half");
    assert.deepEqual([await objects("half"), await stateful("half")], [before, version]);
    assert.match((await well("status", "half")).stdout, /slots +500/);
  });

  it("shows adopted resources and differences before it asks, and changes nothing with --dry-run", async () => {
    loseState("half");
    const before = [await objects("half"), await stateful("half")];
    const uid = await kubectl("-n", namespace, "get", "pvc", "data-runtime-half-0", "-o", "jsonpath={.metadata.uid}");
    const shown = [
      /^half has no stack\. It is taken over as it is:$/m,
      new RegExp(`^ {2}- StatefulSet ${namespace}/runtime-half$`, "m"),
      new RegExp(`^ {2}- disk PersistentVolumeClaim ${namespace}/data-runtime-half-0 \\(.*iB, UID ${uid}\\)$`, "m"),
      /^The next update would change:\n(?:.*\n)* {2}- StatefulSet \S+: spec\.template\..*limits\.cpu: .*500.* → .*400/m,
    ];
    const { stderr } = await well("adopt", "half", "--slots", "400", "--dry-run");
    for (const line of shown) assert.match(stderr, line);
    assert.match(stderr, /nothing was adopted/);
    assert.match(await refused("adopt", "half", "--slots", "400"), /pass --yes/);
    const { stdout } = await well("adopt", "half", "--slots", "400", "--dry-run", "--json");
    const plan = JSON.parse(stdout) as { differences: string[]; parts: { disks: { uid: string }[] }[] };
    assert.deepEqual([plan.parts[0]?.disks[0]?.uid, plan.differences.length > 0], [uid, true]);
    assert.ok(!(await project.stacks()).includes("half"));
    assert.deepEqual([await objects("half"), await stateful("half")], before);
  });

  it("reports differences from its provisioner's output and leaves them to the next update", async () => {
    loseState("half");
    const { stderr } = await well("adopt", "half", "--slots", "400", "--yes");
    assert.match(stderr, /is adopted as it is, which differs[^]*StatefulSet \S+\/runtime-half: spec\.template/);
    assert.match(stderr, /next update would change with: stackyard runtime preview half/);
    assert.match((await well("preview", "half")).stdout, /change ManifestSet .*resources\.limits\.cpu/);
  });

  it("is not reported as gone when its state is empty, nor removed with its disk unless that is named", async () => {
    loseState("half");
    const init = await project.pulumi("stack", "init", "half", "--no-select");
    assert.equal(init.code, 0, init.stderr);
    assert.match(
      await refused("destroy", "half", "--yes"),
      /the state of half is empty, but resources exist:[^]*StatefulSet[^]*adopt half/,
    );
    const flag = `--allow-data-loss ${namespace}/data-runtime-half-0`;
    assert.match(
      await refused("remove-orphan", "half", "--yes"),
      new RegExp(`nothing was deleted[^]*remove-orphan half ${flag}`),
    );

    const others = { "stackyard.dev/set": "runtime-half", "stackyard.dev/set-namespace": namespace };
    const metadata = {
      name: "runtime-half-other",
      labels: others,
      annotations: { "stackyard.dev/owner-id": "00000000-other" },
    };
    const file = path.join(project.folder, "other.json");
    writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata }));
    await kubectl("-n", namespace, "apply", "-f", file);
    const neighbour = await objects("pod");
    assert.match((await well("remove-orphan", "half", "--yes", ...flag.split(" "))).stderr, /half is gone/);
    assert.deepEqual(
      (await objects("half")).map((line) => line.split(" ")[1]),
      ["runtime-half-other"],
    );
    assert.deepEqual(await objects("pod"), neighbour);
    await kubectl("-n", namespace, "delete", "configmap", "runtime-half-other");
    assert.deepEqual(await orphans(), []);
  });

  it("is removed next to a runtime of the same id at another place", async () => {
    await well("up", "twice", "--version", "1");
    loseState("twice");
    await well("up", "twice", "--version", "1", "--provisioner", "shared");
    assert.match(await refused("adopt", "twice"), /twice has a stack with a runtime at another place/);
    await well("remove-orphan", "twice", "--yes", "--allow-data-loss", `${namespace}/*`);
    assert.deepEqual(await objects("twice"), []);
    assert.match((await well("status", "twice")).stdout, /1 slot of pool here\/shared/);
    await well("destroy", "twice", "--yes");
    assert.deepEqual(
      (await project.stacks()).filter((name) => name.startsWith("orphan")),
      [],
    );
  });

  it("rejects an import as a ManifestSet and names the command that adopts it", async () => {
    const set = ["stackyard:index:ManifestSet", "pod", `https://127.0.0.1/${namespace}/runtime-pod`];
    const { code, stdout, stderr } = await project.pulumi(
      "import",
      ...set,
      "-s",
      "pod",
      "--yes",
      "--generate-code=false",
    );
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /a ManifestSet can't be imported[^]*stackyard runtime adopt NAME/);
  });
});
