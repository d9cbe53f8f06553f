import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { projectFiles } from "../../../foundation/schema/files";
import { EKS } from "../cluster/config.test";
import { decode } from "./fixtures";

const POOL = { instanceTypes: ["m7i.xlarge"], min: 1, max: 3 };
const eu = { type: "kubernetes", spec: { namespace: "runtimes", host: "https://*.e.com", image: "a/b" } };

function warningsOf(hub: object, pool: object = {}, more: object = {}): readonly string[] {
  const nodePools = { general: POOL, notebooks: { ...POOL, taints: ["dedicated=notebooks:NoSchedule"], ...pool } };
  const cluster = { ...EKS, nodePools, ...more };
  const jupyterhub = { auth: { type: "dummy" }, nodePool: "notebooks", ...hub };
  const values = { cluster, provisioners: { eu }, defaultProvisioner: "eu", jupyterhub, ingress: { nginx: {} } };
  return decode(values, { stack: "dev" }).warnings;
}

describe("disks of notebooks and the zones of their nodes", () => {
  it("cause a warning if the autoscaler cannot choose the zone of the next node", () => {
    const [line, ...others] = warningsOf({});
    assert.match(
      line ?? "",
      /^stackyard:jupyterhub\.nodePool: found notebooks, which spans 3 zones; a user's disk is in one .*perZone: true; disks stay/,
    );
    assert.deepEqual(others, []);
    const profiles = { a: { displayName: "A", nodePool: "general" } };
    assert.match(warningsOf({ profiles }, { perZone: true }).join(), /profiles\.a\.nodePool: found general/);
  });

  it("are accepted in a pool with a group for each zone, or with a fixed size", () => {
    assert.deepEqual(warningsOf({}, { perZone: true }), []);
    const existing = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"] };
    assert.equal(warningsOf({}, {}, { network: { existing } }).length, 1);
    assert.deepEqual(warningsOf({}, { min: 3 }), []);
  });

  it("are accepted without storage, or with a storage class that is not the platform's", () => {
    assert.deepEqual(warningsOf({ storage: { type: "none" } }), []);
    assert.deepEqual(warningsOf({ storage: { storageClass: "efs" } }), []);
    assert.equal(warningsOf({ storage: { storageClass: "gp3" } }).length, 1);
  });

  for (const stage of ["prod", "staging"]) {
    it(`cause no warning in the shipped stack file of ${stage}`, () => {
      const root = path.join(__dirname, "../../..");
      const file = path.join(root, `Pulumi.${stage}.yaml`);
      const { config } = load(readFileSync(file, "utf8")) as { config: Record<string, Record<string, object>> };
      const values = Object.fromEntries(
        Object.entries(config).map(([key, value]) => [key.replace("stackyard:", ""), value]),
      );
      const auth = { ...values["jupyterhub"]?.["auth"], clientSecret: "s3cret" };
      const jupyterhub = { ...values["jupyterhub"], auth };
      const raw = { stack: stage, secretKeys: new Set(["jupyterhub"]) };
      const found = decode({ ...values, jupyterhub }, raw, projectFiles(root));
      assert.deepEqual(found.warnings, []);
      assert.equal(found.jupyterhub?.placement.nodeSelector["stackyard.dev/node-pool"], "notebooks");
    });
  }
});
