import assert from "node:assert/strict";
import { jupyterhubFaults } from "../../../components/jupyterhub/config/checks";
import { resolveJupyterHub, type ReferencedConfig } from "../../../components/jupyterhub/config/resolve";
import { jupyterhubSchema } from "../../../components/jupyterhub/settings";
import { platformSchema } from "../../../components/platform/config/schema";
import { renderPath } from "../../../foundation/schema/faults";
import { decode, GOOD, linesOf } from "../config/fixtures";
import { AUTH0, HUB } from "./samples";

const NAMED: ReferencedConfig = {
  nodePools: {
    general: { taints: [] },
    gpu: {
      taints: [
        { key: "dedicated", value: "gpu", effect: "NoSchedule" },
        { key: "flaky", effect: "NoExecute" },
      ],
    },
  },
  dataAccess: {
    lake: { serviceAccounts: { jupyterhub: ["kubespawner"], ray: ["worker"] }, accounts: "make" },
    other: { serviceAccounts: { ray: ["worker"] }, accounts: "none" },
  },
  annotates: true,
};

const inputOf = (changes: object) => jupyterhubSchema.parse({ ...HUB, auth: AUTH0, ...changes });
const settingsOf = (changes: object, named: ReferencedConfig = NAMED) =>
  resolveJupyterHub(inputOf(changes), named, false);

function faultsOf(changes: object, named: ReferencedConfig = NAMED): string[] {
  const root = { jupyterhub: { ...HUB, ...changes } };
  const place = { root, schema: platformSchema, secretKeys: new Set(["jupyterhub"]) };
  return jupyterhubFaults(inputOf(changes), named, place, "staging").map(
    ({ path, message }) => `${renderPath(path)}: ${message}`,
  );
}

describe("the Ray cluster of notebooks", () => {
  const ray = { aaa: { mode: "static" }, lab: { mode: "static" } };
  const hub = (more: object) => ({ ...GOOD, ray, jupyterhub: { auth: { type: "dummy" }, ...more } });
  const linesFor = (more: object): string[] => linesOf(hub(more), { stack: "dev" });

  it("is the cluster that the config names", () => {
    assert.equal(decode(hub({ rayCluster: "lab" }), { stack: "dev" }).jupyterhub?.rayCluster, "lab");
    assert.equal(decode(hub({}), { stack: "dev" }).jupyterhub?.rayCluster, undefined);
  });

  it("is rejected if no such cluster exists", () => {
    assert.match(
      linesFor({ rayCluster: "labs" }).join(),
      /jupyterhub\.rayCluster: found "labs"; expected one of aaa, lab.*did you mean lab/,
    );
  });
});

