import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client as Database } from "pg";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { Project, type Ended } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";
import { liveObjects } from "./live";

const tag = randomBytes(3).toString("hex");
const HOST = `http://moved-${tag}.example.com:9091`;

describe("a moved state", function () {
  this.timeout(120_000);
  const namespace = `moved-${tag}`;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-moved-"));
  let former: Project;
  let here: Project;
  let client: Client;

  const small = { cpu: 1, memoryGb: 1 };
  /** A set of the platform, a runtime in Kubernetes and one with slots. */
  const config = (replicas: number): Record<string, unknown> => ({
    cluster: { type: "existing", kubeconfig: { path: former.place.kubeconfig } },
    defaultProvisioner: "one",
    provisioners: {
      one: kubernetesProvisioner(namespace),
      shared: { type: "static", spec: { runtimes: [{ host: HOST, slots: 12, dataDir: "/mnt" }] } },
    },
    ray: {
      one: {
        ...{ mode: "static", namespace, pool: "", reservedCpu: 0, head: small },
        workerGroups: { worker: { ...small, replicas } },
      },
    },
  });

  before(async () => {
    const place = await testYard();
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    const backend = `file://${mkdtempSync(path.join(folder, "backend-"))}`;
    former = new Project({ ...place, env: { ...place.env, PULUMI_BACKEND_URL: backend } });
    await former.platform(config(1));
    await former.runtime("up", "pod", "--version", "1");
    await former.runtime("up", "slot", "--version", "1", "--provisioner", "shared");
    const next = `file://${mkdtempSync(path.join(folder, "backend-"))}`;
    here = new Project({ ...place, env: { ...place.env, PULUMI_BACKEND_URL: next } });
    cpSync(former.folder, here.folder, { recursive: true });
  });
  after(async () => {
    await here.remove();
    rmSync(former.folder, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
  });

  const well = async (ended: Promise<Ended>): Promise<string> => {
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  const refused = async (ended: Promise<Ended>): Promise<string> => {
    const { code, stdout, stderr } = await ended;
    assert.notEqual(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  const platform = (project: Project, verb: string) =>
    project.hand(verb, "-s", "here", ...(verb === "preview" ? [] : ["--yes", "--skip-preview"]));
  const slots = async (): Promise<unknown[]> => {
    const database = new Database({ connectionString: former.place.ledgerUrl });
    await database.connect();
    const { rows } = await database.query<{ slots: number }>(
      "SELECT deployment, slots, backend FROM stackyard.allocations WHERE host = $1",
      [HOST],
    );
    await database.end();
    return rows;
  };
  /** Workloads and disks by their UIDs. */
  const live = (): Promise<string[]> =>
    liveObjects(client, namespace, [
      ["apps/v1", "Deployment"],
      ["apps/v1", "StatefulSet"],
      ["v1", "Service"],
      ["v1", "PersistentVolumeClaim"],
    ]);

  it("keeps everything after an export and import to another backend, without adoption", async () => {
    const before = await live();
    const hand = (project: Project, stack: string, ...args: string[]) =>
      stack === "here" ? project.hand(...args, "-s", stack) : project.pulumi(...args, "-s", stack);
    for (const stack of ["here", "pod", "slot"]) {
      const file = path.join(folder, `${stack}.json`);
      writeFileSync(file, (await hand(former, stack, "stack", "export", "--show-secrets")).stdout);
      const init = ["stack", "init", stack, "--no-select"];
      await well(stack === "here" ? here.hand(...init) : here.pulumi(...init));
      await well(hand(here, stack, "stack", "import", "--file", file));
    }
    here.describe(config(2));
    await well(platform(here, "up"));
    await here.runtime("up", "pod", "--version", "2");
    await here.runtime("up", "slot", "--slots", "2");
    assert.deepEqual(await live(), before);
    const backend = here.place.env["PULUMI_BACKEND_URL"];
    assert.match(JSON.stringify(await slots()), new RegExp(`"deployment":"slot","slots":2,"backend":"${backend} on `));
  });

  it("is rejected as a copy in the former backend, whose destroy deletes nothing", async () => {
    const before = [await live(), await slots()];
    const to = `${here.place.env["PULUMI_BACKEND_URL"]} on `;
    former.describe(config(3));
    for (const verb of ["preview", "up"]) {
      assert.match(
        await refused(platform(former, verb)),
        new RegExp(`ray-one belongs to stack stackyard/here in ${to}`),
      );
      for (const [id, ...flags] of [["pod"], ["pod", "--version", "7"], ["slot"], ["slot", "--slots", "3"]] as const) {
        const text = await refused(former.stackyard("runtime", verb, id, ...flags));
        assert.match(text, new RegExp(`belongs to stack stackyard-runtime/${id} in ${to}`), `${verb} ${id}`);
      }
    }
    for (const id of ["pod", "slot"]) {
      const { stdout, stderr } = await former.stackyard("runtime", "destroy", id, "--yes");
      assert.match(stdout + stderr, /left .* alone: .* belongs to stack/);
      assert.doesNotMatch(stderr, /is gone$/m);
    }
    assert.match(await refused(platform(former, "destroy")), /provisioner one cannot be removed while it has/);
    assert.deepEqual([await live(), await slots()], before);
    assert.match((await here.runtime("up", "pod")).stderr, /nothing changed/);
    assert.match((await here.runtime("up", "slot")).stderr, /nothing changed/);
  });

  it("keeps everything under another passphrase", async () => {
    const before = await live();
    const change = (folderOf: string, stack: string) =>
      here.run(
        "sh",
        "-c",
        `cd "$1" && echo another | pulumi stack change-secrets-provider passphrase -s "$2"`,
        "-",
        folderOf,
        stack,
      );
    for (const id of ["pod", "slot"]) await well(change(here.runtimeFolder, id).ended);
    const other = here.within({ PULUMI_CONFIG_PASSPHRASE: "another" });
    const sealed = /does not decrypt secrets of platform stack "organization\/stackyard\/here": \S+; expected the same/;
    assert.match(await refused(other.stackyard("runtime", "up", "slot", "--slots", "3")), sealed);
    await well(change(here.folder, "here").ended);
    here = other;
    here.describe(config(1));
    await well(platform(here, "up"));
    await here.runtime("up", "pod", "--version", "3");
    await here.runtime("up", "slot", "--slots", "3");
    assert.deepEqual(await live(), before);
  });

  it("keeps its deployments under another stack name", async () => {
    const before = await live();
    for (const [id, field] of [
      ["pod", "version"],
      ["slot", "slots"],
    ] as const) {
      const renamed = `${id}2`;
      await well(here.pulumi("stack", "rename", renamed, "-s", id));
      const refusal = new RegExp(`deployment "${renamed}": .*which can't change. Restore deployment.id`);
      assert.match(await refused(here.pulumi("preview", "-s", renamed)), refusal);
      const set = ["config", "set", "-s", renamed, "--path"];
      await well(here.pulumi(...set, "deployment.id", id));
      await well(here.pulumi(...set, `deployment.${field}`, "4"));
      const text = await well(here.pulumi("up", "-s", renamed, "--yes", "--skip-preview"));
      assert.match(text, /1 updated/);
      assert.match((await here.runtime("up", renamed)).stderr, /nothing changed/);
      assert.equal((await here.runtime("list", "--orphans")).stdout.trim(), "no orphans");
      await well(here.pulumi("stack", "rename", id, "-s", renamed));
    }
    assert.match(JSON.stringify(await slots()), /"slots":4/);
    await well(here.hand("stack", "rename", "there", "-s", "here"));
    // The names of its pools begin with its own.
    assert.match(await refused(here.hand("preview", "-s", "there")), /provisioners\.shared had 1 deployment: slot/);
    await well(here.hand("stack", "rename", "here", "-s", "there"));
    assert.deepEqual(await live(), before);
  });
});
