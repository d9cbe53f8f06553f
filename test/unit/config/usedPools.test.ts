import assert from "node:assert/strict";
import { usedPools } from "../../../components/config/eks/usedPools";

describe("node pools that components use", () => {
  it("are those that stand under nodePool, however deep", () => {
    const config = {
      jupyterhub: { nodePool: "general", profiles: { gpu: { nodePool: "gpu" } } },
      ray: { main: { workers: [{ nodePool: "ray" }, { nodePool: 5 }] } },
      cluster: { nodePools: { unused: {} } },
    };
    assert.deepEqual([...usedPools(config)].sort(), ["general", "gpu", "ray"]);
    assert.equal(usedPools({}).size, 0);
  });
});
