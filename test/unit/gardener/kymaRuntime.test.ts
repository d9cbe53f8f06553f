import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { GardenerProvisioner } from "../../../components/runtime/types/gardener/spec";
import type { Deployment } from "../../../components/runtime/request/deployment";
import { recordOf } from "../../../components/runtime/types/stateRecord";
import { createGardener } from "../../../components/runtime/types/gardener/create";
import { directorSettings, kymaSettings } from "../../../components/runtime/types/gardener/kyma/settings";
import { planGardener } from "../../../components/runtime/types/gardener/plan";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import type { RuntimeOptions } from "../../../components/runtime/types/runtimeType";
import { mock, settled, valueOf } from "../runtime/mocks";
import { GCP } from "./clusters";

const SPEC: GardenerProvisioner = {
  type: "gardener",
  kubeconfig: "{}",
  cluster: "https://gardener.example.com",
  project: "rill",
  namespace: "garden-rill",
  secretBindings: { gcp: "gcp-account" },
  cloudProfiles: {},
  defaults: {},
  maintenanceWindows: {},
  auditLogs: {},
  timeouts: {},
  allowForceDeletion: false,
  kyma: kymaSettings.parse({
    versions: {
      "2.20.0": {
        modules: {
          istio: { namespace: "istio-system", sources: [{ type: "local", path: "./istio" }] },
          "compass-runtime-agent": { namespace: "compass-system", sources: [{ type: "local", path: "./agent" }] },
        },
      },
      "2.21.0": { modules: { istio: { namespace: "istio-system", sources: [{ type: "local", path: "./istio" }] } } },
    },
  }),
  director: directorSettings.parse({
    url: "https://director/graphql",
    tokenUrl: "https://oauth/token",
    clientId: "c",
    clientSecret: "s",
  }),
};
const DEPLOYMENT: Deployment = {
  ...{ id: "acme", slots: 1, version: "2.20.0", environment: "prod", annotations: {}, state: "running" },
  cluster: { ...GCP, tenant: "t1" },
  kyma: { version: "2.20.0" },
  runtime: { name: "acme-runtime", labels: { region: "eu" } },
};
const SHOOT = "organization::stackyard-runtime::stackyard:index:GardenerRuntime$stackyard:index:GardenerKyma$";

async function make(
  change: Partial<Deployment> = {},
  options: Partial<RuntimeOptions> = {},
  spec = SPEC,
  connectionState: string | undefined = "Synchronized",
) {
  const recorder = mock(
    ({ type }) => {
      if (type.endsWith(":RuntimeAgent")) return { connectionState };
      return type.endsWith(":DirectorRuntime") ? { runtimeId: "director-id" } : {};
    },
    () => ({}),
  );
  const base = {
    provisioner: "garden",
    deployment: { ...DEPLOYMENT, ...change },
    cpu: 1,
    memoryGb: 4,
    storageBytes: 0,
  };
  const general = {
    allowMove: false,
    platform: "organization/stackyard/dev",
    command: "runtime up",
    secretDeployment: false,
  };
  const outputs = await createGardener(planGardener(base, spec), { ...general, ...options });
  await settled(recorder);
  const types = recorder.resources.map(({ type }) => type.replace("stackyard:index:", "")).toSorted();
  return { types, recorder, connection: await valueOf(outputs.agentConnection) };
}

