import assert from "node:assert/strict";
import { objectProblems } from "../../../cli/fleet/check";
import { clusterProblems, ledgerProblems, stateProblems } from "../../../cli/fleet/text/problems";
import type { Client } from "../../../kubernetes/client/client";
import type { PoolUsage } from "../../../provider/ledger/usage";
import { set, stack } from "./fixtures";

const allocation = (deployment: string, slots: number) =>
  set({
    type: "stackyard:index:SlotAllocation",
    inputs: { pool: "dev/a", deployment, slots },
    outputs: { host: "http://h" },
  });
const pools = (...deployments: { deployment: string; slots: number }[]): PoolUsage[] => [
  { pool: "dev/a", hosts: [{ host: "http://h", slots: 10, used: 0, free: 10, drain: false, deployments }] },
];
const acme = stack("acme", { resources: [allocation("acme", 2)] });

describe("the problems of a runtime", () => {
  it("include those in its state", () => {
    assert.deepEqual(stateProblems({ id: "acme", state: "running", outdated: false }), []);
    assert.deepEqual(
      stateProblems({ id: "acme", state: "failed", reason: "no such image", outdated: true }).map(({ kind }) => kind),
      ["state", "outdated"],
    );
  });

  it("include slots that differ from the ledger", () => {
    assert.deepEqual(ledgerProblems(acme, pools({ deployment: "acme", slots: 2 })), []);
    assert.deepEqual(ledgerProblems(acme, pools({ deployment: "acme", slots: 3 })), [
      {
        kind: "ledger",
        text: "the state has 2 slots on http://h of pool dev/a; the ledger has 3 slots on http://h",
      },
    ]);
    assert.match(ledgerProblems(acme, pools())[0]?.text ?? "", /; the ledger has none$/);
    assert.deepEqual(ledgerProblems(stack("x"), pools()), []);
  });

  it("include objects that are missing or not ready, with the reason", () => {
    assert.deepEqual(
      clusterProblems(
        [
          { object: "Service ns/a", state: "ready", detail: "", lines: [], disks: [], findings: [] },
          {
            object: "StatefulSet ns/a",
            state: "waiting",
            detail: "0 of 1 pods ready",
            lines: ["pod a-0: no such image"],
            disks: [],
            findings: [],
          },
          {
            object: "Ingress ns/a",
            state: "missing",
            detail: "deleted outside of the stack",
            lines: [],
            disks: [],
            findings: [],
          },
        ],
        "a",
      ).map(({ text }) => text),
      ["StatefulSet ns/a: 0 of 1 pods ready\npod a-0: no such image", "Ingress ns/a: deleted outside of the stack"],
    );
  });

  it("include the disk that was deleted with its StatefulSet, without a command that would fail", async () => {
    const client = { get: () => Promise.resolve(undefined), list: () => Promise.resolve([]) } as unknown as Client;
    const object = {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "a" },
      spec: { volumeClaimTemplates: [{ metadata: { name: "data" } }] },
    };
    const inventory = ["apps/v1/StatefulSet/ns/a"];
    const outputs = { namespace: "ns", objects: [object], inventory, claims: { "ns/data-a-0": "uid-1" } };
    const [found, ...others] = await objectProblems(set({ outputs }), client, "a");
    assert.match(
      found?.text ?? "",
      /^StatefulSet ns\/a: deleted.*\nPersistentVolumeClaim ns\/data-a-0 was deleted with its data/,
    );
    assert.deepEqual(others, []);
  });
});
