import assert from "node:assert/strict";
import { readDeployments } from "../../../provider/resources/provisionerRegistration/ask";
import type { InCluster } from "../../../provider/resources/provisionerRegistration/registered";
import { registration } from "../../../provider/resources/provisionerRegistration/registration";
import { configMap, deployment, statefulSet, World } from "./world";
import { testKubeconfig } from "./yard";

const PLATFORM = "organization/stackyard/test";

describe("a registered Kubernetes provisioner", () => {
  let world: World;
  let elsewhere: World;
  before(async () => {
    world = await new World(await testKubeconfig()).open();
    elsewhere = await new World(await testKubeconfig()).open();
    await runtime("a", statefulSet({ name: "runtime-a", replicas: 0 }), "eu");
    await runtime("b", deployment({ name: "runtime-b", replicas: 0 }), "eu");
    await runtime("c", statefulSet({ name: "runtime-c", replicas: 0 }), "other");
    await runtime("d", statefulSet({ name: "runtime-d", replicas: 0 }));
    await world.set({ name: "tools" }).up([configMap("tools"), deployment({ name: "tools", replicas: 0 })]);
    // One that stayed where it was when its provisioner moved.
    await runtime("e", statefulSet({ name: "runtime-e", replicas: 0 }), "eu", elsewhere);
  });
  after(() => Promise.all([world.close(), elsewhere.close()]));

  const runtime = (id: string, object: { metadata: object }, provisioner?: string, at = world) => {
    const origin = { deployment: `the-${id}`, platform: PLATFORM, provisioner: provisioner ?? "" };
    const entries = Object.entries(origin).map(([key, value]) => [`stackyard.dev/${key}`, value]);
    const annotations = provisioner === undefined ? {} : (Object.fromEntries(entries) as object);
    return at.set({ name: `runtime-${id}` }).up([{ ...object, metadata: { ...object.metadata, annotations } }]);
  };
  const inputs = (more: Partial<InCluster> = {}): InCluster => ({
    kubeconfig: world.kubeconfig,
    platform: PLATFORM,
    provisioner: "eu",
    namespace: world.namespace,
    alone: false,
    ...more,
  });
  const old = (more: Partial<InCluster> = {}) => ({ inputs: inputs(more), state: inputs(more) });
  const remove = (more: Partial<InCluster> = {}) => registration.delete(world.context(), "id", old(more));
  const signal = new AbortController().signal;

  it("is not removed while it has deployments, including hibernated and moved ones", async () => {
    await assert.rejects(
      remove(),
      /eu cannot be removed while it has 3 deployments: the-a, the-b, the-e\. .*config set --path 'stackyard:allowRemoval\[0\]' eu/,
    );
    await remove({ provisioner: "unused" });
    await remove({ platform: "organization/stackyard/other" });
  });

  it("counts runtimes without a provisioner label as its own if there is no other provisioner", async () => {
    await assert.rejects(remove({ provisioner: "unused", alone: true }), /it has 1 deployment: d\./);
    assert.deepEqual(
      await readDeployments(
        { signal, log: assert.fail, backend: "test" },
        inputs({ alone: true, provisioner: "other" }),
      ),
      {
        inUse: "2 deployments: d, the-c",
      },
    );
    assert.deepEqual(
      await readDeployments({ signal, log: assert.fail, backend: "test" }, inputs({ provisioner: "unused" })),
      {},
    );
  });

  it("is removed when the stack's config allows it by name", async () => {
    const { PULUMI_CONFIG: before } = process.env;
    process.env["PULUMI_CONFIG"] = JSON.stringify({ allowRemoval: '["eu"]' });
    try {
      await remove();
      await assert.rejects(remove({ provisioner: "other" }), /allowRemoval\[1\]' other/);
    } finally {
      if (before === undefined) delete process.env["PULUMI_CONFIG"];
      else process.env["PULUMI_CONFIG"] = before;
    }
  });

  it("reports an unreachable cluster to a program", async () => {
    const away = world.kubeconfig.replace(/https:\/\/127\.0\.0\.1:\d+/, "https://127.0.0.1:1");
    const { trouble } = await readDeployments(
      { signal, log: assert.fail, backend: "test" },
      inputs({ kubeconfig: away }),
    );
    assert.match(trouble ?? "", /127\.0\.0\.1:1/);
  });

  it("warns that runtimes stay when its namespace changes, but not when only its address changes", async () => {
    const context = world.context({ preview: true });
    const byName = world.kubeconfig.replace("https://127.0.0.1:", "https://localhost:");
    await registration.update(context, "id", old(), inputs({ kubeconfig: byName }));
    assert.equal(world.said("warning"), "");
    await registration.update(context, "id", old(), inputs({ namespace: "another" }));
    assert.match(world.said("warning"), /eu gets another place, .*stay where they are.*3 deployments: the-a, the-b/);
  });
});
