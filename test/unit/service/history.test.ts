import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { historyOf } from "../../../cli/runtime/import/text";
import type { OriginalOperation } from "../../../engine/importing/provisioner";
import { operationType } from "../../../service/kinds/kinds";
import { checkHistory, type PastOperation } from "../../../service/orphans/history";

const DAY = new Date("2023-05-01T10:00:00Z");

const past = (more: Partial<PastOperation> = {}): PastOperation => ({
  id: randomUUID(),
  operation: "UpgradeShoot",
  succeeded: true,
  message: "done",
  startedAt: DAY,
  endedAt: DAY,
  ...more,
});

const original = (more: Partial<OriginalOperation> = {}): OriginalOperation => ({
  id: randomUUID(),
  type: "UPGRADE_SHOOT",
  state: "SUCCEEDED",
  stage: "Finished",
  message: null,
  start_timestamp: "2023-05-01T10:00:00.25",
  end_timestamp: null,
  ...more,
});
const historyWith = (...operations: OriginalOperation[]) =>
  historyOf({ id: randomUUID(), tenant: "red", shoot: "one", project: "dev", operations });

describe("the history of an adopted runtime", () => {
  it("is refused with the paths of what is wrong, all at once", () => {
    checkHistory([past(), past({ operation: "Provision", succeeded: false })]);
    const wrong = [past({ id: "4711" }), past({ endedAt: new Date(DAY.getTime() - 1) })];
    assert.throws(() => checkHistory(wrong), /history\[0\]\.id: found "4711".*; history\[1\]\.endedAt: found/);
    assert.throws(() => checkHistory(Array.from({ length: 501 }, () => past())), /found 501 .* at most 500/);
  });

  it("has the original's operations under their names in the API, with times in UTC", () => {
    const types = ["PROVISION", "PROVISION_NO_INSTALL", "UPGRADE", "UPGRADE_SHOOT", "DEPROVISION"];
    const more = ["DEPROVISION_NO_INSTALL", "RECONNECT_RUNTIME", "HIBERNATE"];
    const names = [...types, ...more].map((type) => historyWith(original({ type }))[0]?.operation);
    const known = new Set<string>([
      ...["Provision", "ProvisionNoInstall", "Upgrade", "UpgradeShoot", "Deprovision", "DeprovisionNoInstall"],
      ...["ReconnectRuntime", "Hibernate"],
    ]);
    assert.deepEqual(new Set(names), known);
    assert.ok(known.has(operationType({ kind: "refresh", change: { deployment: {} } }, false)));
    const [one] = historyWith(original());
    assert.deepEqual([one?.startedAt, one?.endedAt], ["2023-05-01T10:00:00.250Z", "2023-05-01T10:00:00.250Z"]);
  });

  it("has errors only where the original reported them, and the newest operations of very many", () => {
    const [without, empty, failed] = historyWith(
      original(),
      original({ err_message: "", reason: "", component: "" }),
      original({ state: "FAILED", err_message: "no", reason: null, component: "gardener" }),
    );
    assert.deepEqual([without?.lastError, empty?.lastError], [null, null]);
    assert.deepEqual(failed?.lastError, { errMessage: "no", reason: "", component: "gardener" });
    const many = Array.from({ length: 600 }, (_, n) => original({ message: String(n) }));
    const sent = historyWith(...many);
    assert.deepEqual([sent.length, sent.at(-1)?.message], [500, "599"]);
  });
});
