import assert from "node:assert/strict";
import { planRuntime } from "../../../components/runtime/plan";
import { runtimeSize } from "../../../components/runtime/size";
import { DEPLOYMENT, EU, PLATFORM } from "./platform";

const GIB = 2 ** 30;

describe("the size of a runtime", () => {
  it("is the number of slots times the size of a slot, as in the original", () => {
    const slot = { cpu: 1, memoryGb: 4, diskGb: 40 };
    assert.deepEqual(runtimeSize({ slots: 1 }, slot), { cpu: 1, memoryGb: 4, storageBytes: 42949672960 });
    assert.deepEqual(runtimeSize({ slots: 6 }, slot), { cpu: 6, memoryGb: 24, storageBytes: 240 * GIB });
  });

  it("includes the deployment's own disk size, smaller or larger", () => {
    const slot = { cpu: 1, memoryGb: 4, diskGb: 40 };
    assert.equal(runtimeSize({ slots: 2, diskGb: 500 }, slot).storageBytes, 500 * GIB);
    assert.equal(runtimeSize({ slots: 2, diskGb: 1.5 }, slot).storageBytes, 1.5 * GIB);
  });

  it("has no rounding errors, and whole bytes", () => {
    const size = runtimeSize({ slots: 3 }, { cpu: 0.1, memoryGb: 0.7, diskGb: 0.1 });
    assert.deepEqual(size, { cpu: 0.3, memoryGb: 2.1, storageBytes: 322122547 });
  });
});

describe("the plan of a runtime", () => {
  it("replaces every * in host and audience with the provision id", () => {
    const platform = {
      ...PLATFORM,
      provisioners: { eu: { ...EU, host: "https://*.x.example.com", audienceUrl: "https://a.example.com/*/*" } },
    };
    const plan = planRuntime(platform, { ...DEPLOYMENT, id: "Acme" }, "eu");
    assert.equal(plan.type, "kubernetes");
    const id = plan.provisionId;
    assert.match(id, /^acme-[0-9a-f]{16}$/);
    assert.equal(plan.host, `https://${id}.x.example.com`);
    assert.equal(plan.audienceUrl, `https://a.example.com/${id}/${id}`);
  });

  it("uses the host as the audience if none is given", () => {
    const plan = planRuntime(PLATFORM, DEPLOYMENT, "eu");
    assert.equal(plan.type === "kubernetes" && plan.audienceUrl, "https://node-acme.eu.example.com");
  });

  it("is rejected for a cluster unless the provisioner has type gardener", () => {
    assert.throws(
      () => planRuntime(PLATFORM, { ...DEPLOYMENT, cluster: {} }, "eu"),
      /asks for a cluster; found provisioner "eu" of type kubernetes; expected one of type gardener/,
    );
  });

  it("is rejected for a kept disk unless the provisioner has type kubernetes", () => {
    assert.throws(
      () => planRuntime(PLATFORM, DEPLOYMENT, "shared", "runtimes/data-acme-0"),
      /asks for the kept disk runtimes\/data-acme-0; found provisioner "shared" of type static; expected one of type kubernetes/,
    );
    assert.doesNotThrow(() => planRuntime(PLATFORM, DEPLOYMENT, "eu", "runtimes/data-acme-0"));
  });

  it("names resources by place, equally for provisioners at the same place", () => {
    const name = (provisioner: string) => planRuntime(PLATFORM, DEPLOYMENT, provisioner).name;
    assert.equal(name("eu"), name("eu-next"));
    assert.notEqual(name("eu"), name("us"));
    assert.notEqual(name("eu"), name("shared"));
  });

  it("contains pool and size for a static provisioner", () => {
    const plan = planRuntime(PLATFORM, { ...DEPLOYMENT, slots: 2 }, "shared");
    assert.deepEqual(plan, {
      type: "static",
      name: plan.name,
      pool: "dev/shared",
      provisioner: "shared",
      revision: "r0",
      deployment: { ...DEPLOYMENT, slots: 2 },
      cpu: 2,
      memoryGb: 8,
      storageBytes: 80 * GIB,
    });
  });
});
