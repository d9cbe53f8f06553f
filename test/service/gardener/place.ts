import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { RECORD_LABEL } from "../../../kubernetes/owners/annotations";
import { OPERATION_ANNOTATION, shootRef } from "../../../kubernetes/gardener/shoot";
import { DirectorDouble } from "../../doubles/director/director";
import type { RuntimeCluster } from "../../doubles/gardener/adminKubeconfig";
import { CLEANUP, FAULT } from "../../doubles/gardener/behaviour/faults";
import { Gardener } from "../../doubles/gardener/gardener";
import { shootsCluster } from "../../doubles/gardener/shootsCluster";
import { AgentDouble, CONNECTIONS } from "../../doubles/kyma/agent";
import { ReleasesDouble } from "../../doubles/kyma/installer";
import { until } from "../../engine/cli/held";
import { MARK } from "../../engine/soak/harm";
import { ask, ServiceProcess, TOKEN, type Reply, type Sent } from "../process";
import { TestService } from "../service";

export const STATUS = "id operation state message runtimeID compassRuntimeID lastError { errMessage reason component }";

/** An operation as the API shows it. */
export interface Status {
  readonly id: string;
  readonly operation: string;
  readonly state: string;
  readonly message: string;
  readonly runtimeID: string;
  readonly compassRuntimeID: null;
  readonly lastError: { readonly errMessage: string; readonly reason: string; readonly component: string };
}

export const NO_ERROR = { errMessage: "", reason: "", component: "" };
const PATIENCE_MS = 90_000;
const AGENT = "compass-runtime-agent";
const CREDENTIALS = "director-credentials";
/** Those of Kyma and of its agent. */
const NAMESPACES: readonly string[] = ["compass-system", "kyma-system"];
const CLUSTER_WIDE = [
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole" },
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding" },
  { apiVersion: "v1", kind: "Namespace" },
];

/** Gardener, a Director, Kyma's agent, a platform that knows them, and the service's real process. */
export class RuntimePlace {
  service!: ServiceProcess;
  agent!: AgentDouble;

  private constructor(
    readonly director: DirectorDouble,
    /** Of Kyma by its own installer, which the provisioner `installer` has. */
    readonly releases: ReleasesDouble,
    readonly gardener: Gardener,
    /** What the clusters of all Shoots are. */
    readonly cluster: RuntimeCluster,
    readonly host: TestService,
    readonly folder: string,
    readonly mark: string,
  ) {}

  static async start(): Promise<RuntimePlace> {
    const id = randomBytes(1).toString("hex");
    const cluster = await shootsCluster();
    const yard = process.env["STACKYARD_TEST_YARD"] ?? "";
    const gardener = await Gardener.start({ yard, cluster, stepMs: 20, project: `s${id}` });
    const folder = mkdtempSync(join(tmpdir(), "garden-"));
    const director = new DirectorDouble();
    director.tenants.add("red");
    await director.listen();
    const garden = {
      type: "gardener",
      spec: {
        project: gardener.project,
        kubeconfig: { content: gardener.kubeconfig },
        secretBindings: { gcp: "gcp" },
        kyma: { versions: { "2.20.0": kyma(folder, "2.20.0"), "2.21.0": kyma(folder, "2.21.0"), "2.22.0": BROKEN } },
      },
    };
    const releases = new ReleasesDouble();
    await releases.listen();
    const installerUrl = releases.publish("1.24.8").installerUrl.replace("1.24.8", "{version}");
    const kymaByInstaller = { mode: "installer", installerUrl, timeoutSeconds: 20 };
    const installer = { ...garden, spec: { ...garden.spec, kyma: kymaByInstaller } };
    writeFileSync(join(folder, "kubeconfig"), gardener.kubeconfig);
    await gardener.garden.apply(credentialsOf(director, gardener.namespace));
    const host = await TestService.start({ defaultProvisioner: "garden", provisioners: { garden, installer } });
    const place = new RuntimePlace(
      director,
      releases,
      gardener,
      cluster,
      host,
      folder,
      `gardener-${randomBytes(4).toString("hex")}`,
    );
    await cluster.client.apply(CONNECTIONS);
    place.agent = new AgentDouble(cluster.client, "compass-system", ["Synchronized"]);
    await place.begin();
    return place;
  }

  /** Starts the service's process. */
  async begin(env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.service = await ServiceProcess.start({ ...this.env, ...env });
  }

