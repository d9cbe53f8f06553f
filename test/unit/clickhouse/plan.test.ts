import assert from "node:assert/strict";
import { type DatabasePlan, planClickHouse } from "../../../components/runtime/clickhouse/plan";
import { readableName } from "../../../components/runtime/clickhouse/readableName";
import { databaseIn, type PresentDatabase } from "../../../components/runtime/clickhouse/present";
import { withPasswordVersion } from "../../../components/runtime/clickhouse/restart";
import type { ClickHouseProvisioner, StaticClickHouse } from "../../../components/runtime/clickhouse/settings";
import { CLICKHOUSE_DATABASE } from "../../../components/resources/tokens";
import { decode, goodWith, linesOf } from "../config/fixtures";

const shared: StaticClickHouse = {
  type: "static",
  url: "https://admin:s3cret@ch.example.com",
  prefix: "rill_",
  sources: ["S3"],
  passwordVersion: 1,
  databaseWhenDeleted: "Delete",
  default: false,
};
const deploymentOf = (id: string, clickhouse: object | undefined, state: "running" | "hibernated" = "running") => ({
  id,
  slots: 1,
  version: "1",
  environment: "prod",
  annotations: {},
  state,
  ...(clickhouse && { resources: { clickhouse } }),
});
const plan = (
  id: string,
  clickhouse: object | undefined,
  set: Record<string, ClickHouseProvisioner> = { shared },
  present?: PresentDatabase,
  state?: "hibernated",
): DatabasePlan | undefined => {
  const planned = planClickHouse(
    { slot: { cpu: 1, memoryGb: 4, diskGb: 40 }, clickhouse: set },
    deploymentOf(id, clickhouse, state),
    "org/stackyard/dev",
    present,
  );
  assert.notEqual(planned?.type, "kubernetes");
  return planned as DatabasePlan | undefined;
};

/** The state of a stack that was deployed with this plan. */
function presentOf(planned: ReturnType<typeof plan>, made = true): PresentDatabase {
  const outputs = { ...planned?.settings, ...(made ? { host: "ch" } : {}) };
  const present = databaseIn({ "urn:1": { type: CLICKHOUSE_DATABASE, outputs } });
  assert.ok(present);
  return present;
}

