import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { dump, load } from "js-yaml";
import type { Client } from "../../../../kubernetes/client/client";
import { connect } from "../../../../kubernetes/connect/connect";
import { Project } from "../../cli/project";
import { bundleFolder } from "../bundleFolder";
import { testYard } from "../../runtime/yard";

/** One instance that fails, beside others: engine, provider and Kubernetes are real. */
describe("bundle instances of which one fails", function () {
  this.timeout(120_000);
  const namespace = `alone-${randomBytes(3).toString("hex")}`;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-bundles-"));
  let project: Project;
  let client: Client;
  let config: Record<string, unknown>;

  const bundle = (name: string, ...objects: object[]): object => ({
    versions: { "1.0.0": { sources: [bundleFolder(folder, name, ...objects)] } },
  });
  const configMap = (name: string, data: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });
  /** Nothing knows its kind. */
  const refused = (name: string) => ({ apiVersion: "none.example.com/v1", kind: "Gadget", metadata: { name } });
  const there = async (name: string): Promise<boolean> =>
    (await client.get({ apiVersion: "v1", kind: "ConfigMap", name, namespace })) !== undefined;
  const all = async (): Promise<string[]> => {
    const names = ["bad", "base", "first", "last", "leaving", "needy"];
    const found = await Promise.all(names.map(there));
    return names.filter((_, index) => found[index]);
  };

  const instance = (name: string, ...dependsOn: string[]) => ({
    bundle: name,
    namespace,
    timeoutSeconds: 20,
    dependsOn,
  });
  /** `base` first, so that `last` begins when `bad` has failed long ago. */
  const instances = {
    bad: instance("bad"),
    needy: instance("needy", "bad"),
    base: { ...instance("base"), createNamespace: true },
    first: instance("first", "base"),
    last: instance("last", "first"),
  };
  let bundles: Record<string, object>;
  const pulumi = (...args: string[]) => project.must("pulumi", ...args, "-s", "here", "--non-interactive");
  const up = (...args: string[]) => pulumi("up", "--yes", "--skip-preview", ...args);
  const failing = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => assert.fail("it went well"),
      (error: Error) => error.message,
    );

  before(async () => {
    const place = await testYard();
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    project = new Project(place);
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    config = {
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
    };
    bundles = {
      bad: bundle("bad", refused("bad")),
      needy: bundle("needy", configMap("needy", {})),
      base: bundle("base", configMap("base", { version: "1" })),
      first: bundle("first", configMap("first", {})),
      last: bundle("last", configMap("last", {})),
      leaving: bundle("leaving", configMap("leaving", {})),
    };
    const leaving = { base: instances.base, leaving: instance("leaving", "base") };
    await project.platform({ ...config, bundles, instances: leaving });
    project.describe({ ...config, bundles, instances });
  });
  after(async () => {
    await project.remove();
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
    rmSync(folder, { recursive: true, force: true });
  });

  const table = /1 failed, 1 skipped, 2 (to be )?applied, 1 unchanged/;

  it("are all previewed; the preview fails with a table", async () => {
    const text = await failing(pulumi("preview"));
    assert.match(text, table);
    assert.match(text, /\+ ConfigMap \S+\/last/, "what would become of the others is not reported");
    assert.doesNotMatch(text, /unhandled exception/);
  });

  it("are applied unless they depend on the failed one; removed instances stay until all succeed", async () => {
    const text = await failing(up());
    assert.match(text, table);
    assert.match(text, /bad +bad 1\.0\.0 +failed: /);
    assert.match(text, /needy +needy 1\.0\.0 +skipped, because bad failed/);
    assert.match(text, /base +base 1\.0\.0 +unchanged/);
    assert.match(text, /bundles-bad-release[^]*error: [^]*Gadget/);
    assert.doesNotMatch(text, /^ +at \S+/m, "it prints where in the program it failed");
    assert.doesNotMatch(text, /unhandled exception|error serializing/);
    assert.deepEqual(await all(), ["base", "first", "last", "leaving"]);
  });

  it("are retried and fail for the same reason, also with --continue-on-error", async () => {
    const text = await failing(up("--continue-on-error"));
    assert.match(text, /1 failed, 1 skipped, 3 unchanged/);
    assert.doesNotMatch(text, /unhandled exception|error serializing/);
    assert.deepEqual(await all(), ["base", "first", "last", "leaving"]);
  });

  it("keep their objects when their source is unavailable", async () => {
    rmSync(path.join(folder, "first"), { recursive: true });
    const text = await failing(up());
    assert.match(text, /first +first 1\.0\.0 +failed: sources: /);
    assert.deepEqual(await all(), ["base", "first", "last", "leaving"]);
    bundle("first", configMap("first", {}));
  });

  it("report their digest or failure in the outputs", async () => {
    const { bundles: reported } = JSON.parse(await pulumi("stack", "output", "--json")) as {
      bundles: Record<string, { failure?: string; digest?: string }>;
    };
    assert.match(reported["bad"]?.failure ?? "", /Gadget/);
    assert.equal(reported["bad"]?.digest, "");
    assert.equal(reported["last"]?.failure, undefined);
  });

  it("are all applied once the failure is fixed; removed instances are deleted", async () => {
    bundle("bad", configMap("bad", {}));
    assert.match(await up(), /3 applied, 2 unchanged/);
    assert.deepEqual(await all(), ["bad", "base", "first", "last", "needy"]);
    await pulumi("preview", "--expect-no-changes", "--diff");
  });

  it("fail even an update that targets other resources", async () => {
    bundle("bad", refused("bad"));
    await failing(up());
    const urn = "urn:pulumi:here::stackyard::pulumi:pulumi:Stack$stackyard:index:Bundles::bundles";
    assert.match(await failing(up("--target", urn)), /1 failed/);
    bundle("bad", configMap("bad", {}));
  });

  it("are applied although the cluster of another instance is unreachable", async () => {
    const away = path.join(folder, "away.yaml");
    const kubeconfig = readFileSync(project.place.kubeconfig, "utf8");
    const nowhere = load(kubeconfig) as { clusters: { cluster: object }[] };
    for (const each of nowhere.clusters) Object.assign(each.cluster, { server: "https://127.0.0.1:1" });
    writeFileSync(away, dump(nowhere));
    const far = {
      ...instance("base"),
      namespace: `${namespace}-far`,
      createNamespace: true,
      kubeconfig: { path: away },
    };
    bundles["again"] = bundle("again", configMap("again", {}));
    project.describe({ ...config, bundles, instances: { far, ...instances, again: instance("again", "base") } });
    const message = await failing(up());
    assert.match(message, /far +base 1\.0\.0 +skipped, because namespace \S+ failed/);
    assert.match(message, /again +again 1\.0\.0 +applied/);
    assert.doesNotMatch(message, /unhandled exception|error serializing/);
    writeFileSync(away, kubeconfig);
    assert.match(await up(), /far +base 1\.0\.0 +applied/);
  });

  it("are deleted when they leave the config, even if they were never applied", async () => {
    project.describe({
      ...config,
      bundles: { ...bundles, never: bundle("never", refused("never")) },
      instances: { base: instances.base, never: instance("never", "base") },
    });
    await failing(up());
    project.describe({ ...config, bundles, instances: { base: instances.base } });
    await up();
    assert.deepEqual(await all(), ["base"]);
    await pulumi("preview", "--expect-no-changes", "--diff");
  });
});