  /** The environment of the service. */
  get env(): Readonly<Record<string, string | undefined>> {
    const { host, folder, gardener, director, mark } = this;
    return {
      ...host.project.place.env,
      [MARK]: mark,
      APP_DATABASE_URL: host.place.url,
      APP_PLATFORM: "here",
      // Waiting tests ask ten times a second.
      APP_LIMIT_REQUESTS_PER_MINUTE: "100000",
      APP_GARDENER_PROVISIONER: "garden",
      APP_GARDENER_PROJECT: gardener.project,
      APP_GARDENER_KUBECONFIG_PATH: join(folder, "kubeconfig"),
      APP_GARDENER_AUDIT_LOGS_POLICY_CONFIG_MAP: "audit-policy",
      APP_OPERATOR_ROLE_BINDING_L2_SUBJECT_NAME: "test-viewers",
      APP_OPERATOR_ROLE_BINDING_L3_SUBJECT_NAME: "test-admins",
      APP_GARDENER_ENABLE_DUMP_SHOOT_SPEC: "true",
      APP_GARDENER_DUMP_SHOOT_SPEC_PATH: join(folder, "shoots"),
      // The Director is the environment's: the provisioner names none.
      KUBECONFIG: join(folder, "kubeconfig"),
      APP_DIRECTOR_URL: director.url,
      APP_CREDENTIALS_NAMESPACE: gardener.namespace,
      APP_OAUTH_CREDENTIALS_SECRET_NAME: CREDENTIALS,
    };
  }

  async end(): Promise<void> {
    await this.service.stop();
    await this.agent.stop();
    const { garden, namespace } = this.gardener;
    const { apiVersion, kind } = shootRef(namespace, "");
    for (const { metadata } of await garden.list({ apiVersion, kind, namespace })) await this.release(metadata.name);
    await this.host.remove();
    await this.director.close();
    await this.releases.close();
    await this.gardener.stop();
    rmSync(this.folder, { recursive: true });
  }

  ask(query: string, tenant = "red", token = TOKEN, more: Sent = {}): Promise<Reply> {
    return ask(this.service.url, query, token, tenant, more);
  }

  /** The answer of the only field that is asked for. Throws what the API answers instead. */
  async get<T = Status>(query: string, more: Sent = {}): Promise<T> {
    const { data, errors } = await this.ask(query, undefined, undefined, more);
    assert.equal(errors, undefined, JSON.stringify(errors));
    return Object.values(data ?? {})[0] as T;
  }

  /** Asks for a new runtime; `fields` go over a small cluster on GCP, `more` stands beside it. */
  provision(name: string, fields = "", more = ""): Promise<Status> {
    return this.get(`mutation { provisionRuntime(config: ${configOf(name, fields, more)}) { ${STATUS} } }`);
  }

  /** Asks for a mutation of a runtime. */
  change(field: string, id: string, config = ""): Promise<Status> {
    return this.get(`mutation { ${field}(id: "${id}"${config && `, config: ${config}`}) { ${STATUS} } }`);
  }

  operation(id: string): Promise<Status> {
    return this.get(`{ runtimeOperationStatus(id: "${id}") { ${STATUS} } }`);
  }

  /** The operation when it has ended, or is as wanted. */
  async until(
    id: string,
    good: (status: Status) => boolean = ({ state }) => state !== "InProgress",
    patienceMs = PATIENCE_MS,
  ): Promise<Status> {
    for (const end = Date.now() + patienceMs; ; await sleep(100)) {
      const status = await this.operation(id);
      if (good(status)) return status;
      if (Date.now() > end || status.state !== "InProgress") {
        throw new Error(`it is not what is waited for: ${JSON.stringify(status)}\n${this.log}`);
      }
    }
  }

  async succeeded(begun: Pick<Status, "id">): Promise<Status> {
    const status = await this.until(begun.id);
    assert.deepEqual([status.state, status.lastError], ["Succeeded", NO_ERROR], this.log);
    assert.equal(status.message, "Operation succeeded");
    return status;
  }

  async deprovision(id: string): Promise<Status> {
    return { id: await this.get<string>(`mutation { deprovisionRuntime(id: "${id}") }`) } as Status;
  }

  /** Deletes a runtime, and what its cluster had, which other runtimes have after it. */
  async gone({ runtimeID }: Pick<Status, "runtimeID">): Promise<void> {
    await this.succeeded(await this.deprovision(runtimeID));
    await this.emptyCluster();
  }

  /** Makes the cluster as empty as a new one: without objects of the runtime before, and without records of its owner. */
  async emptyCluster(): Promise<void> {
    const { client } = this.cluster;
    await client.remove(CONNECTION);
    const records = await client.list({ apiVersion: "v1", kind: "ConfigMap" }, { label: RECORD_LABEL });
    for (const { metadata } of records) await client.remove({ apiVersion: "v1", kind: "ConfigMap", ...metadata });
    for (const kind of CLUSTER_WIDE) {
      const owned = async () =>
        (await client.list(kind)).filter(
          ({ metadata: { name, annotations } }) =>
            annotations?.[OWNER_ANNOTATION] !== undefined || NAMESPACES.includes(name),
        );
      for (const { metadata } of await owned()) await client.remove({ ...kind, name: metadata.name });
      await until(`the cluster has no ${kind.kind} of a runtime`, async () => (await owned()).length === 0);
    }
  }

  /** Keeps whatever Gardener does with a Shoot from its end. */
  hold = (name: string): Promise<KubeObject> => this.annotate(name, CLEANUP);
  release = (name: string): Promise<KubeObject> => this.annotate(name, "none");
  fail = (name: string, fault: string): Promise<KubeObject> => this.annotate(name, fault);