describe("the ClickHouse database of a deployment", () => {
  it("is planned only if it is requested", () => {
    assert.equal(plan("acme", undefined), undefined);
    assert.equal(databaseIn({}), undefined);
  });

  it("is named after the id, and has its owner and its address", () => {
    const { settings, host, port, secure, secret } = plan("6f2e1f0a-0000-4000-8000-0123456789ab", {}) ?? {};
    assert.equal(settings?.database, "rill_6f2e1f0a0000400080000123456789ab");
    assert.equal(settings?.user, settings?.database);
    assert.equal(settings?.owner, "org/stackyard/dev/6f2e1f0a-0000-4000-8000-0123456789ab");
    assert.deepEqual([host, port, secure], ["ch.example.com", 8443, true]);
    assert.equal(secret, "clickhouse-runtime-6f2e1f0a0000400080000123456789ab");
    const ids = ["acme-x", "acme_x", "Acme-X", "acme.x", "x".repeat(100)];
    const names = ids.map((id) => plan(id, {}, { shared: { ...shared, prefix: "p".repeat(21) } })?.settings.database);
    assert.equal(new Set(names).size, ids.length);
    for (const name of names) assert.match(name ?? "", /^[a-z][a-z0-9_]{0,62}$/);
  });

  it("has a separate address for runtimes if that is configured", () => {
    const { host, port, secure } = plan("acme", {}, { shared: { ...shared, runtimeUrl: "http://ch.internal" } }) ?? {};
    assert.deepEqual([host, port, secure], ["ch.internal", 8123, false]);
  });

  it("has a separate address for writes if that is configured, even while its runtime is hibernated", () => {
    const written = { shared: { ...shared, runtimeUrl: "http://replica", runtimeWriterUrl: "https://primary" } };
    const { settings, host, writer } = plan("acme", {}, written) ?? {};
    assert.deepEqual([host, writer], ["replica", { host: "primary", port: 8443, secure: true }]);
    assert.equal(settings?.runtimeWriterUrl, "https://primary");
    const present = presentOf(plan("acme", {}, written));
    assert.deepEqual(plan("acme", {}, { shared }, present, "hibernated")?.writer, writer);
    // Nothing of it is in a plan without one, so that an existing database has no change.
    for (const part of [plan("acme", {}), plan("acme", {})?.settings])
      assert.ok(!Object.keys(part ?? {}).some((key) => /writer/i.test(key)));
  });

  it("uses the named provisioner, the default one, or the only one", () => {
    const two = { shared, other: { ...shared, cluster: "two" } };
    assert.equal(plan("acme", { provisioner: "other" }, two)?.settings.cluster, "two");
    const three = { ...two, third: { ...shared, default: true, cluster: "three" } };
    assert.equal(plan("acme", {}, three)?.settings.cluster, "three");
    assert.throws(() => plan("acme", {}, two), /several to choose from; expected one of shared, other/);
    assert.throws(
      () => plan("acme", { provisioner: "othr" }, two),
      /found clickhouse provisioner "othr".*did you mean other\?/,
    );
    assert.throws(() => plan("acme", {}, {}), /the platform has no clickhouse provisioner/);
  });

  it("is named after the organization and project in the annotations, and its user after the id", () => {
    const named = (annotations: Record<string, string>, id = "acme") => {
      const prefix = shared.prefix;
      return readableName(prefix, annotations, `${prefix}${id}`);
    };
    assert.equal(
      named({ organization_name: "Acme-Corp", project_name: "sales & more", other: "x" }),
      "rill_acme_corp_sales__more_acme",
    );
    assert.equal(named({ project_name: "with-dashes" }), "rill_with_dashes_acme");
    assert.equal(named({ organization_name: "日本", project_name: "" }), "rill_acme");
    const id = "a".repeat(40);
    const cut = named({ organization_name: "o".repeat(50), project_name: "p" }, id);
    assert.equal(cut.length, 63);
    assert.ok(cut.endsWith(`_${id}`));
    assert.equal(named({ organization_name: "long" }, "a".repeat(56)), `rill_${"a".repeat(56)}`);
  });

  it("keeps its provisioner and names when the defaults change", () => {
    const present = presentOf(plan("acme", {}));
    const set = { other: { ...shared, url: "http://other", default: true }, shared: { ...shared, prefix: "new_" } };
    const { settings } = plan("acme", {}, set, present) ?? {};
    assert.deepEqual([settings?.provisioner, settings?.database], ["shared", "rill_acme"]);
    assert.throws(
      () => plan("acme", {}, { other: shared }, present),
      /has its database with clickhouse provisioner "shared", which is no longer in the platform's set/,
    );
  });

  it("is kept without access when it is no longer requested", () => {
    const present = presentOf(plan("acme", {}));
    const closed = plan("acme", undefined, {}, present);
    assert.deepEqual([closed?.settings.database, closed?.settings.access], ["rill_acme", false]);
    assert.equal(plan("acme", {}, { shared }, presentOf(closed))?.settings.access, true);
    // One that an interrupted update may have made goes: nobody has been in it.
    assert.equal(plan("acme", undefined, {}, presentOf(plan("acme", {}), false)), undefined);
  });

  it("does not change while its runtime is hibernated", () => {
    const present = presentOf(plan("acme", {}));
    const changed = { shared: { ...shared, url: "http://gone", passwordVersion: 2, sources: [] } };
    assert.deepEqual(plan("acme", {}, changed, present, "hibernated")?.settings, plan("acme", {})?.settings);
    assert.equal(plan("acme", {}, changed, present)?.settings.passwordVersion, "2.1");
  });

  it("gets a new password with a new version of the provisioner or of its own", () => {
    assert.equal(plan("acme", {})?.settings.passwordVersion, "1.1");
    assert.equal(plan("acme", { passwordVersion: 3 })?.settings.passwordVersion, "1.3");
  });

  it("restarts only the pods of its runtime on a new password", () => {
    const service = { kind: "Service", spec: { selector: {} } };
    const set = {
      kind: "StatefulSet",
      spec: { replicas: 1, template: { metadata: { labels: { a: "b" } }, spec: {} } },
    };
    const [first, second] = withPasswordVersion([service, set], "1.2");
    assert.deepEqual(first, service);
    const annotations = { "stackyard.dev/clickhouse-password": "1.2" };
    const metadata = { labels: { a: "b" }, annotations };
    assert.deepEqual(second, { ...set, spec: { replicas: 1, template: { metadata, spec: {} } } });
  });
});

describe("the config of ClickHouse", () => {
  const secret = { secretKeys: new Set(["clickhouse"]) };
  const withUrl = (url: string, more: object = {}) =>
    goodWith({ clickhouse: { shared: { type: "static", spec: { url, ...more } } } });

  it("requires a URL, as a secret if it has a password, and has defaults", () => {
    const { clickhouse } = decode(withUrl(shared.url), secret);
    assert.deepEqual(clickhouse["shared"], {
      ...shared,
      sources: ["URL", "REMOTE", "MONGO", "MYSQL", "POSTGRES", "S3", "AZURE"],
    });
    assert.deepEqual(linesOf(withUrl(shared.url)), [
      "clickhouse.shared.spec.url: found a plain text; expected a secret; set it with: pulumi config set --secret --path 'clickhouse.shared.spec.url'",
    ]);
  });

  it("rejects names that the command line reserves", () => {
    const config = goodWith({ clickhouse: { none: { type: "static", spec: { url: "http://ch" } } } });
    assert.match(
      linesOf(config).join(),
      /clickhouse\.none: found this name; expected another one, because --clickhouse none/,
    );
  });

  it("does not show an invalid URL", () => {
    const [line = ""] = linesOf(withUrl("clickhouse://admin:s3cret@ch:9000"), secret);
    assert.match(line, /clickhouse\.shared\.spec\.url: found a text; expected the URL of an HTTP interface/);
    assert.doesNotMatch(line, /s3cret/);
    for (const key of ["runtimeUrl", "runtimeWriterUrl"]) {
      assert.deepEqual(linesOf(withUrl(shared.url, { [key]: "https://u:s3cret@ch" }), secret), [
        `clickhouse.shared.spec.${key}: found a text; expected an http or https URL of host and port, such as https://ch.internal:8443`,
      ]);
    }
  });
});
