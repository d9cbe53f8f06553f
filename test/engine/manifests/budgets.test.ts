import assert from "node:assert/strict";
import { readBudgets } from "../../../provider/functions/readBudgets";
import { deployment, World } from "./world";
import { testKubeconfig } from "./yard";

describe("the PodDisruptionBudgets of a cluster", function () {
  this.timeout(60_000);
  let world: World;
  before(async () => (world = await new World(await testKubeconfig()).open()));
  after(() => world.close());

  it("are listed if they block evictions from a node", async () => {
    const { namespace } = world;
    const ask = () =>
      readBudgets(
        { signal: new AbortController().signal, log: assert.fail, backend: "test" },
        { kubeconfig: world.kubeconfig },
      );
    const mine = async (): Promise<string[]> =>
      (await ask()).blocking.filter((each) => each.startsWith(`${namespace}/`));
    const own = deployment();
    await world.client.apply({ ...own, metadata: { ...own.metadata, namespace } });
    const spec = { minAvailable: 1, selector: own.spec.selector };
    const budget = {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "acme", namespace },
      spec,
    };
    await world.client.apply(budget);
    while ((await mine()).length === 0) await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual(await mine(), [`${namespace}/acme (1 of 1 pods have to stay)`]);
    await world.client.apply({ ...budget, spec: { ...spec, minAvailable: 0 } });
    while ((await mine()).length > 0) await new Promise((resolve) => setTimeout(resolve, 200));
  });

  it("are unknown if the cluster does not answer", async () => {
    const away = world.kubeconfig.replace(/https:\/\/127\.0\.0\.1:\d+/, "https://127.0.0.1:1");
    const { blocking, trouble } = await readBudgets(
      { signal: new AbortController().signal, log: assert.fail, backend: "test" },
      { kubeconfig: away },
    );
    assert.deepEqual(blocking, []);
    assert.match(trouble ?? "", /127\.0\.0\.1:1/);
  });
});
