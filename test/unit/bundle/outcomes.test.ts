import assert from "node:assert/strict";
import { blockedBy, reportOutcomes, type Instance } from "../../../components/bundle/outcomes";

describe("the table of instances", () => {
  const since = 1000;
  const run = { since, preview: false };
  const one = (name: string, outcome: Instance["outcome"]): Instance => ({
    name,
    bundle: "shop",
    version: "1.4.0",
    outcome,
  });
  const all = [
    one("db", { failure: "Deployment shop/db: ImagePullBackOff\nand a second line" }),
    one("storefront", { failure: "skipped, because db failed", because: ["db"] }),
    one("mail", { settledAt: 2000 }),
    one("old", { settledAt: 500 }),
    one("older", undefined),
  ];

  it("shows the outcome of each instance with the first line of its reason", () => {
    assert.equal(
      reportOutcomes(all, run).text,
      [
        "instances of bundles: 1 failed, 1 skipped, 1 applied, 2 unchanged",
        "  db          shop 1.4.0  failed: Deployment shop/db: ImagePullBackOff",
        "  storefront  shop 1.4.0  skipped, because db failed",
        "  mail        shop 1.4.0  applied",
        "  old         shop 1.4.0  unchanged",
        "  older       shop 1.4.0  unchanged",
      ].join("\n"),
    );
  });

  it("has failed if an instance failed or was skipped, and has no news if nothing changed", () => {
    assert.deepEqual(
      [all, all.slice(1), all.slice(2), all.slice(3)]
        .map((some) => reportOutcomes(some, run))
        .map((outcome) => [outcome.hasFailed, outcome.isNews]),
      [
        [true, true],
        [true, true],
        [false, true],
        [false, false],
      ],
    );
  });

  it("shows planned outcomes in a preview", () => {
    assert.match(reportOutcomes(all, { since, preview: true }).text, /mail +shop 1\.4\.0 {2}to be applied$/m);
  });

  it("names the failed instance that caused a skip", () => {
    assert.deepEqual(blockedBy("web", undefined), []);
    assert.deepEqual(blockedBy("web", { settledAt: 1 }), []);
    assert.deepEqual(blockedBy("db", { failure: "no" }), ["db"]);
    assert.deepEqual(blockedBy("web", { failure: "skipped", because: ["db"] }), ["db"]);
  });
});
