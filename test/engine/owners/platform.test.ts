import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { bundleFolder } from "../bundles/bundleFolder";
import { Project } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";
import { liveObjects } from "./live";

describe("cluster objects of two platforms with one name in different backends", function () {
  this.timeout(120_000);
  const tag = randomBytes(3).toString("hex");
  const namespace = `owned-${tag}`;
  const masters = `masters-${tag}`;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-owned-"));
  let first: Project;
  let second: Project;
  let client: Client;

  const small = { cpu: 1, memoryGb: 1 };
  const bundle = (version: string): object =>
    bundleFolder(folder, `shop-${version}`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "shop" },
      data: { version },
    });
  const base = (): Record<string, unknown> => ({
    cluster: { type: "existing", kubeconfig: { path: first.place.kubeconfig } },
    defaultProvisioner: "one",
    provisioners: { one: kubernetesProvisioner(namespace) },
  });
  /** A Ray cluster, which is a set, and a bundle, which is a release. */
  const all = (version: string, replicas = 1): Record<string, unknown> => ({
    ...base(),
    ray: {
      one: {
        ...{ mode: "static", namespace, pool: "", reservedCpu: 0, head: small },
        workerGroups: { worker: { ...small, replicas } },
      },
    },
    bundles: { shop: { versions: { "1.0.0": { sources: [bundle(version)] } } } },
    instances: { shop: { bundle: "shop", namespace, timeoutSeconds: 30 } },
  });

  const master = (version: string): Record<string, unknown> => ({
    teraslice: {
      image: `example/teraslice:${version}`,
      settings: { name: "one", kubernetes_namespace: masters },
      terafoundation: { connectors: { "elasticsearch-next": { default: { node: ["http://search.svc:9200"] } } } },
    },
  });

  before(async () => {
    const place = await testYard();
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    await client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: masters } });
    first = new Project(place);
    const elsewhere = `file://${mkdtempSync(path.join(folder, "backend-"))}`;
    second = new Project({ ...place, env: { ...place.env, PULUMI_BACKEND_URL: elsewhere } });
    await first.platform(all("a"));
    await second.platform(base());
  });
  after(async () => {
    await second.remove();
    await first.remove();
    rmSync(folder, { recursive: true, force: true });
    for (const name of [namespace, masters]) await client.remove({ apiVersion: "v1", kind: "Namespace", name });
  });

  const up = (project: Project) => project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
  const refused = async (project: Project, verb: "preview" | "up"): Promise<string> => {
    const flags = verb === "up" ? ["--yes", "--skip-preview"] : [];
    const { code, stdout, stderr } = await project.hand(verb, "-s", "here", ...flags);
    assert.notEqual(code, 0, stdout);
    return stdout + stderr;
  };
  /** Every object of the set and of the release, by its UID. */
  const live = (): Promise<string[]> =>
    liveObjects(
      client,
      namespace,
      [
        ["apps/v1", "Deployment"],
        ["v1", "Service"],
        ["v1", "ServiceAccount"],
        ["v1", "ConfigMap"],
      ],
      ({ metadata }) => !["default", "kube-root-ca.crt"].includes(metadata.name),
    );
  const shop = async () =>
    (await client.get({ apiVersion: "v1", kind: "ConfigMap", namespace, name: "shop" }))?.["data"];
  const owner = (by: Project): RegExp =>
    new RegExp(
      `belongs to stack stackyard/here in ${by.place.env["PULUMI_BACKEND_URL"]} on .*stackyard adopt ${namespace}/\\S+ --stack here`,
    );
  const adopt = (name: string, ...flags: string[]) => adoptBy(second, name, ...flags);
  const adoptBy = (project: Project, name: string, ...flags: string[]) =>
    adoptAt(project, `${namespace}/${name}`, ...flags);
  const adoptAt = (project: Project, thing: string, ...flags: string[]) =>
    project.stackyard("adopt", thing, "--stack", "here", "--kubeconfig", first.place.kubeconfig, ...flags);

  it("cannot be changed by the other platform in preview or update", async () => {
    const before = await live();
    assert.ok(before.length > 5, before.join("\n"));
    second.describe(all("b", 2));
    for (const verb of ["preview", "up"] as const) {
      const text = await refused(second, verb);
      assert.match(text, owner(first));
      assert.match(text, /set \S+\/ray-one-token belongs to/);
      assert.match(text, /bundle \S+\/shop belongs to/);
      assert.doesNotMatch(text, /unhandled exception|failed to deliver|UNAVAILABLE/);
    }
    assert.deepEqual([await live(), await shop()], [before, { version: "a" }]);
  });

  it("are kept when the other platform is destroyed", async () => {
    const before = await live();
    await second.must("pulumi", "destroy", "-s", "here", "--yes", "--skip-preview");
    assert.deepEqual([await live(), await shop()], [before, { version: "a" }]);
    assert.match(await first.must("pulumi", "preview", "-s", "here", "--expect-no-changes"), /unchanged/);
  });

  it("are taken over in place by an adoption that shows the owner and asks for confirmation", async () => {
    const before = await live();
    // Ray's objects depend on its token, so their changes are known when that may be taken over.
    assert.equal((await adopt("ray-one-token", "--yes")).code, 0);
    const asked = await adopt("ray-one");
    assert.notEqual(asked.code, 0);
    assert.match(asked.stderr, /belongs to stack stackyard\/here in file:[^]*can't change or delete it[^]*pass --yes/);
    assert.match(asked.stderr, / {2}- Deployment \S+\/one-ray-head$/m);
    assert.match(asked.stderr, /Deployment \S+\/one-ray-worker: spec\.replicas: 1 → 2/);
    const dry = await adopt("shop", "--dry-run");
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(
      dry.stderr,
      /takes over bundle \S+\/shop[^]*ConfigMap \S+\/shop[^]*data\.version: "a" → "b"[^]*nothing was changed/,
    );
    const plan = JSON.parse((await adopt("shop", "--dry-run", "--json")).stdout) as { changes: { known: boolean } };
    assert.equal(plan.changes.known, true);
    assert.match(await refused(second, "preview"), owner(first), "the question alone allowed it");
    for (const name of ["ray-one-token", "ray-one", "shop"]) {
      const { code, stderr } = await adopt(name, "--yes");
      assert.equal(code, 0, stderr);
      assert.match(stderr, /may be taken over\. Take it over: pulumi up --stack here/);
    }
    await second.must("pulumi", "preview", "-s", "here");
    assert.deepEqual([await live(), await shop()], [before, { version: "a" }]);
    await up(second);
    assert.deepEqual([await live(), await shop()], [before, { version: "b" }]);
    await second.must("pulumi", "preview", "-s", "here", "--expect-no-changes");
  });

  it("pass back and forth without a change of a config", async () => {
    const before = await live();
    for (const [project, version] of [
      [first, "a"],
      [second, "b"],
    ] as const) {
      for (const name of ["ray-one-token", "ray-one", "shop"]) {
        const { code, stderr } = await adoptBy(project, name, "--yes");
        assert.equal(code, 0, stderr);
      }
      await up(project);
      assert.deepEqual([await live(), await shop()], [before, { version }]);
      assert.doesNotMatch(await project.must("pulumi", "preview", "-s", "here", "--expect-no-changes"), /belongs to/);
    }
  });

  it("can then not be changed by the former owner, whose destroy leaves them alone", async () => {
    const before = await live();
    const unchanged = await first.must("pulumi", "preview", "-s", "here");
    assert.match(unchanged, owner(second), "without a change, it is a warning");
    assert.match(unchanged, /set \S+\/ray-one belongs to [^]*bundle \S+\/shop belongs to /);
    first.describe(all("c", 3));
    for (const verb of ["preview", "up"] as const) {
      const text = await refused(first, verb);
      assert.match(text, owner(second));
      assert.match(text, /bundle \S+\/shop belongs to/);
    }
    const text = await first.must("pulumi", "destroy", "-s", "here", "--yes", "--skip-preview");
    assert.match(text, /left ConfigMap \S+\/ray-one\.owner alone: set \S+ belongs to stack stackyard\/here in file:/);
    // The namespace was the first platform's, stays, and belongs to nobody now.
    const left = before.filter((object) => !object.startsWith("ConfigMap namespace.owner "));
    assert.equal(left.length, before.length - 1);
    assert.deepEqual([await live(), await shop()], [left, { version: "b" }]);
    assert.match(await second.must("pulumi", "preview", "-s", "here", "--expect-no-changes"), /unchanged/);
  });

  it("stay with their owner when its stack is renamed", async () => {
    const before = await live();
    await second.must("pulumi", "stack", "rename", "there", "-s", "here");
    const replicas = "stackyard:ray.one.workerGroups.worker.replicas";
    await second.must("pulumi", "config", "set", "-s", "there", "--path", replicas, "1");
    await second.must("pulumi", "up", "-s", "there", "--yes", "--skip-preview");
    assert.deepEqual([await live(), await shop()], [before, { version: "b" }]);
    await second.must("pulumi", "stack", "rename", "here", "-s", "there");
  });

  it("move in place as a Teraslice master too", async () => {
    const workloads = () =>
      liveObjects(client, masters, [
        ["apps/v1", "Deployment"],
        ["v1", "Service"],
      ]);
    first.describe({ ...base(), ...master("a") });
    await up(first);
    const before = await workloads();
    second.describe({ ...all("b"), ...master("b") });
    const refusal =
      /set \S+\/teraslice-one belongs to stack stackyard\/here in .*: stackyard adopt \S+\/teraslice-one --stack/;
    for (const verb of ["preview", "up"] as const) assert.match(await refused(second, verb), refusal);
    const { code, stderr } = await adoptAt(second, `${masters}/teraslice-one`, "--yes");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Deployment \S+\/one-master: .*image: "example\/teraslice:a" → "example\/teraslice:b"/);
    await up(second);
    await first.must("pulumi", "destroy", "-s", "here", "--yes", "--skip-preview");
    assert.deepEqual(await workloads(), before);
    await second.must("pulumi", "preview", "-s", "here", "--expect-no-changes");
  });
});
