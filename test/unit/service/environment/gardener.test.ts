import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../../kubernetes/connect/connect";
import { deploymentOf } from "../../../../service/api/runtimes/request";
import { EnvironmentError, readEnvironment } from "../../../../service/environment";
import { NOT_USED, notUsedIn } from "../../../../service/environment/notUsed";
import { VARIABLES } from "../../../../service/environment/variables";
import { ownCluster, readDirector } from "../../../../service/gardener/director";
import { runtimeSettings } from "../../../../service/api/runtimes/settings";
import { kymaLimits, serviceDefaultsOf } from "../../../../service/gardener/settings";

const read = (env: Record<string, string> = {}) =>
  readEnvironment({ APP_OIDC_ISSUER: "https://issuer.example.com", ...env });

function readFaults(env: Record<string, string>): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof EnvironmentError);
    return error.faults;
  }
}
const WINDOWS = { "europe-west3": { begin: "220000+0100", end: "230000+0100" } };
const ENTRY = { tenantID: "t1", serviceURL: "https://audit.example.com", secretName: "audit" };
const TENANTS = { gcp: { "europe-west3": ENTRY } };

describe("the Gardener environment", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "stackyard-env-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const faultsOf = readFaults;

  it("provides no settings for provisioners by default", () => {
    assert.deepEqual(serviceDefaultsOf(read(), undefined), { auditLogs: {} });
  });

  it("provides the audit policy and the tenants of audit logs", () => {
    const env = {
      APP_GARDENER_AUDIT_LOGS_POLICY_CONFIG_MAP: "policy",
      APP_GARDENER_AUDIT_LOGS_TENANT_CONFIG_PATH: write("tenants.json", TENANTS),
    };
    assert.deepEqual(serviceDefaultsOf(read(env), undefined).auditLogs, {
      policyConfigMap: "policy",
      tenants: TENANTS,
    });
    const mine = serviceDefaultsOf(read({ ...env, APP_GARDENER_AUDIT_LOGS_TENANT: "t2" }), undefined);
    assert.deepEqual(mine.auditLogs?.tenants, { gcp: { "europe-west3": { ...ENTRY, tenantID: "t2" } } });
  });

  it("provides maintenance windows and the URL prefix of brokers", () => {
    const env = {
      APP_GARDENER_MAINTENANCE_WINDOW_CONFIG_PATH: write("windows.json", WINDOWS),
      APP_GARDENER_CLUSTER_CLEANUP_RESOURCE_SELECTOR: "https://brokers.example.com",
    };
    const { maintenanceWindows, brokerUrlPrefix } = serviceDefaultsOf(read(env), undefined);
    assert.deepEqual([maintenanceWindows, brokerUrlPrefix], [WINDOWS, "https://brokers.example.com"]);
  });

  it("provides operator groups in both spellings of the original, and none by default", () => {
    const groupsOf = (env: Record<string, string>) => serviceDefaultsOf(read(env), undefined).operatorGroups;
    const separate = { APP_OPERATOR_ROLE_BINDING_L2_SUBJECT_NAME: "runtimeOperator" };
    assert.deepEqual(groupsOf(separate), { view: "runtimeOperator" });
    assert.deepEqual(groupsOf({ ...separate, APP_OPERATOR_ROLE_BINDING_L3SUBJECT_NAME: "runtimeAdmin" }), {
      view: "runtimeOperator",
      admin: "runtimeAdmin",
    });
    assert.equal(groupsOf({}), undefined);
    const [fault] = faultsOf({ APP_OPERATOR_ROLE_BINDING_L3_SUBJECT_NAME: "system:authenticated" });
    assert.match(
      fault ?? "",
      /L3_SUBJECT_NAME: found "system:authenticated"; expected the name of a group that does not/,
    );
  });

  it("reports faults of files together with all other faults", () => {
    const wrong = write("wrong.json", { "europe-west3": { begin: "noon", end: "230000+0100" } });
    const faults = faultsOf({
      APP_ADDRESS: "3000",
      APP_GARDENER_KUBECONFIG_PATH: write("kubeconfig", "{}"),
      APP_GARDENER_AUDIT_LOGS_TENANT_CONFIG_PATH: join(folder, "none.json"),
      APP_GARDENER_MAINTENANCE_WINDOW_CONFIG_PATH: wrong,
      APP_DIRECTOR_URL: "director",
      APP_SKIP_DIRECTOR_CERT_VERIFICATION: "maybe",
    });
    assert.equal(faults.length, 6, faults.join("\n"));
    const all = faults.join("\n");
    assert.match(all, /KUBECONFIG_PATH: .*expected the path of a kubeconfig, but kubeconfig: found/);
    assert.match(all, /none\.json"; expected the path of a JSON file .*can't be read: ENOENT/);
    assert.match(all, /at \$\.europe-west3\.begin: found "noon"; expected a time such as 220000\+0100/);
    assert.match(faultsOf({ APP_GARDENER_MAINTENANCE_WINDOW_CONFIG_PATH: write("x", "no") }).join(), /it has no JSON/);
  });

  it("provides defaults for new clusters", () => {
    const settings = runtimeSettings(
      read({
        APP_GARDENER_DEFAULT_ENABLE_KUBERNETES_VERSION_AUTO_UPDATE: "true",
        APP_GARDENER_DEFAULT_ENABLE_MACHINE_IMAGE_VERSION_AUTO_UPDATE: "true",
        APP_GARDENER_DEFAULT_ENABLE_IMDSV2: "true",
        APP_GARDENER_FORCE_ALLOW_PRIVILEGED_CONTAINERS: "true",
      }),
      undefined,
    );
    const clusterOf = (more: object) => {
      const gardenerConfig = { name: "acme", ...more };
      const input = { runtimeInput: { name: "acme" }, clusterConfig: { gardenerConfig } } as never;
      return deploymentOf(input, { tenant: "red" }, settings.defaults).cluster;
    };
    const always = { name: "acme", tenant: "red", allowPrivilegedContainers: true };
    const updates = { enableKubernetesVersionAutoUpdate: true, enableMachineImageVersionAutoUpdate: true };
    assert.deepEqual(clusterOf({}), { ...updates, ...always });
    const aws = (config: object) => ({ providerSpecificConfig: { awsConfig: { vpcCidr: "10.0.0.0/16", ...config } } });
    const no = { enableKubernetesVersionAutoUpdate: false, allowPrivilegedContainers: false };
    assert.deepEqual(clusterOf({ ...aws({}), ...no }), {
      ...updates,
      ...aws({ enableIMDSv2: true }),
      enableKubernetesVersionAutoUpdate: false,
      ...always,
    });
    assert.deepEqual(clusterOf(aws({ enableIMDSv2: false })), {
      ...updates,
      ...aws({ enableIMDSv2: false }),
      ...always,
    });
  });

  it("uses the cluster of KUBECONFIG for the credentials, or none", () => {
    const cluster = { name: "c", cluster: { server: "https://c.example.com" } };
    const kubeconfig = {
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c" } }],
      clusters: [cluster],
    };
    assert.notEqual(ownCluster({ KUBECONFIG: write("config", kubeconfig) }), undefined);
    assert.equal(ownCluster({}), undefined);
  });
});