describe("a runtime on Gardener with Kyma and a Director", () => {
  it("is registered, has Kyma's modules, and connects its agent", async () => {
    const { types, recorder, connection } = await make();
    assert.deepEqual(types, [
      "BundleRelease",
      "BundleRelease",
      "DirectorRuntime",
      "GardenerKyma",
      "GardenerRuntime",
      "RuntimeAgent",
      "Shoot",
    ]);
    const { name, tenant, labels, owner } = recorder.only("stackyard:index:DirectorRuntime").inputs;
    assert.deepEqual([name, tenant, labels], ["acme-runtime", "t1", { region: "eu" }]);
    assert.equal(owner, "organization/stackyard/dev/acme");
    const agent = recorder.only("stackyard:index:RuntimeAgent").inputs;
    assert.deepEqual([agent["runtimeId"], agent["connect"]], ["director-id", true]);
    assert.equal((agent["labels"] as Record<string, unknown>)["gardenerClusterName"], "acme");
    assert.equal(connection, "Connected");
  });

  it("has a guard that asks for the owner of its Shoot if Kyma's installer removes Kyma", async () => {
    const kyma = kymaSettings.parse({ mode: "installer" });
    const { recorder } = await make({ kyma: { version: "1.24.8" } }, {}, { ...SPEC, kyma });
    const guard = JSON.stringify(recorder.only("stackyard:index:DataGuard").inputs);
    assert.match(guard, /"name":"acme","namespace":"garden-rill","owner":{"generation":0},"type":"shoot"/);
    recorder.only("stackyard:index:KymaInstallation");
    assert.ok(!(await make()).types.includes("DataGuard"));
  });

  it("identifies itself in the annotations of its Shoot", async () => {
    const { recorder } = await make();
    const { metadata } = recorder.only("stackyard:index:Shoot").inputs["shoot"] as KubeObject;
    assert.deepEqual(metadata.annotations, {
      "kcp.provisioner.kyma-project.io/runtime-id": "acme",
      "compass.provisioner.kyma-project.io/runtime-id": "acme",
      "stackyard.dev/deployment": "acme",
      "stackyard.dev/platform": "organization/stackyard/dev",
      "stackyard.dev/provisioner": "garden",
    });
  });

  it("configures the agent without waiting for it if the deployment requests no Kyma", async () => {
    const { types, recorder } = await make({ kyma: undefined });
    assert.deepEqual(types, ["DirectorRuntime", "GardenerKyma", "GardenerRuntime", "RuntimeAgent", "Shoot"]);
    assert.equal(recorder.only("stackyard:index:RuntimeAgent").inputs["connect"], false);
  });

  it("shows the connection state that its agent reports", async () => {
    for (const [reported, shown] of [
      ["Synchronized", "Connected"],
      ["MetadataUpdateFailed", "Connected"],
      ["ConnectionFailed", "Disconnected"],
      ["", "Pending"],
    ] as const) {
      assert.equal((await make({}, {}, SPEC, reported)).connection, shown);
    }
  });

  it("requires the agent module if it waits for the connection", async () => {
    await assert.rejects(
      make({ kyma: { version: "2.21.0" } }),
      /stackyard:provisioners\.garden\.spec\.kyma\.versions\["2\.21\.0"\]\.modules: found istio; expected compass-runtime-agent too, .*Add it, or set .*spec\.director\.agent to false/,
    );
    await assert.rejects(
      make({ kyma: { version: "2.20.0", components: [{ component: "istio", namespace: "istio-system" }] } }),
      /deployment\.kyma\.components: found istio; expected compass-runtime-agent too/,
    );
    const { director } = SPEC;
    const patient = { ...SPEC, director: director && { ...director, agent: false } };
    const { recorder } = await make({ kyma: { version: "2.21.0" } }, {}, patient);
    assert.equal(recorder.only("stackyard:index:RuntimeAgent").inputs["connect"], false);
  });

  it("creates nothing in the cluster when only the cluster is created", async () => {
    const { types, connection } = await make({}, { only: "cluster" });
    assert.deepEqual(types, ["DirectorRuntime", "GardenerRuntime", "Shoot"]);
    assert.equal(connection, "Pending");
  });

  it("keeps its resources while it is hibernated", async () => {
    const state = Object.fromEntries(
      ["BundleRelease", "RuntimeAgent"].map((type) => [
        `urn:pulumi:acme::${SHOOT}stackyard:index:${type}::x-${type}`,
        { type: `stackyard:index:${type}`, inputs: {}, outputs: {} },
      ]),
    );
    const present = {
      name: "x",
      place: {},
      record: { deployment: DEPLOYMENT },
    } as unknown as RuntimeOptions["present"];
    const { types } = await make({ state: "hibernated" }, { state: state, present });
    assert.deepEqual(types, [
      "BundleRelease",
      "BundleRelease",
      "DirectorRuntime",
      "GardenerKyma",
      "GardenerRuntime",
      "RuntimeAgent",
      "Shoot",
    ]);
  });

  it("binds operator groups to roles, and keeps existing bindings while it is hibernated", async () => {
    const operatorGroups = { view: "viewers", admin: "admins" };
    const bindings = (made: Awaited<ReturnType<typeof make>>) =>
      made.recorder.only("stackyard:index:ManifestSet").inputs["objects"] as KubeObject[];
    const objects = bindings(await make({}, {}, { ...SPEC, operatorGroups }));
    assert.deepEqual(
      objects.map(({ subjects }) => (subjects as { name: string }[])[0]?.name),
      ["viewers", "admins"],
    );
    const urn =
      "urn:pulumi:acme::stackyard-runtime::stackyard:index:GardenerRuntime$stackyard:index:ManifestSet::x-administrators";
    const state = { [urn]: { type: "stackyard:index:ManifestSet", outputs: { objects } } };
    // Nothing in the cluster can be changed now, whatever the provisioner says by now.
    const asleep = await make({ state: "hibernated" }, { state }, { ...SPEC, operatorGroups: { view: "others" } });
    assert.deepEqual(bindings(asleep), objects);
    assert.ok(!(await make({ state: "hibernated" }, {}, { ...SPEC, operatorGroups })).types.includes("ManifestSet"));
  });

  it("stores its request as a secret if a Kyma entry is a secret", async () => {
    const entry = { key: "global.password", value: "hidden" };
    const isSecret = async (kyma: Deployment["kyma"]): Promise<boolean> => {
      const base = { name: "acme", provisioner: "garden", cpu: 1, memoryGb: 4, storageBytes: 0 };
      const plan = { ...base, deployment: { ...DEPLOYMENT, kyma } };
      const options = { allowMove: false, platform: "dev", command: "runtime up", secretDeployment: false };
      return pulumi.isSecret(pulumi.output(recordOf(plan, options, undefined)));
    };
    const component = { component: "istio", namespace: "istio-system" };
    const secret = [{ ...entry, secret: true }];
    assert.equal(await isSecret({ version: "2.20.0", configuration: [entry] }), false);
    assert.equal(await isSecret({ version: "2.20.0", configuration: [entry, ...secret] }), true);
    assert.equal(await isSecret({ version: "2.20.0", components: [{ ...component, configuration: secret }] }), true);
  });

  it("rejects a name, description or labels that the Director does not accept", async () => {
    const refused = make({ runtime: { name: "Ünïcode", description: "d".repeat(2001), labels: { "a b": 1, ok: 2 } } });
    await assert.rejects(refused, (error: Error) => {
      const lines = error.message.replace(/^deployment "acme": /, "").split("\n");
      const because = ', because provisioner "garden" registers runtimes in a Director';
      assert.deepEqual(lines, [
        `runtime.name: found "Ünïcode"; expected a name of a-z, 0-9, - and ., 36 characters at most, no digit first${because}`,
        `runtime.description: found 2001 characters; expected a text of 2000 characters at most${because}`,
        `runtime.labels: found "a b"; expected keys of letters, digits and _, 256 characters at most${because}`,
      ]);
      return true;
    });
  });

  it("requires a tenant for the Director and a Kyma version that the provisioner has", async () => {
    await assert.rejects(
      make({ cluster: { ...GCP, tenant: undefined } }),
      /deployment "acme": found no cluster.tenant/,
    );
    await assert.rejects(
      make({ kyma: { version: "2.20.1" } }),
      /kyma.version: found "2.20.1"; expected one of 2.20.0, 2.21.0/,
    );
  });
});
