import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shootOf } from "../../../components/runtime/types/gardener/shoot/shoot";
import type { ClusterRequest } from "../../../components/runtime/request/cluster/shape";
import { IncompleteError, type Context } from "../../../foundation/pulumi/resource";
import { at, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import type { ShootInputs, ShootState } from "../../../provider/resources/shoot/inputs";
import { shoot as handler } from "../../../provider/resources/shoot/shoot";
import { FAULT } from "../../doubles/gardener/behaviour/faults";
import { Gardener } from "../../doubles/gardener/gardener";
import { ROBOT } from "../../doubles/gardener/world";
import { GCP } from "../../unit/gardener/clusters";
import { contextOf } from "../../unit/provider/context";

/** What the double's CloudProfile has. */
const CLUSTER: ClusterRequest = { ...GCP, kubernetesVersion: "1.32.8", machineType: "n1-standard-4" };

describe("a Shoot", () => {
  let gardener: Gardener;
  const logged: string[] = [];
  const context = (more: Partial<Context> = {}): Context => contextOf((line) => logged.push(line), more);

  before(async () => {
    const project = `s${randomBytes(1).toString("hex")}`;
    gardener = await Gardener.start({ yard: process.env["STACKYARD_TEST_YARD"] ?? "", stepMs: 120, project });
  });
  after(() => gardener.stop());
  beforeEach(() => void logged.splice(0));

  interface Change extends Partial<ShootInputs> {
    readonly request?: ClusterRequest;
    readonly secretBinding?: string;
    readonly hibernated?: boolean;
  }

  function inputsOf(
    name: string,
    { request, secretBinding = "gcp", hibernated = false, ...change }: Change = {},
  ): ShootInputs {
    const { namespace, kubeconfig } = gardener;
    const binding = { kind: "SecretBinding" as const, name: secretBinding };
    const options = { name, namespace, binding, runtimeId: name, hibernated };
    const shoot = shootOf({ ...CLUSTER, ...request }, options) as KubeObject;
    return { kubeconfig, cluster: "https://gardener.example.com", instance: `instance-of-${name}`, shoot, ...change };
  }

  async function create(name: string, change: Change = {}) {
    const inputs = inputsOf(name, change);
    const { id, state } = await handler.create(context(), inputs);
    return { id, inputs, state };
  }

  interface Made {
    readonly id: string;
    readonly inputs: ShootInputs;
    readonly state: ShootState;
  }

  async function update({ id, inputs, state }: Made, change: Change): Promise<Made> {
    const next = inputsOf(inputs.shoot.metadata.name, change);
    const difference = await handler.diff(context(), id, { inputs, state }, next);
    assert.notDeepEqual(difference.changes, {});
    return { id, inputs: next, state: await handler.update(context(), id, { inputs, state }, next) };
  }

  const remove = ({ id, inputs, state }: Made) => handler.delete(context(), id, { inputs, state });

  it("is created, updated, hibernated, woken and deleted, with its stages reported", async () => {
    let made: Made = await create("life", { operationId: "op-1" });
    assert.equal(made.id, `${gardener.namespace}/life`);
    const { domain, seed, apiServer, kubernetesVersion, hibernated, cpu, memoryGb, incomplete } = made.state;
    assert.deepEqual(
      { domain, seed, apiServer, kubernetesVersion, hibernated, cpu, memoryGb, incomplete },
      {
        domain: `life.${gardener.project}.shoot.example.com`,
        seed: "gcp-eu1",
        apiServer: `https://api.life.${gardener.project}.shoot.example.com`,
        kubernetesVersion: "1.32.8",
        hibernated: false,
        cpu: 8,
        memoryGb: 34.36,
        incomplete: undefined,
      },
    );
    assert.match(logged.join("\n"), /status: stage: WaitingForClusterCreation: Create Processing/);
    const annotations = (await gardener.shoot("life"))?.metadata.annotations ?? {};
    assert.deepEqual(
      ["runtime-id", "operation-id"].flatMap((key) => [
        annotations[`kcp.provisioner.kyma-project.io/${key}`],
        annotations[`compass.provisioner.kyma-project.io/${key}`],
      ]),
      ["life", "life", "op-1", "op-1"],
    );

    logged.splice(0);
    made = await update(made, { request: { autoScalerMax: 6, kubernetesVersion: "1.33.4" }, operationId: "op-2" });
    assert.equal(made.state.kubernetesVersion, "1.33.4");
    assert.match(logged.join("\n"), /stage: WaitingForShootUpgrade: Reconcile Processing/);
    const unknown = update(made, { request: { kubernetesVersion: "1.33.4", machineType: "n1-standard-5" } });
    await assert.rejects(unknown, /found "n1-standard-5"; .*did you mean n1-standard-4/);
    made = await update(made, { hibernated: true, request: { kubernetesVersion: "1.33.4" } });
    assert.equal(made.state.hibernated, true);
    made = await update(made, { request: { kubernetesVersion: "1.33.4" } });
    assert.equal(made.state.hibernated, false);

    logged.splice(0);
    await remove(made);
    assert.equal(await gardener.shoot("life"), undefined);
    assert.match(logged.join("\n"), /stage: WaitForClusterDeletion: Delete Processing/);
    await remove(made);
  });

  it("is awaited by the next update if the first one did not wait", async () => {
    const begun = await create("later", { wait: false });
    assert.equal(begun.state.incomplete, true);
    const { state } = await update(begun, {});
    assert.equal(state.incomplete, undefined);
    assert.equal(textAt(await gardener.shoot("later"), "status", "lastOperation", "state"), "Succeeded");
    await remove({ ...begun, state });
  });

  it("is created and changed once through 409, 429, 500, HTML in place of an answer, and lost answers", async () => {
    const { writeFaults } = gardener.door;
    writeFaults.push("busy", "internal", "html", "lost");
    const made = await create("faulty");
    assert.equal(writeFaults.length, 0);
    const live = await gardener.shoot("faulty");
    assert.equal(made.state.uid, live?.metadata.uid);
    writeFaults.push("conflict", "busy", "html", "lost");
    const { state, ...changed } = await update(made, { request: { autoScalerMax: 6 } });
    assert.equal(writeFaults.length, 0);
    const now = await gardener.shoot("faulty");
    assert.deepEqual(
      [now?.metadata.uid, now?.metadata.generation, at(now, "spec", "provider", "workers", 0, "maximum")],
      [state.uid, (live?.metadata.generation ?? 0) + 1, 6],
    );
    writeFaults.push("html", "conflict");
    await remove({ ...changed, state });
    assert.equal(await gardener.shoot("faulty"), undefined);
    writeFaults.splice(0);
  });

  it("fails with what to do while the kubeconfig has expired", async () => {
    const kubeconfig = gardener.kubeconfig.replace(/"token":"[^"]+"/, '"token":"expired"');
    await assert.rejects(
      handler.create(context(), inputsOf("expired", { kubeconfig })),
      /Unauthorized; the credentials of the kubeconfig are not accepted \(expired\?\)/,
    );
    assert.equal(await gardener.shoot("expired"), undefined);
  });

  it("keeps a version that Gardener has raised", async () => {
    const made = await create("newer", { request: { kubernetesVersion: "1.33.4" } });
    const { state } = await update(made, { request: { kubernetesVersion: "1.32.8" } });
    assert.equal(state.kubernetesVersion, "1.33.4");
    assert.match(logged.join("\n"), /1\.32\.8 is requested and the cluster has 1\.33\.4, which stays/);
    await remove({ ...made, state });
  });

  it("fails with Gardener's code and advice, and continues once the cause is fixed", async () => {
    const error = await create("poor", { secretBinding: "quota-exceeded" }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof IncompleteError);
    assert.match(
      error.message,
      /Gardener failed in stage WaitingForClusterCreation: .*Quota CPUS exceeded.* \(ERR_INFRA_QUOTA_EXCEEDED\)\na quota of the cloud's account/,
    );
    const inputs = inputsOf("poor", { secretBinding: "quota-exceeded" });
    const failed = { id: error.id, inputs, state: error.state as ShootState };
    assert.notDeepEqual((await handler.diff(context(), error.id, failed, inputs)).changes, {});
    // As if the quota had been raised: an annotation goes before the binding.
    await gardener.garden.merge(
      { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", namespace: gardener.namespace, name: "poor" },
      { metadata: { annotations: { [FAULT]: "none" } } },
    );
    const state = await handler.update(context(), error.id, failed, inputs);
    assert.equal(state.incomplete, undefined);
    await remove({ ...failed, state });
  });

  it("waits through errors that Gardener retries by itself", async () => {
    const made = await create("patient", { secretBinding: "resources-depleted" });
    assert.match(
      logged.join("\n"),
      /stage: WaitingForClusterCreation: Create \w+, \d+ %: .*There are not enough hosts/,
    );
    await remove(made);
  });

  it("fails when a stage takes too long", async () => {
    const timeouts = { WaitingForClusterDomain: 20, WaitingForClusterCreation: 1 };
    await assert.rejects(
      create("slow", { secretBinding: "rate-limits-exceeded", timeouts }),
      /stage WaitingForClusterCreation is not done after 1 seconds: .*Request limit exceeded.*\(ERR_INFRA_RATE_LIMITS_EXCEEDED\)/,
    );
  });

  it("is deleted by force if allowed", async () => {
    const made = await create("stuck", { allowForceDeletion: true });
    await gardener.garden.merge(
      { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", namespace: gardener.namespace, name: "stuck" },
      { metadata: { annotations: { [FAULT]: "dependencies" } } },
    );
    await remove(made);
    assert.match(logged.join("\n"), /warning: .*its deletion is forced \(ERR_INFRA_DEPENDENCIES\)/);
    assert.equal(await gardener.shoot("stuck"), undefined);
  });

  it("is validated in a preview, also against its CloudProfile, and not created", async () => {
    const preview = (name: string, request: ClusterRequest) =>
      handler.create(context({ preview: true }), inputsOf(name, { request }));
    await assert.rejects(preview("planned", { machineType: "n1-standard-5" }), /did you mean n1-standard-4/);
    await assert.rejects(preview("a-name-that-is-too-long", {}), /must not exceed 21 characters/);
    const { state } = await preview("planned", {});
    assert.deepEqual([state.kubernetesVersion, state.cpu], ["1.32.8", 8]);
    assert.equal(await gardener.shoot("planned"), undefined);
  });

  it("is never replaced: a change of an immutable field is rejected with the reason, and shown by a refresh", async () => {
    const inputs = inputsOf("fixed");
    const other = inputsOf("fixed", { request: { region: "me-central2" } });
    await assert.rejects(
      Promise.resolve().then(() => {
        const { cluster, shoot } = other;
        return handler.check(context(), { cluster, shoot }, { old: { ...inputs }, seed: "" });
      }),
      /a cluster is never replaced by itself:\n {2}- spec\.region: found "me-central2", and the cluster has "europe-west3"/,
    );
    // A refresh compares what it has read with the inputs.
    const read = { inputs: other, state: other as ShootState };
    const { changes } = await handler.diff(context(), "id", read, inputs);
    assert.equal(changes["shoot.spec.region"], "update");
  });

  it("rejects another owner's Shoot and takes over one that the original created", async () => {
    const made = await create("whose");
    await assert.rejects(
      handler.create(context(), { ...inputsOf("whose"), instance: "another" }),
      /belongs to stack .*Nothing was changed\. To take it over on purpose: stackyard runtime adopt whose/,
    );
    await gardener.garden.merge(
      { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", namespace: gardener.namespace, name: "whose" },
      { metadata: { annotations: { "stackyard.dev/owner-id": null } } },
    );
    const { state } = await handler.create(context(), { ...inputsOf("whose"), instance: "another" });
    assert.match(logged.join("\n"), /is there already, for deployment whose: it is taken over/);
    assert.equal(state.uid, made.state.uid);
    await remove({ ...made, state });
  });

  it("is previewed and refreshed by a user who may only read it, or not even that", async () => {
    const { id, inputs, state } = await create("seen");
    const { namespace, garden } = gardener;
    const RBAC = "rbac.authorization.k8s.io";
    const account = { apiVersion: "v1", kind: "ServiceAccount", namespace, name: "reader" };
    const rules = [{ apiGroups: ["core.gardener.cloud"], resources: ["shoots"], verbs: ["get"] }];
    const objects = [
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace, name: "reader" } },
      { apiVersion: `${RBAC}/v1`, kind: "Role", metadata: { namespace, name: "reader" }, rules },
      {
        ...{ apiVersion: `${RBAC}/v1`, kind: "RoleBinding", metadata: { namespace, name: "reader" } },
        roleRef: { apiGroup: RBAC, kind: "Role", name: "reader" },
        subjects: [{ kind: "ServiceAccount", namespace, name: "reader" }],
      },
    ];
    for (const object of objects) await garden.apply(object);
    const issued = await garden.issue(account, "token", {
      ...{ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 600 } },
    });
    const config = JSON.parse(gardener.kubeconfig) as object;
    const users = [{ name: ROBOT, user: { token: textAt(issued, "status", "token") } }];
    const as = (next: ShootInputs): ShootInputs => ({ ...next, kubeconfig: JSON.stringify({ ...config, users }) });
    const preview = context({ preview: true });
    const before = (await gardener.shoot("seen"))?.metadata.resourceVersion;
    const change = as(inputsOf("seen", { hibernated: true }));
    const seen = await handler.update(preview, id, { inputs, state }, change);
    assert.deepEqual([seen.uid, seen.domain], [state.uid, state.domain]);
    await handler.create(preview, as(inputsOf("other")));
    const same = await handler.read(context(), id, { inputs: as(inputs), state });
    assert.equal(same?.state.uid, state.uid);
    assert.match(logged.join("\n"), /unknown to this user, who may not patch shoots\.core\.gardener\.cloud/);
    await garden.apply({ ...objects[1]!, rules: [] });
    assert.deepEqual(await handler.read(context(), id, { inputs: as(inputs), state }), { inputs: as(inputs), state });
    assert.match(logged.join("\n"), /unknown to this user, who may not get shoots\.core\.gardener\.cloud/);
    assert.equal((await gardener.shoot("seen"))?.metadata.resourceVersion, before);
    assert.equal(await gardener.shoot("other"), undefined);
    await remove({ id, inputs, state });
  });

  it("shows manual changes in a refresh and is imported by its name", async () => {
    const { id, inputs, state } = await create("drift");
    const same = await handler.read(context(), id, { inputs, state });
    assert.deepEqual(same?.inputs, inputs);
    const live = await gardener.shoot("drift");
    const workers = structuredClone(at(live, "spec", "provider", "workers")) as Record<string, unknown>[];
    workers[0]!["maximum"] = 9;
    await gardener.garden.merge(
      { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", namespace: gardener.namespace, name: "drift" },
      { spec: { provider: { workers } } },
    );
    const drifted = await handler.read(context(), id, { inputs, state });
    assert.equal(at(drifted?.inputs.shoot, "spec", "provider", "workers", 0, "maximum"), 9);
    const folder = await mkdtemp(join(tmpdir(), "garden-"));
    try {
      process.env["STACKYARD_GARDENER_KUBECONFIG"] = join(folder, "kubeconfig");
      await writeFile(join(folder, "kubeconfig"), gardener.kubeconfig);
      const imported = await handler.read(context(), id, { inputs: {}, state: {} } as unknown as Made);
      assert.equal(imported?.state.uid, state.uid);
      assert.deepEqual((await handler.diff(context(), id, imported!, imported!.inputs)).changes, {});
    } finally {
      delete process.env["STACKYARD_GARDENER_KUBECONFIG"];
      await rm(folder, { recursive: true });
    }

    await remove({ id, inputs, state });
    assert.equal(await handler.read(context(), id, { inputs, state }), undefined);
  });
});
