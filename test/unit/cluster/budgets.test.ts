import assert from "node:assert/strict";
import { upgradedPools, warnOfBudgets, driftingPools } from "../../../components/eks/budgets";
import { AUTO_CLASS } from "../../../components/eks/autoMode/autoMode";
import { resolveEks } from "../../../components/eks/config/resolve";
import { eksCluster } from "../../../components/eks/config/schema";
import { NO_LOCK } from "../../../components/cluster/onEks/eksLock";
import { EC2_CLASS, ec2ClassManifest, nodePoolManifests } from "../../../components/cluster/onEks/nodePoolManifests";
import { claimedPools } from "../../../components/cluster/nodePool/pools";
import type { EksConfig } from "../../../components/cluster/onEks/eksConfig";
import { blockingOf, undisturbedOf } from "../../../provider/functions/readBudgets";
import { EKS } from "./config.test";
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
  ({ region: "eu-central-1", version, nodes: "managed", nodePools: pools }) as unknown as EksConfig;

/** What it warns of. */
async function warned(...args: Parameters<typeof warnOfBudgets>): Promise<string> {
  const said: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => said.push(text);
  try {
    await warnOfBudgets(...args);
  } finally {
    console.warn = warn;
  }
  return said.join("\n");
}

describe("PodDisruptionBudgets that block an upgrade", () => {
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

  it("matter for pools that get another minor without force", () => {
    assert.deepEqual(upgradedPools(config("1.36"), state), ["general", "ray"]);
    assert.deepEqual(upgradedPools(config("1.35"), state), []);
    assert.deepEqual(
      upgradedPools(config("1.36", { general: { version: "1.35" }, ray: { forceUpdate: true } }), state),
      [],
    );
    assert.deepEqual(upgradedPools(config("1.36"), {}), []);
  });

  describe("with Karpenter and EKS Auto Mode", () => {
    const pool = { ...{ instanceTypes: ["m7i.xlarge"], max: 3 }, labels: {} };
    const eks = (more: object = {}, pools: object = { general: pool, ray: pool }): EksConfig =>
      resolveEks(eksCluster.parse({ ...EKS, nodes: "karpenter", nodePools: pools, ...more }), NO_LOCK);
    const ran = (config: EksConfig, releases: Record<string, string> = {}) => {
      const source = { roleName: "r", subnetIds: [], securityGroupId: "sg", images: releases };
      const objects = [
        ...Object.entries(claimedPools(config)).map(([name, each]) =>
          ec2ClassManifest(name, each, source, { tags: {}, minor: "1.35" }),
        ),
        ...nodePoolManifests(config, config.nodes === "auto" ? AUTO_CLASS : EC2_CLASS),
      ];
      const version = { ...cluster, outputs: { ...cluster.outputs, version: config.version } };
      return { c: version, set: { type: "stackyard:index:ManifestSet", outputs: { name: "node-pools", objects } } };
    };

    it("matter for pools whose nodes drift to another minor, image or label", () => {
      const before = ran(eks());
      assert.deepEqual(driftingPools(eks(), before), []);
      assert.deepEqual(driftingPools(eks({ version: "1.36" }), before), ["general", "ray"]);
      assert.deepEqual(driftingPools(eks(), before, { ray: "1.35.2-20260715" }), ["ray"]);
      const labelled = { general: { ...pool, labels: { team: "data" } }, ray: { ...pool, max: 9 } };
      assert.deepEqual(driftingPools(eks({}, labelled), before), ["general"]);
      const forced = { general: { ...pool, forceUpdate: true }, ray: pool, fresh: pool };
      assert.deepEqual(driftingPools(eks({ version: "1.36" }, forced), before), ["ray"]);
      assert.deepEqual(driftingPools(eks({ version: "1.36" }), { c: cluster }), []);
      const auto = eks({ nodes: "auto" });
      assert.deepEqual(driftingPools(eks({ nodes: "auto", version: "1.36" }), ran(auto)), ["general", "ray"]);
      assert.deepEqual(driftingPools(auto, ran(auto)), []);
    });

    it("are listed with the behaviour of Karpenter", async () => {
      mock(
        () => ({}),
        () => ({ blocking: ["shop/db (1 of 1 pods have to stay)"], undisturbed: [] }),
      );
      const said = await warned(eks({ version: "1.36" }), ran(eks()));
      assert.match(
        said,
        /nodePools\.general, nodePools\.ray drains nodes[^]*- shop\/db[^]*Karpenter leaves nodes with such pods/,
      );
      assert.doesNotMatch(said, /PodEvictionFailure/);
    });

    it("are listed with pods that Karpenter does not disrupt, but not for node groups", async () => {
      const recorder = mock(
        () => ({}),
        () => ({ blocking: [], undisturbed: ["lab/train-1"] }),
      );
      const said = await warned(eks({ version: "1.36" }), ran(eks()));
      assert.match(
        said,
        /drains nodes\.\nThese pods have the annotation karpenter\.sh\/do-not-disrupt:\n {2}- lab\/train-1/,
      );
      assert.match(said, /remove the annotation, or set forceUpdate: true/);
      assert.equal(await warned(config("1.36"), state), "");
      assert.deepEqual(
        recorder.calls.map(({ inputs }) => inputs["pods"]),
        [true, undefined],
      );
    });

    it("are listed with the pods that have the annotation, and no others", () => {
      const pod = (name: string, value?: string) => ({
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
          ...{ name, namespace: "lab" },
          ...(value !== undefined && { annotations: { "karpenter.sh/do-not-disrupt": value } }),
        },
      });
      assert.deepEqual(undisturbedOf([pod("b", "true"), pod("a", "true"), pod("c", "false"), pod("d")]), [
        "lab/a",
        "lab/b",
      ]);
    });
  });

  for (const [what, answer, expected] of [
    [
      "are named in a warning",
      { blocking: ["shop/db (1 of 1 pods have to stay)"] },
      /nodePools\.general, nodePools\.ray drains nodes.*allow no eviction now:[^]*- shop\/db[^]*forceUpdate: true/,
    ],
    [
      "are replaced by a warning if they are unknown",
      { blocking: [], trouble: "it does not answer" },
      /is not known: it does not answer/,
    ],
    ["are omitted if there are none", { blocking: [] }, /^$/],
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
      assert.match(await warned(config("1.36"), state), expected);
      assert.match(JSON.stringify(asked), /acme\.example\.com/);
    });
  }

  it("are not read if no pool is upgraded", async () => {
    mock(
      () => ({}),
      () => assert.fail("asked"),
    );
    await warnOfBudgets(config("1.35"), state);
    await warnOfBudgets(config("1.36"), { a: group("general", "1.35") });
  });
});
