import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { at, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { connect } from "../../../kubernetes/connect/connect";
import { follow, OTHER } from "../process";
import { everythingIn } from "../database";
import { fieldsOf } from "./refusals";
import { HUSH, KYMA, NO_ERROR, STATUS, type RuntimePlace, type Status } from "./place";

const CONFIG = `runtimeConfiguration {
  clusterConfig { name kubernetesVersion seed machineType autoScalerMax purpose administrators controlPlaneFailureTolerance oidcConfig { clientID } }
  kymaConfig { version configuration { value } }
  kubeconfig
}`;
const WHOLE = `lastOperationStatus { ${STATUS} } runtimeConnectionStatus { status } hibernationStatus { hibernated hibernationPossible } ${CONFIG}`;

interface Whole {
  readonly lastOperationStatus: Status;
  readonly runtimeConnectionStatus: { readonly status: string };
  readonly hibernationStatus: { readonly hibernated: boolean | null; readonly hibernationPossible: boolean | null };
  readonly runtimeConfiguration: {
    readonly clusterConfig: Readonly<Record<string, unknown>>;
    readonly kymaConfig: {
      readonly version: string;
      readonly configuration?: readonly { readonly value: string }[];
    } | null;
    readonly kubeconfig: string | null;
  };
}

const FULL = `{ gardenerConfig: {
  kubernetesVersion: "1.33.4" purpose: "testing" machineType: "n2-standard-8" diskType: "pd-standard" volumeSizeGB: 50
  autoScalerMin: 2 autoScalerMax: 6 machineImage: "ubuntu" machineImageVersion: "12.0.2" maxSurge: 2
  enableKubernetesVersionAutoUpdate: true enableMachineImageVersionAutoUpdate: true
  exposureClassName: "internet"
  oidcConfig: { clientID: "kyma" groupsClaim: "groups" issuerURL: "https://issuer.example.com" signingAlgs: ["RS256"] usernameClaim: "sub" usernamePrefix: "-" }
} }`;

/** A runtime from its begin to its end. */
export function lifecycle(placeOf: () => RuntimePlace): void {
  let id: string;
  const status = (): Promise<Whole> => placeOf().get<Whole>(`{ runtimeStatus(id: "${id}") { ${WHOLE} } }`);
  const module = () =>
    placeOf().cluster.client.get({
      apiVersion: "v1",
      kind: "ConfigMap",
      namespace: "compass-system",
      name: "kyma-module",
    });
  const administrators = async (): Promise<number> => {
    const ref = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding" };
    const all = await placeOf().cluster.client.list(ref);
    return all.filter((one) => JSON.stringify(one["subjects"] ?? []).includes("ada@example.com")).length;
  };

  /** What another tenant is answered. */
  const stranger = async (query: string) => {
    const { data, errors } = await placeOf().ask(query, "blue", OTHER);
    return { data, errors };
  };
  const groups = async (): Promise<string[]> => {
    const ref = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding" };
    const all = (await placeOf().cluster.client.list(ref)).filter(({ metadata }) =>
      metadata.name.startsWith("operator-"),
    );
    return all.map((one) => `${textAt(one, "roleRef", "name")} of ${textAt(one, "subjects", 0, "name")}`).toSorted();
  };

  it("creates a runtime with Kyma without a waiting engine and rejects other operations meanwhile", async () => {
    const place = placeOf();
    const begun = await place.provision(
      "main",
      'targetSecret: "cleanup" controlPlaneFailureTolerance: "node" exposureClassName: "internet"',
      `kymaConfig: ${KYMA("2.20.0")}`,
    );
    assert.deepEqual([begun.state, begun.operation, begun.compassRuntimeID], ["InProgress", "Provision", null]);
    id = begun.runtimeID;
    await place.until(begun.id, ({ message }) => message.endsWith("Stage WaitingForClusterCreation"));
    await place.untilWorkedOn(begun.id, false);
    const { annotations = {}, labels } = (await place.gardener.shoot("main"))?.metadata ?? {};
    for (const home of ["kcp.provisioner", "compass.provisioner"]) {
      assert.equal(annotations[`${home}.kyma-project.io/runtime-id`], id);
      assert.equal(annotations[`${home}.kyma-project.io/operation-id`], begun.id);
    }
    assert.equal(labels?.["account"], "red");
    const policy = ["kubernetes", "kubeAPIServer", "auditConfig", "auditPolicy", "configMapRef", "name"];
    assert.equal(textAt(await place.gardener.shoot("main"), "spec", ...policy), "audit-policy");
    const file = join(place.folder, "shoots", `${place.gardener.namespace}-main-shootCR.yaml`);
    const written = load(readFileSync(file, "utf8")) as KubeObject;
    assert.equal(written.metadata.annotations?.["kcp.provisioner.kyma-project.io/operation-id"], begun.id);
    assert.equal(textAt(written, "spec", ...policy), "audit-policy");
    const { runtimeConfiguration: configuration, lastOperationStatus: last } = await status();
    assert.deepEqual([last.id, configuration.clusterConfig["name"]], [begun.id, "main"]);
    for (const change of [
      `upgradeShoot(id: "${id}", config: { gardenerConfig: { autoScalerMax: 5 } }) { id }`,
      `upgradeRuntime(id: "${id}", config: { kymaConfig: ${KYMA("2.21.0")} }) { id }`,
      `hibernateRuntime(id: "${id}") { id }`,
      `deprovisionRuntime(id: "${id}")`,
    ]) {
      const [error] = (await place.ask(`mutation { ${change} }`)).errors ?? [];
      assert.equal(error?.extensions["error_code"], 400);
      assert.match(error.message, /while previous one is in progress/);
    }
    const { rows } = await place.host.place.pool.query("select from operation where ended_at is not null");
    assert.equal(rows.length, 0);
    const counted = (state: string) =>
      new RegExp(`^stackyard_operations\\{kind="provision",state="${state}"\\} 1$`, "m");
    assert.match(await place.service.metrics(), counted("in_progress"));
    await place.release("main");
    assert.equal((await place.succeeded(begun)).operation, "Provision");
    const metrics = await place.service.metrics();
    for (const line of [counted("succeeded"), /^stackyard_deployments 1$/m]) assert.match(metrics, line);
    assert.doesNotMatch(metrics, counted("in_progress"));
  });

  it("provides the module, the administrators, a connected agent and a kubeconfig", async () => {
    const place = placeOf();
    const { runtimeConfiguration: configuration, runtimeConnectionStatus: connection } = await status();
    assert.equal(configuration.clusterConfig["seed"], "gcp-eu1");
    assert.equal(textAt(await module(), "data", "version"), "2.20.0");
    assert.equal(await administrators(), 1);
    assert.deepEqual(await groups(), ["cluster-admin of test-admins", "view of test-viewers"]);
    assert.equal(place.agent.tried.length, 1);
    assert.equal(connection.status, "Connected");
    const [registered] = [...place.director.runtimes.values()];
    assert.deepEqual(
      [registered?.name, registered?.status.condition, registered?.labels["gardenerClusterName"]],
      ["main", "CONNECTED", "main"],
    );
    const admin = connect(configuration.kubeconfig ?? assert.fail("it has no kubeconfig"), undefined, {});
    assert.ok(
      await admin.get({ apiVersion: "v1", kind: "ConfigMap", namespace: "compass-system", name: "kyma-module" }),
    );
  });

  it("issues a short-lived kubeconfig and records it in the audit trail", async () => {
    const place = placeOf();
    const query = `mutation { issueRuntimeKubeconfig(id: "${id}", role: admin, expirationSeconds: 900) { kubeconfig expiresAt } }`;
    const { kubeconfig, expiresAt } = await place.get<{ kubeconfig: string; expiresAt: string }>(query);
    const left = Date.parse(expiresAt) - Date.now();
    assert.ok(left > 0 && left <= 900_000, `${left} ms`);
    assert.ok(await connect(kubeconfig, undefined, {}).get({ apiVersion: "v1", kind: "Namespace", name: "default" }));
    const text = "select details from audit where action = 'issueRuntimeKubeconfig' and outcome = 'accepted'";
    const { rows } = await place.host.place.pool.query<{ details: object }>(text);
    assert.deepEqual(rows, [{ details: { role: "admin", expiresAt } }]);
  });

  it("answers another tenant with 400 and no data, and the runtime stays with its tenant", async () => {
    const { lastOperationStatus: last } = await status();
    const nobodys = fieldsOf("018f0000-0000-7000-8000-000000000001");
    for (const [field, query] of Object.entries(fieldsOf(id, last.id))) {
      const answer = await stranger(query);
      const found = [answer.data?.[field] ?? null, answer.errors?.[0]?.extensions["error_code"]];
      assert.deepEqual(found, [null, 400], field);
      assert.deepEqual(answer, await stranger(nobodys[field] ?? ""), field);
    }
    const after = await status();
    assert.equal(after.lastOperationStatus.id, last.id);
    assert.ok(after.runtimeConfiguration.kubeconfig);
  });

  it("accepts one of two concurrent changes and keeps the fields that it does not name", async () => {
    const place = placeOf();
    const query = `mutation { upgradeShoot(id: "${id}", config: ${FULL}) { ${STATUS} } }`;
    const answers = await Promise.all([place.ask(query), place.ask(query)]);
    const [begun, ...more] = answers.flatMap(({ data }) => (data?.["upgradeShoot"] ?? []) as Status[]);
    assert.ok(begun && more.length === 0);
    assert.deepEqual(
      answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions["error_code"])),
      [400],
    );
    await place.succeeded(begun);
    const spec = (await place.gardener.shoot("main"))?.["spec"];
    const worker = at(spec, "provider", "workers", 0) as Record<string, unknown>;
    assert.deepEqual(
      [worker["maximum"], worker["maxSurge"], textAt(worker, "machine", "type"), textAt(worker, "volume", "size")],
      [6, 2, "n2-standard-8", "50Gi"],
    );
    assert.equal(textAt(worker, "machine", "image", "version"), "12.0.2");
    assert.equal(at(spec, "maintenance", "autoUpdate", "kubernetesVersion"), true);
    assert.equal(textAt(spec, "kubernetes", "version"), "1.33.4");
    assert.equal(textAt(spec, "controlPlane", "highAvailability", "failureTolerance", "type"), "node");
    const { clusterConfig } = (await status()).runtimeConfiguration;
    assert.deepEqual(
      [clusterConfig["controlPlaneFailureTolerance"], clusterConfig["administrators"], clusterConfig["oidcConfig"]],
      ["node", ["ada@example.com"], { clientID: "kyma" }],
    );
    assert.equal(await administrators(), 1);
  });

  it("keeps the cluster on an empty change, and a newer Kubernetes than requested", async () => {
    const place = placeOf();
    const before = (await status()).runtimeConfiguration.clusterConfig;
    await place.succeeded(await place.change("upgradeShoot", id, "{ gardenerConfig: { machineType: null } }"));
    assert.deepEqual((await status()).runtimeConfiguration.clusterConfig, before);
    for (const field of ["machineType", "diskType", "purpose", "kubernetesVersion"]) {
      const query = `mutation { upgradeShoot(id: "${id}", config: { gardenerConfig: { ${field}: "" } }) { id } }`;
      assert.equal((await place.ask(query)).errors?.[0]?.extensions["error_code"], 400);
    }
    await place.succeeded(
      await place.change("upgradeShoot", id, '{ gardenerConfig: { kubernetesVersion: "1.32.8" } }'),
    );
    assert.equal(textAt(await place.gardener.shoot("main"), "spec", "kubernetes", "version"), "1.33.4");
  });

  it("upgrades Kyma and rolls back the runtime or only the record, the latter only after an upgrade", async () => {
    const place = placeOf();
    const rollBack = `mutation { rollBackUpgradeOperation(id: "${id}") { ${CONFIG} } }`;
    assert.match((await place.ask(rollBack)).errors?.[0]?.message ?? "", /only if it is the last operation/);
    const upgrade = await place.change("upgradeRuntime", id, `{ kymaConfig: ${KYMA("2.21.0")} }`);
    assert.equal((await place.succeeded(upgrade)).operation, "Upgrade");
    assert.equal(textAt(await module(), "data", "version"), "2.21.0");
    for (const version of ["2.20.0", "2.21.0"]) {
      await place.succeeded(await place.change("rollBackRuntime", id));
      assert.equal(textAt(await module(), "data", "version"), version);
    }
    const unknown = `mutation { upgradeRuntime(id: "${id}", config: { kymaConfig: ${KYMA("9.9.9")} }) { id } }`;
    const [refusal] = (await place.ask(unknown)).errors ?? [];
    assert.equal(refusal?.extensions["error_code"], 400);
    assert.match(refusal.message, /kyma\.version: found "9\.9\.9"; expected one of 2\.20\.0, 2\.21\.0, 2\.22\.0/);
    const broken = await place.change("upgradeRuntime", id, `{ kymaConfig: ${KYMA("2.22.0")} }`);
    assert.equal((await place.until(broken.id)).state, "Failed");
    const { runtimeConfiguration: record } = await place.get<Whole>(rollBack);
    assert.equal(record.kymaConfig?.version, "2.21.0");
    assert.equal(textAt(await module(), "data", "version"), "2.21.0");
  });

  it("hibernates and wakes the runtime after a failed upgrade, with the Kyma of the rolled-back record", async () => {
    const place = placeOf();
    await place.succeeded(await place.change("hibernateRuntime", id));
    assert.equal((await status()).hibernationStatus.hibernated, true);
    assert.equal((await groups()).length, 2);
    await place.succeeded(await place.change("wakeRuntime", id));
    const { hibernationStatus: awake, runtimeConfiguration: record } = await status();
    assert.deepEqual([awake.hibernated, record.kymaConfig?.version], [false, "2.21.0"]);
    assert.equal(textAt(await module(), "data", "version"), "2.21.0");
  });

  it("changes the runtime after a failed upgrade, with the Kyma of the rolled-back record", async () => {
    const place = placeOf();
    const broken = await place.change("upgradeRuntime", id, `{ kymaConfig: ${KYMA("2.22.0")} }`);
    assert.equal((await place.until(broken.id)).state, "Failed");
    await place.get(`mutation { rollBackUpgradeOperation(id: "${id}") { ${CONFIG} } }`);
    await place.succeeded(await place.change("upgradeShoot", id, "{ gardenerConfig: { autoScalerMax: 7 } }"));
    const { kymaConfig, clusterConfig } = (await status()).runtimeConfiguration;
    assert.deepEqual([kymaConfig?.version, clusterConfig["autoScalerMax"]], ["2.21.0", 7]);
    assert.equal(textAt(await module(), "data", "version"), "2.21.0");
  });

  it("answers completely within three seconds while Gardener is slow or unreachable, and later with a kubeconfig", async () => {
    const place = placeOf();
    const { door } = place.gardener;
    const timed = async (asked: () => Promise<unknown>, limitMs: number): Promise<void> => {
      const began = performance.now();
      await asked();
      assert.ok(performance.now() - began < limitMs, `${performance.now() - began} ms`);
    };
    for (const trouble of [{ delayMs: 20_000 }, { away: true }]) {
      Object.assign(door, trouble);
      await timed(() => place.get(`{ runtimeStatus(id: "${id}") { ${WHOLE.replace("kubeconfig", "")} } }`), 3_000);
      await timed(async () => {
        const { hibernationStatus, runtimeConfiguration: shown, lastOperationStatus: last } = await status();
        assert.deepEqual(
          [hibernationStatus.hibernated, shown.kymaConfig?.version, shown.kubeconfig, last.state],
          [false, "2.21.0", null, "Succeeded"],
        );
      }, 12_000);
    }
    Object.assign(door, { delayMs: 3_000, away: false });
    assert.ok((await status()).runtimeConfiguration.kubeconfig);
    Object.assign(door, { delayMs: 0 });
  });

  it("keeps secrets out of requests and states in the database, and passes them to the cluster", async () => {
    const place = placeOf();
    const { kymaConfig } = (await status()).runtimeConfiguration;
    assert.equal(kymaConfig?.configuration?.[0]?.value, "[secret]");
    const text = await everythingIn(place.host.place.pool);
    const secret = { apiVersion: "v1", kind: "Secret", namespace: "compass-system", name: "kyma-module" };
    const inCluster = await place.cluster.client.get(secret);
    const opened = ["global", "agent"].map((key) =>
      Buffer.from(textAt(inCluster, "data", key) ?? "", "base64").toString(),
    );
    assert.deepEqual(opened, [`${HUSH}-global`, `${HUSH}-agent`]);
    assert.ok(text.includes("global.password") && text.includes("v1:test:"));
    const at = text.indexOf(HUSH);
    assert.equal(at, -1, text.slice(Math.max(0, at - 500), at + 100));
    assert.ok(!place.service.log.includes(HUSH));
  });

  it("deletes the runtime without a waiting engine, through Gardener errors, and unregisters it last", async () => {
    const place = placeOf();
    const { door } = place.gardener;
    await place.hold("main");
    const begun = await place.deprovision(id);
    const events = follow(place.service.url, begun.id);
    await place.until(begun.id, ({ message }) => message.endsWith("Stage WaitForClusterDeletion"));
    await place.untilWorkedOn(begun.id, false);
    const { annotations = {} } = (await place.gardener.shoot("main"))?.metadata ?? {};
    assert.equal(annotations["confirmation.gardener.cloud/deletion"], "true");
    assert.equal(annotations["kcp.provisioner.kyma-project.io/runtime-id"], id);
    assert.equal(annotations["kcp.provisioner.kyma-project.io/operation-id"], begun.id);
    door.broken = true;
    const troubled = await place.until(begun.id, ({ lastError }) => lastError.component !== "");
    assert.equal(troubled.state, "InProgress");
    assert.match(troubled.lastError.errMessage, /Gardener does not answer/);
    assert.equal(troubled.lastError.component, "k8s client - gardener");
    door.broken = false;
    assert.deepEqual((await place.until(begun.id, ({ lastError }) => lastError.component === "")).lastError, NO_ERROR);
    await place.release("main");
    assert.equal((await place.succeeded(begun)).operation, "Deprovision");
    assert.equal(await place.gardener.shoot("main"), undefined);
    assert.equal(place.director.runtimes.size, 0);
    await place.emptyCluster();
    assert.equal((await events).at(-1), "done");
    assert.equal((await place.deprovision(id)).id, begun.id);
    assert.equal((await status()).lastOperationStatus.id, begun.id);
  });

  it("creates the runtime again under its id, with a new cluster and the same configuration", async () => {
    const place = placeOf();
    const taken = await place.ask(
      `mutation { reprovisionRuntime(id: "${id}") { id } reprovisionAgain: reprovisionRuntime(id: "${id}") { id } }`,
    );
    assert.equal(taken.errors?.[0]?.extensions["error_code"], 400);
    const { lastOperationStatus: again, runtimeConfiguration: shown } = await status();
    assert.deepEqual([again.operation, again.runtimeID, shown.kymaConfig?.version], ["Provision", id, "2.21.0"]);
    await place.until(again.id, ({ message }) => message.endsWith("Stage WaitingForClusterCreation"));
    await place.release("main");
    await place.succeeded(again);
    assert.equal(
      (await place.gardener.shoot("main"))?.metadata.annotations?.["kcp.provisioner.kyma-project.io/runtime-id"],
      id,
    );
    assert.equal(place.director.runtimes.size, 1);
    await place.gone(again);
  });
}
