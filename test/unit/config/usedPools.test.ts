import assert from "node:assert/strict";
import { usedPools } from "../../../components/platform/config/decodeConfig";

describe("the node pools that components use", () => {
  it("include those under nodePool, at any depth", () => {
    const config = {
      jupyterhub: { nodePool: "general", profiles: { gpu: { nodePool: "gpu" } } },
      other: { main: { workers: [{ nodePool: "deep" }, { nodePool: 5 }] } },
      cluster: { nodePools: { unused: {} } },
    };
    assert.deepEqual([...usedPools(config)].sort(), ["deep", "general", "gpu"]);
    assert.equal(usedPools({}).size, 0);
  });

  it("include those with the taint that Ray's pods tolerate, if the Ray cluster is enabled", () => {
    const tainted = (value: string) => ({ taints: [{ key: "dedicated", value, effect: "NoSchedule" }] });
    const cluster = { nodePools: { a: tainted("ray"), b: tainted("gpu"), c: tainted("cpu"), d: {} } };
    const named = { pool: "cpu", head: { pool: "" }, workerGroups: { gpu: { pool: "gpu" }, more: {} } };
    assert.deepEqual([...usedPools({ cluster, ray: { one: named } })].sort(), ["b", "c"]);
    assert.deepEqual([...usedPools({ cluster, ray: { one: { head: {} } } })], ["a"]);
    assert.equal(usedPools({ cluster, ray: { off: { enabled: false, pool: "cpu" } } }).size, 0);
  });
});
