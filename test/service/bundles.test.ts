import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../../kubernetes/connect/connect";
import type { Client } from "../../kubernetes/client/client";
import { withLocks } from "../../engine/locks/locks";
import type { BundleConnection } from "../../service/api/schema.types";
import { bundlePage, type BundleFilter } from "../../service/database/queries/bundles";
import type { PageArgs } from "../../service/database/queries/page";
import { BundleReconciler } from "../../service/drift/bundles";
import { createMetrics } from "../../service/http/metrics";
import { bundleFolder } from "../engine/bundles/bundleFolder";
import { Project } from "../engine/cli/project";
import { testYard } from "../engine/runtime/yard";
import { apiOver, TOKENS } from "../unit/service/api/client";
import { fakeBackend } from "../unit/service/api/fakeBackend";
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
  /** The answer of the API, and its cursor for the next page. */
  const asked = async (args: string) => {
    const backend = fakeBackend();
    const fleet = { ...backend.fleet, bundles: (page: PageArgs<BundleFilter>) => bundlePage(place.database, page) };
    const query = `{ bundles(${args}) { totalCount pageInfo { endCursor } nodes {
      platform name everySeconds standing reason checkedAt nextAt streak repairs restored { object text } restoredAt managers } } }`;
    const { data, errors } = await apiOver({ ...backend, fleet }).ask(query, { token: TOKENS.all });
    assert.equal(errors, undefined);
    return data?.["bundles"] as BundleConnection;
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

  it("is shown by the API: what differed, who works against it, and when it is looked at again", async () => {
    await checkAll();
    await client.connection.send({
      ...{ method: "PATCH", contentType: "application/merge-patch+json", timeoutMs: 5_000 },
      path: `${await client.discovery.path(mapRef("a"))}?fieldManager=kubectl-edit`,
      body: JSON.stringify({ data: { a: "by hand" } }),
    });
    await checkAll();
    const { totalCount, nodes, pageInfo } = await asked(`filter: { platform: "${PLATFORM}", standing: [repaired] }`);
    const [{ checkedAt, restoredAt, nextAt, repairs, ...shown } = assert.fail("there is no bundle")] = nodes;
    assert.deepEqual(shown, {
      ...{ platform: PLATFORM, name: `${namespace}/shop`, everySeconds: 60, standing: "repaired", reason: null },
      ...{ streak: 1, managers: ["kubectl-edit"] },
      restored: [{ object: `ConfigMap ${namespace}/a`, text: "data.a (changed by kubectl-edit)" }],
    });
    assert.equal(restoredAt, checkedAt);
    assert.ok(nextAt > (restoredAt ?? "") && repairs >= 2);
    assert.equal(totalCount, 1);
    assert.deepEqual((await asked(`after: "${pageInfo.endCursor}"`)).nodes, []);
    assert.equal((await asked("filter: { standing: [failed, paused] }")).totalCount, 0);
    await checkAll();
    const [after] = (await asked("last: 1")).nodes;
    assert.deepEqual([after?.standing, after?.managers, after?.restored], ["clean", [], shown.restored]);
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
