import assert from "node:assert/strict";
import { clickHouseDatabase } from "../../../provider/resources/clickHouseDatabase/clickHouseDatabase";
import type { DatabaseInputs } from "../../../provider/resources/clickHouseDatabase/inputs";
import type { Context } from "../../../foundation/pulumi/resource";
import { readDeployments } from "../../../provider/resources/provisionerRegistration/ask";
import { registration } from "../../../provider/resources/provisionerRegistration/registration";
import type { OnServer } from "../../../provider/resources/provisionerRegistration/registered";
import { ClickHouseDouble } from "../../doubles/clickhouse";

const PLATFORM = "organization/stackyard/test";

describe("a registered ClickHouse provisioner on a server", () => {
  let double: ClickHouseDouble;
  let said: string[];
  const signal = new AbortController().signal;
  const context: Context = {
    urn: "urn:test",
    backend: "file:///state",
    preview: false,
    signal,
    timeoutSeconds: undefined,
    log: (severity, message) => said.push(`${severity}: ${message}`),
  };
  beforeEach(async () => {
    said = [];
    double = await new ClickHouseDouble().start();
    await database("a", { provisioner: "main" });
    await database("b", { provisioner: "main", access: false });
    await database("c", { provisioner: "other" });
    await database("old");
    await database("theirs", { provisioner: "main", owner: "organization/stackyard/prod/theirs" });
  });
  afterEach(() => double.stop());

  async function database(id: string, more: Record<string, unknown> = {}): Promise<() => Promise<void>> {
    const named = { database: `rill_${id}`, user: `rill_${id}`, owner: `${PLATFORM}/${id}` };
    const origin = { old: {}, seed: Buffer.from(id).toString("base64") };
    const { inputs } = await clickHouseDatabase.check(context, { url: double.url(), ...named, ...more }, origin);
    const known = inputs as unknown as DatabaseInputs;
    const { id: made, state } = await clickHouseDatabase.create(context, known);
    return () => clickHouseDatabase.delete(context, made, { inputs: known, state });
  }
  const inputs = (more: Partial<OnServer> = {}): OnServer => ({
    url: double.url(),
    platform: PLATFORM,
    provisioner: "main",
    gives: "clickhouse",
    alone: false,
    ...more,
  });
  const old = (more: Partial<OnServer> = {}) => ({ inputs: inputs(more), state: inputs(more) });
  const remove = (more: Partial<OnServer> = {}) => registration.delete(context, "id", old(more));

  it("cannot be removed while deployments have a database on it, even one without access", async () => {
    await assert.rejects(
      remove(),
      /^Error: clickhouse provisioner main cannot be removed while it has 2 deployments: a, b\. .*'stackyard:allowRemoval\[0\]' clickhouse\.main$/,
    );
    await remove({ provisioner: "unused" });
    await remove({ platform: "organization/stackyard/other" });
  });

  it("counts databases without a recorded provisioner if no other one is on the server", async () => {
    await assert.rejects(remove({ provisioner: "other", alone: true }), /it has 2 deployments: c, old\./);
    assert.deepEqual(
      await readDeployments({ signal, log: assert.fail, backend: "test" }, inputs({ provisioner: "unused" })),
      {},
    );
  });

  it("does not count a database that was retained when its deployment was deleted", async () => {
    const destroy = await database("kept", { provisioner: "alone", whenDeleted: "Retain" });
    await assert.rejects(remove({ provisioner: "alone" }), /1 deployment: kept/);
    await destroy();
    assert.ok(double.databases.has("rill_kept"));
    await remove({ provisioner: "alone" });
  });

  it("cannot be removed while its server is unavailable, and does not show its URL", async () => {
    const away = inputs({ url: "http://admin:s3cret@127.0.0.1:1" });
    const { trouble } = await readDeployments({ signal, log: assert.fail, backend: "test" }, away);
    assert.match(trouble ?? "", /127\.0\.0\.1:1 does not answer/);
    double.away = 99;
    await assert.rejects(remove(), (error: Error) => {
      assert.match(error.message, /it is unknown which deployments use clickhouse provisioner main: .*HTTP 503/);
      assert.doesNotMatch(error.message, /s3cret/);
      return true;
    });
  });

  it("warns if its server changes, but not if only the address changes", async () => {
    const localhost = inputs({ url: double.url().replace("127.0.0.1", "localhost") });
    await registration.update(context, "id", old(), localhost);
    assert.deepEqual(said, []);
    const elsewhere = await new ClickHouseDouble().start();
    try {
      await registration.update(context, "id", old(), inputs({ url: elsewhere.url() }));
    } finally {
      await elsewhere.stop();
    }
    assert.match(
      said.join(),
      /clickhouse provisioner main gets another place, .*data is not copied.*2 deployments: a, b/,
    );
  });

  it("has either a server or a cluster", async () => {
    const checked = async (given: object) =>
      (await registration.check(context, { ...given })).failures.map(
        ({ property, reason }) => `${property}: ${reason}`,
      );
    assert.deepEqual(await checked(inputs()), []);
    assert.match((await checked({ ...inputs(), namespace: "x" })).join(), /namespace: found an unknown property/);
    assert.match(
      (await checked({ ...inputs(), url: undefined })).join(),
      /namespace: found nothing; expected the namespace/,
    );
    assert.match((await checked({ ...inputs(), gives: "disks" })).join(), /gives: found "disks"; expected clickhouse/);
  });
});