describe("unused variables of the original", () => {
  it("are reported with the reason if they are set, and never with their values", () => {
    const found = notUsedIn({
      APP_DOWNLOAD_PRE_RELEASES: "true",
      APP_OPERATOR_ROLE_BINDING_CREATING_FOR_ADMIN: "",
      APP_DATABASE_SECRET_KEY: "hidden-key-of-16",
      APP_PLATFORM: "dev",
    });
    assert.deepEqual(
      found.map(({ variable }) => variable),
      ["APP_DOWNLOAD_PRE_RELEASES", "APP_DATABASE_SECRET_KEY"],
    );
    assert.match(found[0]?.reason ?? "", /A release of Kyma is downloaded/);
    assert.doesNotMatch(JSON.stringify(found), /hidden/);
  });

  it("cause no fault", () => {
    for (const name of Object.keys(NOT_USED)) assert.deepEqual(readFaults({ [name]: "1" }), [], name);
  });

  it("exclude variables that the service reads", () => {
    assert.deepEqual(
      Object.keys(NOT_USED).filter((name) => Object.hasOwn(VARIABLES, name)),
      [],
    );
  });
});

describe("timeouts of the environment", () => {
  it("include bindings and agent configuration for a cluster without Kyma", () => {
    const minutes = (env: Record<string, string> = {}) => kymaLimits(read(env)).bare.bindings / 60_000;
    assert.equal(minutes(), 5 + 15);
    assert.equal(minutes({ APP_PROVISIONING_NO_INSTALL_TIMEOUT_AGENT_CONFIGURATION: "1m" }), 6);
    assert.equal(minutes({ APP_PROVISIONING_TIMEOUT_AGENT_CONFIGURATION: "2m" }), 7);
  });
});

