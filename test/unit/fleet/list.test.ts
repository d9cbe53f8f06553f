import assert from "node:assert/strict";
import { headLines } from "../../../cli/runtime/status";
import { matches, type Filter } from "../../../cli/fleet/select";
import type { Summary } from "../../../cli/fleet/summary";
import { fleetTable, attentionLine } from "../../../cli/fleet/text/table";
import { DEV } from "./fixtures";

const now = new Date("2026-01-01T02:00:00Z");
const change = { command: "runtime up", at: "2026-01-01T00:00:00Z" };
const acme: Summary = {
  id: "acme",
  state: "running",
  version: "0.50.0",
  slots: 2,
  environment: "prod",
  platform: DEV,
  provisioner: "spot",
  host: "http://a",
  change,
};
const old: Summary = { id: "old", state: "incomplete", updated: new Date("2026-01-01T01:59:00Z") };
const long: Summary = {
  ...acme,
  id: "customer-with-a-very-long-name.production",
  outdated: true,
  version: "0.50.0-rc1.20260101.9c3f2d1",
  environment: "production-eu-west-1",
  provisioner: "kubernetes-spot-eu-west-1",
  platform: "organization/other/production",
};

describe("list of runtimes", () => {
  it("shows the request, the provisioner and the last change of each runtime", () => {
    assert.equal(
      fleetTable([acme, old], { now }),
      [
        "ID    STATE       VERSION  SLOTS  ENV   PROVISIONER  PLATFORM  CHANGED",
        "acme  running     0.50.0       2  prod  spot         dev       2 h",
        "old   incomplete  -            -  -     -            -         1 min",
      ].join("\n"),
    );
  });

  it("fits a terminal of 80 columns, and is not cut elsewhere", () => {
    const lines = fleetTable([acme, long], { columns: 80, now }).split("\n");
    for (const line of lines) assert.ok(line.length <= 80, `${line.length}: ${line}`);
    assert.match(lines[2] ?? "", /^customer.*… {2}running, outdated {2}0\.50.*… .* 2 h$/);
    assert.match(lines[1] ?? "", /^acme .* running .* prod/);
    assert.ok(fleetTable([acme, long], { now }).includes(long.version ?? ""));
  });

  it("has host, reason and command in the wide format", () => {
    const failed: Summary = { ...long, state: "failed", reason: "pod acme-0: no such image\nmore" };
    const [title, line] = fleetTable([failed], { now, columns: 80, wide: true }).split("\n");
    assert.match(title ?? "", /BY +HOST +REASON$/);
    assert.match(
      line ?? "",
      /customer-with-a-very-long-name\.production .* runtime up +http:\/\/a +pod acme-0: no such image more$/,
    );
  });

  it("ends with the runtimes that need attention, and the commands to run", () => {
    assert.equal(attentionLine([acme]), undefined);
    assert.match(
      attentionLine([acme, old, { ...acme, state: "failed" }, long]) ?? "",
      /^1 failed, 1 not finished, 1 outdated; "stackyard runtime status ID" .*, "stackyard runtime up --outdated" /,
    );
  });
});

describe("the head of a runtime's status", () => {
  it("shows the state, the reason and the request", () => {
    const failed = { ...acme, state: "failed" as const, reason: "no such image\nWhat was made stays" };
    assert.deepEqual(headLines(failed, now), [
      "acme has failed",
      "  no such image",
      "  What was made stays",
      "  version      0.50.0",
      "  slots        2",
      "  environment  prod",
      `  platform     ${DEV}`,
      "  changed      2 h ago by runtime up (2026-01-01T00:00:00Z)",
    ]);
    assert.deepEqual(headLines(old, now), ["old is incomplete"]);
    assert.match(headLines(long, now).join("\n"), /is running, outdated\n[\s\S]*update it with: stackyard runtime up/);
  });
});

describe("the filters of a list", () => {
  const chosen = (filter: Filter): string[] =>
    [acme, old, long, { ...acme, id: "bad", state: "failed" as const }]
      .filter((summary) => matches(summary, filter))
      .map(({ id }) => id);

  it("select runtimes by all their conditions together", () => {
    assert.deepEqual(chosen({}), ["acme", "old", long.id, "bad"]);
    assert.deepEqual(chosen({ provisioner: "spot" }), ["acme", "bad"]);
    assert.deepEqual(chosen({ platform: "dev", state: "running" }), ["acme"]);
    assert.deepEqual(chosen({ platform: "other/production" }), [long.id]);
    assert.deepEqual(chosen({ environment: "production-eu-west-1" }), [long.id]);
    assert.deepEqual(chosen({ outdated: true }), [long.id]);
    assert.deepEqual(chosen({ failed: true }), ["bad"]);
    assert.deepEqual(chosen({ failed: true, provisioner: "other" }), []);
  });
});
