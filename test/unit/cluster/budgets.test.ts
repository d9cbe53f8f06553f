import assert from "node:assert/strict";
import { upgradedPools, warnOfBudgets } from "../../../components/cluster/eks/budgets";
import type { EksConfig } from "../../../components/cluster/eks/eksConfig";
import { blockingOf } from "../../../provider/functions/readBudgets";
import { mock } from "../runtime/mocks";

const group = (pool: string, version: string) => ({
  type: "aws:eks/nodeGroup:NodeGroup",
  outputs: { labels: { "stackyard.dev/node-pool": pool }, version },
});
const cluster = {
  type: "aws:eks/cluster:Cluster",
  outputs: { name: "acme", endpoint: "https://acme.example.com", certificateAuthority: { data: "Q0E=" } },
};
const state = { c: cluster, a: group("general", "1.35"), b: group("general", "1.35"), d: group("ray", "1.35") };
const config = (version: string, pools: Record<string, object> = { general: {}, ray: {}, fresh: {} }): EksConfig =>
  ({ region: "eu-central-1", version, nodePools: pools }) as unknown as EksConfig;

describe("PodDisruptionBudgets in the way of an upgrade", () => {
  const budget = (name: string, status: object) => ({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace: "shop" },
    status,
  });

  it("are those that have pods and allow no eviction", () => {
    assert.deepEqual(
      blockingOf([
        budget("web", { expectedPods: 1, desiredHealthy: 1, disruptionsAllowed: 0 }),
        budget("db", { expectedPods: 3, desiredHealthy: 3, disruptionsAllowed: 0 }),
        budget("fine", { expectedPods: 3, desiredHealthy: 2, disruptionsAllowed: 1 }),
        budget("empty", { expectedPods: 0, desiredHealthy: 0, disruptionsAllowed: 0 }),
        budget("new", {}),
      ]),
      ["shop/db (3 of 3 pods have to stay)", "shop/web (1 of 1 pods have to stay)"],
    );
  });

  it("matter to pools that get another minor and are not forced to", () => {
    assert.deepEqual(upgradedPools(config("1.36"), state), ["general", "ray"]);
    assert.deepEqual(upgradedPools(config("1.35"), state), []);
    assert.deepEqual(
      upgradedPools(config("1.36", { general: { version: "1.35" }, ray: { forceUpdate: true } }), state),
      [],
    );
    assert.deepEqual(upgradedPools(config("1.36"), {}), []);
  });

  for (const [what, answer, expected] of [
    [
      "are named in a warning",
      { blocking: ["shop/db (1 of 1 pods have to stay)"] },
      /nodePools\.general, nodePools\.ray drains nodes.*allow no eviction now:[^]*- shop\/db[^]*forceUpdate: true/,
    ],
    [
      "that are not known are a warning, too",
      { blocking: [], trouble: "it does not answer" },
      /is not known: it does not answer/,
    ],
    ["are not mentioned where there are none", { blocking: [] }, /^$/],
  ] as const) {
    it(what, async () => {
      const asked: Record<string, unknown>[] = [];
      mock(
        () => ({}),
        ({ token, inputs }) => {
          assert.equal(token, "stackyard:index:readBudgets");
          asked.push(inputs);
          return answer;
        },
      );
      const said: string[] = [];
      const { warn } = console;
      console.warn = (text: string) => said.push(text);
      try {
        await warnOfBudgets(config("1.36"), state);
      } finally {
        console.warn = warn;
      }
      assert.match(said.join("\n"), expected);
      assert.match(JSON.stringify(asked), /acme\.example\.com/);
    });
  }

  it("are not asked for where no pool is upgraded", async () => {
    mock(
      () => ({}),
      () => assert.fail("asked"),
    );
    await warnOfBudgets(config("1.35"), state);
    await warnOfBudgets(config("1.36"), { a: group("general", "1.35") });
  });
});
