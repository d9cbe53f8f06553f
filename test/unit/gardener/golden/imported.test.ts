import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GardenerProvisioner } from "../../../../components/runtime/types/gardener/spec";
import { shootOfPlan } from "../../../../components/runtime/types/gardener/create";
import { planGardener } from "../../../../components/runtime/types/gardener/plan";
import { clusterRequestOf } from "../../../../engine/adoption/gardener/seen";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { changeOnly, differencesOf } from "../../../../kubernetes/gardener/imported";
import { REQUESTS } from "./requests";

const SPEC: GardenerProvisioner = {
  ...{ type: "gardener", cluster: "https://gardener.example.com", project: "rill", namespace: "garden-rill" },
  ...{ secretBindings: {}, cloudProfiles: {}, defaults: {}, maintenanceWindows: {}, auditLogs: {}, timeouts: {} },
  allowForceDeletion: false,
};

const shootFor = (name: string, live: KubeObject): KubeObject => {
  const deployment = {
    ...{ id: "acme", slots: 1, version: "", environment: "prod", annotations: {}, state: "running" as const },
    cluster: { ...clusterRequestOf(live), name: live.metadata.name },
  };
  const size = { cpu: 0, memoryGb: 0, storageBytes: 0 };
  const spec = name === "gcp" ? { ...SPEC, auditLogs: { policyConfigMap: "audit-policy" } } : SPEC;
  return shootOfPlan(planGardener({ provisioner: "garden", deployment, ...size }, spec)) as KubeObject;
};

describe("an imported Shoot of the original", () => {
  for (const name of Object.keys(REQUESTS)) {
    const path = join(__dirname, "../../../fixtures/shoots", `${name}.json`);
    const live = JSON.parse(readFileSync(path, "utf8")) as KubeObject;

    it(`equals the Shoot of its request and stays unchanged (${name})`, () => {
      const wanted = shootFor(name, live);
      assert.deepEqual(differencesOf({ spec: live["spec"] }, { spec: wanted["spec"] }), []);
      assert.deepEqual(wanted.metadata.labels, live.metadata.labels);
      assert.deepEqual(changeOnly(wanted, wanted, live)["spec"], live["spec"]);
    });
  }
});