describe("a config entry that JupyterHub references", () => {
  it("can be a node pool, whose label and taints place notebooks", () => {
    const own = { nodeSelector: { zone: "a" }, tolerations: [{ key: "mine", operator: "Exists" as const }] };
    const { placement, profiles } = settingsOf({
      nodePool: "general",
      profiles: { gpu: { displayName: "GPU", nodePool: "gpu", ...own } },
    });
    assert.deepEqual(placement, { nodeSelector: { "stackyard.dev/node-pool": "general" }, tolerations: [] });
    assert.deepEqual(profiles["gpu"]?.placement, {
      nodeSelector: { "stackyard.dev/node-pool": "gpu", zone: "a" },
      tolerations: [
        { key: "dedicated", operator: "Equal", value: "gpu", effect: "NoSchedule" },
        { key: "flaky", operator: "Exists", effect: "NoExecute" },
        { key: "mine", operator: "Exists" },
      ],
    });
  });

  it("has to be there", () => {
    assert.match(faultsOf({ nodePool: "genral" }).join(), /jupyterhub\.nodePool: .*one of general, gpu/);
    const profiles = { a: { displayName: "A", nodePool: "cpu" } };
    assert.match(faultsOf({ profiles }).join(), /profiles\.a\.nodePool: .*one of general, gpu/);
    assert.match(faultsOf({ dataAccess: "lakes" }).join(), /jupyterhub\.dataAccess: .*one of lake, other/);
    const none = { dataAccess: {}, annotates: false };
    assert.match(faultsOf({ dataAccess: "lake" }, none).join(), /expected nothing, because there are none/);
    assert.match(faultsOf({ nodePool: "general" }, none).join(), /the cluster exists already, and its pools are not/);
  });

  it("can be a data access entry for the service account of notebooks", () => {
    assert.deepEqual(faultsOf({ dataAccess: "lake" }), []);
    assert.match(
      faultsOf({ dataAccess: "other" }).join(),
      /^dataAccess\.other\.serviceAccounts: .*kubespawner in the namespace jupyterhub|stackyard:dataAccess\.other/,
    );
    assert.equal(faultsOf({ dataAccess: "lake", serviceAccount: "mine" }).length, 1);
  });

  it("can match the service account by a pattern, which creates no account", () => {
    const any = { serviceAccounts: { "jupyter*": ["kube?pawner"] }, accounts: "make" };
    const named = { ...NAMED, dataAccess: { any } };
    assert.deepEqual(faultsOf({ dataAccess: "any" }, named), []);
    assert.equal(settingsOf({ dataAccess: "any" }, named).serviceAccountExists, false);
    assert.equal(faultsOf({ dataAccess: "any", namespace: "hub" }, named).length, 1);
  });

  it("annotates the service account only if roles need it, and does not create it twice", () => {
    assert.deepEqual([settingsOf({ dataAccess: "lake" }).roleEntry, settingsOf({}).roleEntry], ["lake", undefined]);
    assert.equal(settingsOf({ dataAccess: "lake" }, { ...NAMED, annotates: false }).roleEntry, undefined);
    assert.equal(settingsOf({ dataAccess: "lake" }).serviceAccountExists, true);
    assert.equal(settingsOf({ dataAccess: "other" }).serviceAccountExists, false);
  });
});

describe("JupyterHub on an EKS cluster", () => {
  const cluster = {
    type: "eks",
    name: "acme",
    region: "eu-central-1",
    version: "1.35",
    access: { creatorIsAdmin: true },
    nodePools: {
      general: { instanceTypes: ["m7i.xlarge"], min: 2, max: 5 },
      gpu: { instanceTypes: ["g5.xlarge"], max: 3, taints: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }] },
    },
  };
  const dataAccess = {
    lake: { serviceAccounts: { jupyterhub: ["kubespawner"] }, buckets: [{ bucket: "acme-lake", access: "read" }] },
  };
  const decoded = (jupyterhub: object, changes: object = {}) =>
    decode(
      { ...GOOD, cluster: { ...cluster, ...changes }, dataAccess, jupyterhub: { ...HUB, ...jupyterhub } },
      { secretKeys: new Set(["jupyterhub"]) },
    );

  it("places notebooks in a dedicated node pool", () => {
    const profiles = { gpu: { displayName: "GPU", nodePool: "gpu", gpus: 1 } };
    const { jupyterhub } = decoded({ profiles });
    assert.deepEqual(jupyterhub?.profiles["gpu"]?.placement, {
      nodeSelector: { "stackyard.dev/node-pool": "gpu" },
      tolerations: [{ key: "dedicated", operator: "Equal", value: "gpu", effect: "NoSchedule" }],
    });
    assert.throws(() => decoded({}), /nodePools\.gpu\.taints: .*something tolerates/);
  });

  it("gives notebooks the role of a data access entry", () => {
    const request = { nodePool: "gpu", dataAccess: "lake" };
    assert.equal(decoded(request).jupyterhub?.roleEntry, "lake");
    assert.equal(decoded(request, { identity: "podIdentity" }).jupyterhub?.roleEntry, undefined);
  });

  it("reports a cluster fault without follow-up faults", () => {
    const request = { nodePool: "gpu", dataAccess: "lake" };
    assert.throws(() => decoded(request, { version: "1.3" }), /has 1 fault;/);
  });
});
