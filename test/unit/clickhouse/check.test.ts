import assert from "node:assert/strict";
import { databaseProblems } from "../../../cli/fleet/check";
import { CLICKHOUSE_DATABASE } from "../../../components/resources/tokens";
import { ClickHouseDouble } from "../../doubles/clickhouse";
import { set, stack } from "../fleet/fixtures";
import { PLATFORM } from "../runtime/platform";

describe("the check of a deployment's database", () => {
  let double: ClickHouseDouble;
  beforeEach(async () => {
    double = await new ClickHouseDouble().start();
    double.databases.set("rill_a", { comment: '{"stackyard":"one","of":"x"}', tables: new Set() });
    double.users.set("rill_a", { hash: "", rights: new Set() });
  });
  afterEach(() => double.stop());

  const problems = async (more: object = {}, provisioner = "main"): Promise<string[]> => {
    const inputs = { url: "[secret]", provisioner, database: "rill_a", user: "rill_a", instance: "one", access: true };
    const resources = [set({ type: CLICKHOUSE_DATABASE, inputs: { ...inputs, ...more } })];
    const spec = { url: double.url(), prefix: "rill_", sources: [], passwordVersion: 1, default: false };
    const main = { ...spec, type: "static" as const, databaseWhenDeleted: "Delete" as const };
    const platform = { ...PLATFORM, clickhouse: { main } };
    const found = await databaseProblems(stack("a", { resources }), platform, AbortSignal.timeout(5000));
    return found.map(({ kind, text }) => `${kind}: ${text}`);
  };

  it("finds nothing if the server matches the state", async () => {
    assert.deepEqual(await problems(), []);
  });

  it("finds a missing user or database, and a database of another stack", async () => {
    double.users.delete("rill_a");
    assert.deepEqual(await problems(), [
      "clickhouse: the user rill_a is missing; it comes back with: stackyard runtime up a --refresh",
    ]);
    assert.deepEqual(await problems({ access: false }), []);
    assert.match((await problems({ instance: "two" })).join(), /rill_a does not say that it is of this stack/);
    double.databases.delete("rill_a");
    assert.match((await problems()).join(), /clickhouse: the state has database rill_a; the server has none/);
  });

  it("reports unknown results", async () => {
    assert.match(
      (await problems({}, "gone")).join(),
      /unknown: clickhouse provisioner "gone" is not in the platform's set/,
    );
    double.away = 9;
    assert.match((await problems()).join(), /unknown: the ClickHouse server did not answer: .*HTTP 503/);
  });
});