describe("the Director of the environment", () => {
  let server: Server;
  let secrets: Record<string, unknown>;
  const SECRET = { client_id: "c", client_secret: "hidden", tokens_endpoint: "https://oauth.example.com/token" };
  const encoded = (data: Record<string, string>) => ({
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")])),
  });

  before(async () => {
    server = createServer((request, response) => {
      const path = (request.url ?? "").split("?")[0] ?? "";
      const kinds = { resources: [{ name: "secrets", kind: "Secret", namespaced: true, verbs: ["get"] }] };
      const found = path === "/api/v1" ? kinds : secrets[path.replace("/api/v1/namespaces/", "")];
      const none = { kind: "Status", code: 404, reason: "NotFound", message: "there is none" };
      response.writeHead(found ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(found ?? none));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  beforeEach(() => (secrets = {}));
  after(() => server.close());

  const client = () => {
    const { port } = server.address() as AddressInfo;
    const clusters = [{ name: "c", cluster: { server: `http://127.0.0.1:${port}` } }];
    const text = { "current-context": "c", contexts: [{ name: "c", context: { cluster: "c" } }], clusters };
    return connect(JSON.stringify(text), undefined, {});
  };
  const SET = { APP_DIRECTOR_URL: "https://director.example.com/graphql" };

  it("has the original's URL and Secret by default, and exists if the Secret exists", async () => {
    assert.deepEqual(await readDirector(read(), client), { why: "no such Secret" });
    secrets["compass-system/secrets/compass-provisioner-credentials"] = encoded(SECRET);
    const { director } = await readDirector(read(), client);
    assert.deepEqual(director, {
      url: "https://compass-gateway-auth-oauth.kyma.local/director/graphql",
      tokenUrl: "https://oauth.example.com/token",
      clientId: "c",
      clientSecret: "hidden",
      skipCertVerification: false,
      agent: true,
    });
  });

  it("has the values of the variables", async () => {
    secrets["mine/secrets/director"] = encoded(SECRET);
    const env = { ...SET, APP_OAUTH_CREDENTIALS_SECRET_NAME: "director", APP_SKIP_DIRECTOR_CERT_VERIFICATION: "true" };
    for (const namespace of ["APP_CREDENTIALS_NAMESPACE", "APP_OAUTH_CREDENTIALS_NAMESPACE"]) {
      const { director } = await readDirector(read({ ...env, [namespace]: "mine" }), client);
      assert.deepEqual([director?.url, director?.skipCertVerification], [SET.APP_DIRECTOR_URL, true]);
    }
  });

  it("is a fault if its URL is set and its Secret is missing, invalid or unreachable", async () => {
    await assert.rejects(readDirector(read(SET), client), /found no such Secret; expected the Secret compass-system\//);
    await assert.rejects(
      readDirector(read(SET), () => undefined),
      /found no cluster: the service runs in none, and KUBECONFIG is not set/,
    );
    secrets["compass-system/secrets/compass-provisioner-credentials"] = encoded({ ...SECRET, tokens_endpoint: "x" });
    await assert.rejects(readDirector(read(SET), client), (error: Error) => {
      assert.match(error.message, /found no valid tokens_endpoint in the Secret .*; expected a URL/);
      assert.doesNotMatch(error.message, /hidden/);
      return error instanceof EnvironmentError;
    });
  });
});
