import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { at, textAt } from "../../../kubernetes/objects/objects";
import { Gardener } from "../../doubles/gardener/gardener";
import { GCP } from "../../unit/gardener/clusters";
import { failed, World } from "../runtime/world";
import { testYard } from "../runtime/yard";

const CLUSTER = { ...GCP, kubernetesVersion: "1.32.8", machineType: "n1-standard-4" };

/** The outputs that a cluster's runtime has. */
interface Outputs extends Record<string, unknown> {
  readonly cluster: Readonly<Record<string, unknown>>;
}

describe("a runtime that is a Gardener cluster", () => {
  let gardener: Gardener;
  let world: World;

  before(async () => {
    const project = `r${randomBytes(1).toString("hex")}`;
    gardener = await Gardener.start({ yard: process.env["STACKYARD_TEST_YARD"] ?? "", stepMs: 20, project });
    world = new World(await testYard());
    await world.platform({ defaultProvisioner: "garden", provisioners: { garden: garden() } });
  });
  after(() => gardener.stop());

  const garden = (project = gardener.project) => ({
    type: "gardener",
    spec: {
      project,
      kubeconfig: { content: gardener.kubeconfig },
      secretBindings: { gcp: "gcp" },
      defaults: { autoScalerMin: 2, autoScalerMax: 4, maxSurge: 1, maxUnavailable: 0 },
    },
  });
  const request = (change: object = {}, state = "running") =>
    world.deployment("acme", { state, cluster: { ...CLUSTER, ...change } });

  it("is previewed, created, bound to its administrators, hibernated, woken and destroyed", async () => {
    await request({ administrators: ["ada@example.com"] });
    await world.must("runtime", "preview", "-s", "acme");
    assert.equal(await gardener.shoot("acme"), undefined);

    const outputs = (await world.outputs("acme")) as Outputs;
    const domain = `acme.${gardener.project}.shoot.example.com`;
    assert.deepEqual(outputs.cluster, {
      name: "acme",
      namespace: gardener.namespace,
      domain,
      kubernetesVersion: "1.32.8",
      apiServer: `https://api.${domain}`,
      hibernated: false,
    });
    const { host, provisioner, state, cpu, memoryGb, seed } = outputs;
    assert.deepEqual(
      { host, provisioner, state, cpu, memoryGb, seed },
      {
        host: `https://api.${domain}`,
        provisioner: "garden",
        state: "running",
        cpu: 8,
        memoryGb: 34.36,
        seed: "gcp-eu1",
      },
    );
    const bindings = (await gardener.garden.list({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
    })) as { readonly subjects?: readonly { readonly name: string }[] }[];
    assert.ok(bindings.some(({ subjects = [] }) => subjects.some(({ name }) => name === "ada@example.com")));
    assert.doesNotMatch(
      await world.state("acme"),
      new RegExp(textAt(JSON.parse(gardener.kubeconfig), "users", 0, "user", "token") ?? "x"),
    );
    assert.ok((await world.isSettled("acme")).ok);

    await request({ administrators: ["ada@example.com"] }, "hibernated");
    assert.equal(((await world.outputs("acme")) as Outputs).cluster["hibernated"], true);
    await request({ administrators: ["ada@example.com"], region: "me-central2" });
    failed(await world.up("acme"), /a cluster is never replaced by itself:\n.*spec\.region/);
    await request({ administrators: ["ada@example.com"], autoScalerMax: 6 });
    assert.equal(((await world.outputs("acme")) as Outputs).cluster["hibernated"], false);
    assert.equal(at(await gardener.shoot("acme"), "spec", "provider", "workers", 0, "maximum"), 6);

    await refusesAnotherGarden();

    const other = { garden: garden("other"), more: garden() };
    await world.configurePlatform({ defaultProvisioner: "garden", provisioners: other });
    failed(
      await world.pulumi("platform", "preview", "-s", world.tag),
      /nothing was changed\.\n.*- stackyard:provisioners\.garden had 1 deployment: acme/,
    );

    await world.destroy("acme");
    assert.equal(await gardener.shoot("acme"), undefined);
  });

  /** The address leads to another garden, in which a Shoot of the same name and UID answers. */
  async function refusesAnotherGarden(): Promise<void> {
    const uid = (await gardener.garden.get({ apiVersion: "v1", kind: "Namespace", name: gardener.namespace }))?.metadata
      .uid;
    const another = new RegExp(
      `is another garden \\(UID other of the project's namespace ${gardener.namespace}\\) than the one that \\S.* \\(UID ${uid}\\)\\. Nothing was changed`,
    );
    const before = await gardener.shoot("acme");
    gardener.door.otherProject = "other";
    try {
      failed(
        await world.pulumi("platform", "preview", "-s", world.tag),
        new RegExp(`found UID other of the project's namespace ${gardener.namespace}; expected ${uid}`),
      );
      failed(await world.pulumi("platform", "refresh", "--yes", "-s", world.tag), another);
      failed(await world.pulumi("runtime", "refresh", "--yes", "-s", "acme"), another);
      failed(await world.pulumi("runtime", "destroy", "--yes", "-s", "acme"), another);
      await request({ administrators: ["ada@example.com"], autoScalerMax: 7 });
      failed(await world.pulumi("runtime", "preview", "-s", "acme"), another);
      failed(await world.up("acme"), another);
      await world.deployment("new", { cluster: CLUSTER });
      failed(await world.up("new"), another);
    } finally {
      gardener.door.otherProject = undefined;
    }
    assert.equal(await gardener.shoot("new"), undefined);
    assert.deepEqual((await gardener.shoot("acme"))?.metadata, before?.metadata);
    await request({ administrators: ["ada@example.com"], autoScalerMax: 6 });
  }

  it("reports fields missing after the provisioner's defaults before anything is created", async () => {
    await world.deployment("poor", { cluster: { provider: "gcp" } });
    failed(
      await world.up("poor"),
      /deployment\.cluster\.kubernetesVersion: found nothing; expected a version.*\n.*deployment\.cluster\.region: found nothing/,
    );
  });
});
