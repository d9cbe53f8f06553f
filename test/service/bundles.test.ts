import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../../kubernetes/connect/connect";
import type { Client } from "../../kubernetes/client/client";
import { withLocks } from "../../engine/locks/locks";
import { BundleReconciler } from "../../service/drift/bundles";
import { createMetrics } from "../../service/http/metrics";
import { bundleFolder } from "../engine/bundles/bundleFolder";
import { Project } from "../engine/cli/project";
import { testYard } from "../engine/runtime/yard";
import { testDatabase, type TestDatabase } from "./database";

const PLATFORM = "organization/stackyard/here";

/** The stack of the platform, the provider, Kubernetes and the database are real. */
describe("the reconciliation of bundles by the service", function () {
  this.timeout(90_000);
  const namespace = `reconciled-${randomBytes(3).toString("hex")}`;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-bundles-"));
  let project: Project;
  let client: Client;
  let place: TestDatabase;
  let config: Record<string, unknown>;
  const passphrase = process.env["PULUMI_CONFIG_PASSPHRASE_FILE"];

  const pulumi = (...args: string[]) => project.must("pulumi", ...args, "-s", "here", "--non-interactive");
  const up = () => pulumi("up", "--yes", "--skip-preview");
  const mapRef = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", namespace, name });
  const replica = () => {
    const capacity = { platformsInUse: () => Promise.resolve([PLATFORM]) };
    const log = { info: () => undefined, warn: assert.fail, error: assert.fail };
    return new BundleReconciler({ database: place.database, workspace: project.workspaces.platforms, capacity, log });
  };
  const rows = () => place.database.selectFrom("bundle").selectAll().execute();
  const checkAll = async (bundles = replica()): Promise<void> => {
    for (const { platform, urn } of await rows()) await bundles.check(`${platform} ${urn}`);
  };
  const notices = () => place.database.selectFrom("notice").selectAll().orderBy("id").execute();

  before(async () => {
    const yard = await testYard();
    // The service decrypts the state of the platform.
    process.env["PULUMI_CONFIG_PASSPHRASE_FILE"] = yard.env["PULUMI_CONFIG_PASSPHRASE_FILE"];
    client = connect(readFileSync(yard.kubeconfig, "utf8"), undefined, {});
    project = new Project(yard);
    place = await testDatabase();
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "b" } });
    config = {
      cluster: { type: "existing", kubeconfig: { path: yard.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
      bundles: { shop: { versions: { "1.0.0": { sources: [bundleFolder(folder, "shop", map("a"), map("b"))] } } } },
    };
    await project.platform(config);
  });
  after(async () => {
    if (passphrase === undefined) delete process.env["PULUMI_CONFIG_PASSPHRASE_FILE"];
    else process.env["PULUMI_CONFIG_PASSPHRASE_FILE"] = passphrase;
    await project.remove();
    await place.remove();
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
    rmSync(folder, { recursive: true, force: true });
  });

  const describeShop = (more: object): void => {
    const shop = { bundle: "shop", namespace, createNamespace: true, ...more };
    project.describe({ ...config, instances: { shop } });
  };

  it("begins when the config asks for it, which changes nothing in the cluster", async () => {
    describeShop({});
    await up();
    await replica().schedule();
    assert.deepEqual(await rows(), []);
    describeShop({ reconcileSeconds: 60 });
    await pulumi("preview", "--expect-no-changes", "--diff");
    await up();
    await replica().schedule();
    const [row, ...more] = await rows();
    assert.deepEqual(more, []);
    assert.deepEqual([row?.name, row?.everySeconds, row?.standing], [`${namespace}/shop`, 60, null]);
    await place.pool.query("update bundle set next_at = now()");
    await replica().schedule();
    await replica().schedule();
    const { rows: jobs } = await place.pool.query("select key from graphile_worker.jobs");
    assert.deepEqual(jobs, [{ key: `bundle:${PLATFORM} ${row?.urn}` }]);
  });

  it("restores what was removed, by two replicas at once; the next preview is empty", async () => {
    await checkAll();
    assert.deepEqual(
      (await rows()).map(({ standing, reason }) => [standing, reason]),
      [["clean", null]],
    );
    await client.remove(mapRef("b"));
    await Promise.all([checkAll(), checkAll()]);
    assert.deepEqual((await client.get(mapRef("b")))?.["data"], { a: "b" });
    const [found] = await notices();
    const { kind, level, tenant, subject, text } = found ?? assert.fail("there is no notice");
    assert.deepEqual([kind, level, tenant, subject], ["drift", "info", "*", `${PLATFORM}/${namespace}/shop`]);
    assert.equal(text, `restored 1 object\nConfigMap ${namespace}/b: it was missing`);
    const metrics = await createMetrics(place.database).registry.metrics();
    assert.match(
      metrics,
      /^stackyard_bundles\{platform="organization\/stackyard\/here",standing="(clean|repaired)"\} 1$/m,
    );
    await pulumi("preview", "--refresh", "--expect-no-changes", "--diff");
  });

  it("waits while the stack is locked, and ends with the stack", async () => {
    await client.remove(mapRef("b"));
    const { platforms } = project.workspaces;
    const lock = { pid: 1, username: "ann", hostname: "laptop", timestamp: "2026-01-01T00:00:00Z" };
    const name = "locks/organization/stackyard/here/test.json";
    await withLocks(platforms, (store) => store.create(name, JSON.stringify(lock)));
    await checkAll();
    const [{ standing, reason } = assert.fail("there is no row")] = await rows();
    assert.deepEqual([standing, reason], ["busy", "stack here is locked by ann@laptop since 2026-01-01T00:00:00Z"]);
    assert.equal(await client.get(mapRef("b")), undefined);
    await withLocks(platforms, (store) => store.removeIf(name, JSON.stringify(lock)));
    await pulumi("destroy", "--yes", "--skip-preview");
    await checkAll();
    assert.deepEqual(await rows(), []);
    assert.equal(await client.get(mapRef("b")), undefined);
  });
});