  /** Has Gardener look at a Shoot again, and waits until it is done. */
  async reconciled(name: string): Promise<void> {
    await this.merge(name, { metadata: { annotations: { [OPERATION_ANNOTATION]: "reconcile" } } });
    await this.gardener.until(
      name,
      (shoot) =>
        shoot?.metadata.annotations?.[OPERATION_ANNOTATION] === undefined &&
        textAt(shoot, "status", "lastOperation", "state") === "Succeeded",
    );
  }

  /** Has the agent report this. */
  async connectionIs(connectionState: string): Promise<void> {
    const { apiVersion, kind, name } = CONNECTION;
    await this.cluster.client.apply({ apiVersion, kind, metadata: { name }, spec: {}, status: { connectionState } });
  }

  /** Waits until an operation has reported this, with % for any text. */
  async reported(id: string, text: string): Promise<void> {
    const query = "select from event where operation_id = $1 and text like $2";
    await until(`it reports ${text}`, async () => {
      return ((await this.host.place.pool.query(query, [id, text])).rowCount ?? 0) > 0;
    });
  }

  /** What the service said, without the requests. */
  get log(): string {
    const lines = this.service.log.split("\n").filter((line) => !line.includes('"path":"/graphql"'));
    return lines.slice(-20).join("\n");
  }

  /** Waits until a process of the service works on an operation, or nobody does and it has no worker and no engine. */
  async untilWorkedOn(id: string, isWorkedOn: boolean): Promise<void> {
    const text = "select from operation where id = $1 and (lease_owner is not null) = $2";
    const isSo = async () => (await this.host.place.pool.query(text, [id, isWorkedOn])).rowCount === 1;
    await until(`${isWorkedOn ? "somebody" : "nobody"} works on it`, isSo);
  }

  merge(name: string, patch: object): Promise<KubeObject> {
    return this.gardener.garden.merge(shootRef(this.gardener.namespace, name), patch as never);
  }

  private annotate(name: string, fault: string): Promise<KubeObject> {
    return this.merge(name, { metadata: { annotations: { [FAULT]: fault } } });
  }
}

const CONNECTION = {
  apiVersion: "compass.kyma-project.io/v1alpha1",
  kind: "CompassConnection",
  name: "compass-connection",
};

/** The Secret that the environment names. */
function credentialsOf({ access }: DirectorDouble, namespace: string): KubeObject {
  const { tokenUrl, clientId, clientSecret } = access;
  const data = { client_id: clientId, client_secret: clientSecret, tokens_endpoint: tokenUrl };
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name: CREDENTIALS },
    data: Object.fromEntries(encoded),
  };
}

/** A version of Kyma of one module: a chart with secret values. */
function kyma(folder: string, version: string) {
  const path = join(folder, version);
  mkdirSync(join(path, "templates"), { recursive: true });
  const module = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kyma-module" }, data: { version } };
  const stringData = { global: "{{ .Values.global.password }}", agent: "{{ .Values.agent.password }}" };
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "kyma-module" }, stringData };
  const text = [module, secret].map((object) => JSON.stringify(object)).join("\n---\n");
  writeFileSync(join(path, "templates", "module.yaml"), text);
  writeFileSync(join(path, "Chart.yaml"), `apiVersion: v2\nname: ${AGENT}\nversion: ${version}\n`);
  return { modules: { [AGENT]: { namespace: "default", format: "helm", sources: [{ type: "local", path }] } } };
}

/** A version whose module can't be applied. */
const BROKEN = {
  modules: { [AGENT]: { namespace: "default", format: "helm", sources: [{ type: "local", path: "/nowhere" }] } },
};

/** Begins every secret of a request. */
export const HUSH = "hush-of-the-customer";

export const KYMA = (version: string): string =>
  `{ version: "${version}"
    configuration: [{ key: "global.password" value: "${HUSH}-global" secret: true }]
    components: [{ component: "${AGENT}", namespace: "compass-system"
      configuration: [{ key: "agent.password" value: "${HUSH}-agent" secret: true }] }] }`;

/** A small cluster as the original's clients write it into a query; fields that are given again count. */
export function clusterOf(fields: string): string {
  const given = new Set([...fields.matchAll(/(?:^|\s)(\w+):/g)].map(([, key]) => key));
  const all: Readonly<Record<string, string>> = {
    kubernetesVersion: '"1.32.8"',
    provider: '"gcp"',
    targetSecret: '"gcp"',
    region: '"europe-west3"',
    machineType: '"n1-standard-4"',
    diskType: '"pd-standard"',
    volumeSizeGB: "50",
    workerCidr: '"10.250.0.0/19"',
    autoScalerMin: "2",
    autoScalerMax: "4",
    maxSurge: "1",
    maxUnavailable: "0",
    providerSpecificConfig: '{ gcpConfig: { zones: ["europe-west3-a"] } }',
  };
  const rest = Object.entries(all).flatMap(([key, value]) => (given.has(key) ? [] : [`${key}: ${value}`]));
  return `{ ${[...rest, fields].join(" ")} }`;
}

export const configOf = (name: string, fields = "", more = ""): string =>
  `{ runtimeInput: { name: "${name}" } clusterConfig: { gardenerConfig: ${clusterOf(`name: "${name}" ${fields}`)} administrators: ["ada@example.com"] } ${more} }`;
