import assert from "node:assert/strict";
import { objectProblems } from "../../../cli/fleet/check";
import type { Client } from "../../../kubernetes/client/client";
import { set } from "./fixtures";

/** A cluster that says which one it is and has no objects. */
const cluster = (uid: string) =>
  ({
    discovery: { known: {} },
    json: () => Promise.resolve({ metadata: { uid } }),
    get: () => Promise.resolve(undefined),
  }) as unknown as Client;

describe("the check of a runtime whose provisioner uses another cluster", () => {
  const inventory = ["apps/v1/StatefulSet/ns/runtime-acme"];
  const there = set({ outputs: { clusterUid: "uid-1", inventory } });

  it("reports the other cluster, and ignores its objects", async () => {
    assert.deepEqual(await objectProblems(there, cluster("uid-2"), "acme"), [
      { kind: "cluster", text: "it is in cluster uid-1; its provisioner leads to cluster uid-2 now" },
    ]);
  });

  it("checks the objects if the cluster is that of the state, or if the state names none", async () => {
    const missing = [
      { kind: "cluster", text: "StatefulSet ns/runtime-acme: deleted outside of the stack" },
      { kind: "cluster", text: "what differs is restored by: stackyard runtime up acme" },
    ];
    assert.deepEqual(await objectProblems(there, cluster("uid-1"), "acme"), missing);
    assert.deepEqual(await objectProblems(set({ outputs: { inventory } }), cluster("uid-2"), "acme"), missing);
  });
});
