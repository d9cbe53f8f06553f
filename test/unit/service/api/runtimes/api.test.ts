import assert from "node:assert/strict";
import { buildSchema, parse, validate } from "graphql";
import type { KubeObject } from "../../../../../kubernetes/objects/objects";
import type { RuntimeSettings } from "../../../../../service/api/context";
import { blocksOf } from "../../../../fixtures/pages";
import { OperationError } from "../../../../../service/operations/error";
import type { Caller, OperationInput } from "../../../../../service/operations";
import { apiOver, errorOf, SDL, TOKENS, type Answer, type Asking } from "../client";
import { fakeBackend, operationRow, OPERATIONS } from "../fakeBackend";
import { clusterWith, GCP, KYMA, provisioningOf, PROVISIONING, SHOOT_UPGRADE, UPGRADE } from "./inputs";

const STATUS = "id operation state message runtimeID compassRuntimeID lastError { errMessage reason component }";

/** The API over a backend that notes what is asked for in full. */
function place(refusal?: Error, shoots: Partial<NonNullable<RuntimeSettings["shoots"]>> = {}) {
  const fake = fakeBackend();
  const requests: OperationInput[] = [];
  const seen = {
    soon: () => Promise.resolve(undefined),
    kubeconfig: () => Promise.resolve(undefined),
    issue: () => Promise.reject(new Error("there is no Gardener")),
    ...shoots,
  };
  const backend = {
    ...fake,
    changes: {
      ...fake.changes,
      request: (asked: OperationInput, caller: Caller) => {
        if (refusal) return Promise.reject(refusal);
        requests.push(asked);
        const { kind, deployment, change = { deployment: {} } } = asked;
        return Promise.resolve(
          operationRow(OPERATIONS.acme, deployment, caller.tenant, { kind, change, state: "pending", error: null }),
        );
      },
    },
  };
  const { ask } = apiOver(backend, { runtimes: { shoots: seen } });
  const asking = { tenant: "acme", token: TOKENS.operator };
  return {
    fake,
    requests,
    ask: (query: string, more: Asking = {}): Promise<Answer> => ask(query, { ...asking, ...more }),
  };
}

const provision = (config: string): string => `mutation { provisionRuntime(config: ${config}) { ${STATUS} } }`;
const original = (answer: Answer): unknown =>
  Object.fromEntries(Object.entries(errorOf(answer)).filter(([key]) => key.startsWith("error_")));

describe("the original Runtime Provisioner's API", () => {
  it("provisions a runtime with Kyma, and immediately reports it as in progress", async () => {
    const { ask, requests } = place();
    const answer = await ask(provision(PROVISIONING));
    assert.equal(answer.errors, undefined);
    const { id, runtimeID, ...status } = answer.data?.["provisionRuntime"] as Record<string, string>;
    assert.match(runtimeID ?? "", /^[0-9a-f-]{36}$/);
    assert.equal(id, OPERATIONS.acme);
    assert.deepEqual(status, {
      operation: "Provision",
      state: "InProgress",
      message: "Provisioning started",
      compassRuntimeID: null,
      lastError: { errMessage: "", reason: "", component: "" },
    });
    const [asked] = requests;
    assert.ok(asked);
    assert.equal(asked.deployment, runtimeID);
    assert.equal(asked.change?.platform, "dev");
    const { cluster, kyma, provisioner, ...rest } = asked.change?.deployment ?? {};
    assert.equal(provisioner, "gardener");
    assert.deepEqual([cluster?.tenant, cluster?.name, cluster?.autoScalerMax], ["acme", "acme", 4]);
    assert.deepEqual(cluster?.providerSpecificConfig, { gcpConfig: { zones: ["europe-west3-a", "europe-west3-b"] } });
    assert.deepEqual(
      kyma?.components?.map((one) => one.component),
      ["compass-runtime-agent", "istio"],
    );
    assert.deepEqual(rest, { runtime: { name: "acme", description: "of a test", labels: { team: ["a", 1] } } });
  });

  it("provisions a cluster without Kyma if no kymaConfig is given", async () => {
    const { ask, requests } = place();
    const answer = await ask(provision(provisioningOf(clusterWith('provider: "gcp"'))));
    assert.equal(answer.data?.["provisionRuntime"].operation, "ProvisionNoInstall");
    assert.match(requests[0]?.change?.deployment.cluster?.name ?? "", /^[a-z][0-9a-f]{6}$/);
    assert.equal(requests[0]?.change?.deployment.kyma, undefined);
  });

  const ZONE = 'name: "a", publicCidr: "10.1.0.0/20", internalCidr: "10.1.16.0/20", workerCidr: "10.1.32.0/20"';
  const CLOUDS: Readonly<Record<string, string>> = {
    "azure, with zones in one subnet":
      'azureConfig: { vnetCidr: "10.250.0.0/16", zones: ["1"], enableNatGateway: true }',
    "azure, with a subnet for each zone":
      'azureConfig: { vnetCidr: "10.1.0.0/16", azureZones: [{ name: 1, cidr: "10.1.0.0/20" }] }',
    aws: `awsConfig: { vpcCidr: "10.1.0.0/16", enableIMDSv2: true, awsZones: [{ ${ZONE} }] }`,
    "aws, in the form of early clients":
      'awsConfig: { zone: "a", vpcCidr: "10.1.0.0/16", publicCidr: "10.1.0.0/20", internalCidr: "10.1.16.0/20" }',
    openstack: 'openStackConfig: { zones: ["eu-1a"], loadBalancerProvider: "f5" }',
  };
  for (const [name, block] of Object.entries(CLOUDS)) {
    it(`accepts the configuration of ${name}`, async () => {
      const { ask, requests } = place();
      const answer = await ask(provision(provisioningOf(clusterWith(`provider: "${name.split(",")[0]}"`, block))));
      assert.equal(answer.errors, undefined);
      const provider = requests[0]?.change?.deployment.cluster?.providerSpecificConfig ?? {};
      assert.deepEqual(Object.keys(provider), [block.split(":")[0]]);
    });
  }

  const refused: Readonly<Record<string, string>> = {
    "Kyma without components": provisioningOf(
      clusterWith('provider: "gcp"'),
      'kymaConfig: { version: "2.0", components: [] }',
    ),
    "Kyma without the agent": provisioningOf(
      clusterWith('provider: "gcp"'),
      'kymaConfig: { version: "2.0", components: [{ component: "istio", namespace: "a" }] }',
    ),
    "a version of an image without the image": provisioningOf(
      clusterWith('provider: "gcp" machineImageVersion: "24.3"'),
    ),
    "OpenStack with diskType": provisioningOf(clusterWith('provider: "OpenStack" diskType: "ssd"')),
    "OpenStack with volumeSizeGB": provisioningOf(clusterWith('provider: "openstack" volumeSizeGB: 50')),
    "no block of a cloud": provisioningOf(clusterWith('provider: "gcp"', "")).replace("{  }", "{}"),
    "no clusterConfig": '{ runtimeInput: { name: "acme" } }',
    "no runtimeInput": provisioningOf(clusterWith('provider: "gcp"')).replace(
      /runtimeInput: .*? clusterConfig/,
      "clusterConfig",
    ),
    "no gardenerConfig": '{ runtimeInput: { name: "acme" } clusterConfig: {} }',
  };
  for (const [what, config] of Object.entries(refused)) {
    it(`rejects ${what} with 400, and requests nothing`, async () => {
      const { ask, requests } = place();
      const answer = await ask(provision(config));
      const expected = { error_code: 400, error_reason: "err_provisioner_internal", error_component: "provisioner" };
      assert.deepEqual(original(answer), expected, JSON.stringify(answer));
      assert.deepEqual(requests, []);
    });
  }

  const FIELDS: Readonly<Record<string, string>> = {
    runtimeStatus: 'query { runtimeStatus(id: "ID") { hibernationStatus { hibernated } } }',
    runtimeOperationStatus: `query { runtimeOperationStatus(id: "OPERATION") { id } }`,
    upgradeRuntime: `mutation { upgradeRuntime(id: "ID", config: ${UPGRADE}) { id } }`,
    upgradeShoot: `mutation { upgradeShoot(id: "ID", config: ${SHOOT_UPGRADE}) { id } }`,
    hibernateRuntime: 'mutation { hibernateRuntime(id: "ID") { id } }',
    wakeRuntime: 'mutation { wakeRuntime(id: "ID") { id } }',
    deprovisionRuntime: 'mutation { deprovisionRuntime(id: "ID") }',
    rollBackUpgradeOperation: 'mutation { rollBackUpgradeOperation(id: "ID") { hibernationStatus { hibernated } } }',
    reconnectRuntimeAgent: 'mutation { reconnectRuntimeAgent(id: "ID") }',
  };
  for (const [name, text] of Object.entries(FIELDS)) {
    const query = text.replace("ID", "acme-1").replace("OPERATION", OPERATIONS.acme);
    it(`requires the header tenant for ${name}`, async () => {
      const { ask, requests } = place();
      const answer = await ask(query, { tenant: "" });
      assert.equal(answer.errors?.[0]?.message, "tenant header is empty");
      assert.equal((original(answer) as { error_code: number }).error_code, 400);
      assert.deepEqual(requests, []);
    });

    it(`rejects ${name} of another tenant with 400 and without data`, async () => {
      const { ask, requests } = place();
      const asking = { tenant: "other", token: TOKENS.all };
      const answer = await ask(query, asking);
      assert.equal((original(answer) as { error_code: number }).error_code, 400);
      assert.equal(answer.data?.[name] ?? null, null);
      assert.deepEqual(requests, []);
      const nobodys = await ask(query.replace("acme-1", "nobody-1").replace(OPERATIONS.acme, "none"), asking);
      assert.deepEqual(nobodys, answer);
    });
  }

  it("keeps fields that an upgrade does not name, including administrators", async () => {
    const { ask, requests } = place();
    await ask(`mutation { upgradeShoot(id: "acme-1", config: { gardenerConfig: { machineType: null } }) { id } }`);
    await ask(`mutation { upgradeShoot(id: "acme-1", config: { gardenerConfig: {}, administrators: [] }) { id } }`);
    const [same, without] = requests.map(({ change }) => change?.deployment.cluster);
    assert.deepEqual(same?.administrators, ["ann@example.com"]);
    assert.equal(same?.kubernetesVersion, "1.33.4");
    assert.deepEqual(without?.administrators, []);
  });

  it("merges all fields that an upgrade names", async () => {
    const { ask, requests } = place();
    const config = `kubernetesVersion: "1.33.5", purpose: "testing", machineType: "n2-standard-8", diskType: "ssd",
      volumeSizeGB: 50, autoScalerMin: 2, autoScalerMax: 6, machineImage: "ubuntu", machineImageVersion: "12.0.2",
      maxSurge: 2, maxUnavailable: 1, enableKubernetesVersionAutoUpdate: true, enableMachineImageVersionAutoUpdate: true,
      exposureClassName: "internet", shootNetworkingFilterDisabled: false, oidcConfig: { clientID: "a", groupsClaim: "g",
      issuerURL: "https://issuer.example.com", signingAlgs: ["RS256"], usernameClaim: "sub", usernamePrefix: "-" }`;
    const answer = await ask(
      `mutation { upgradeShoot(id: "acme-1", config: { gardenerConfig: { ${config} } }) { ${STATUS} } }`,
    );
    assert.equal(answer.data?.["upgradeShoot"].operation, "UpgradeShoot");
    assert.equal(answer.data?.["upgradeShoot"].message, "Starting Gardener Shoot upgrade");
    const { cluster } = requests[0]?.change?.deployment ?? {};
    assert.deepEqual(
      [cluster?.purpose, cluster?.volumeSizeGB, cluster?.maxSurge, cluster?.oidcConfig?.clientID, cluster?.name],
      ["testing", 50, 2, "a", "acme"],
    );
    assert.deepEqual([requests[0]?.alone, requests[0]?.revision], [true, 1]);
  });

  for (const field of ["machineType", "diskType", "purpose", "kubernetesVersion"]) {
    it(`rejects an upgrade to an empty ${field}`, async () => {
      const { ask, requests } = place();
      const answer = await ask(
        `mutation { upgradeShoot(id: "acme-1", config: { gardenerConfig: { ${field}: "" } }) { id } }`,
      );
      assert.equal((original(answer) as { error_code: number }).error_code, 400);
      assert.equal(errorOf(answer).path, `gardenerConfig.${field}`);
      assert.deepEqual(requests, []);
    });
  }

  for (const [what, config] of Object.entries({
    "no gardenerConfig": "{}",
    "no block of a cloud": "{ gardenerConfig: { providerSpecificConfig: {} } }",
    "a block of another cloud":
      '{ gardenerConfig: { providerSpecificConfig: { azureConfig: { vnetCidr: "10.250.0.0/16" } } } }',
  })) {
    it(`rejects an upgrade with ${what} with 400, and requests nothing`, async () => {
      const { ask, requests } = place();
      const answer = await ask(`mutation { upgradeShoot(id: "acme-1", config: ${config}) { id } }`);
      const expected = { error_code: 400, error_reason: "err_provisioner_internal", error_component: "provisioner" };
      assert.deepEqual(original(answer), expected, JSON.stringify(answer));
      assert.deepEqual(requests, []);
    });
  }

  it("upgrades Kyma, hibernates, wakes, reconnects and deprovisions, each exclusively", async () => {
    const { ask, requests } = place();
    const types: string[] = [];
    for (const name of ["upgradeRuntime", "hibernateRuntime", "wakeRuntime"]) {
      const answer = await ask((FIELDS[name] ?? "").replace("ID", "acme-1").replace("{ id }", `{ ${STATUS} }`));
      types.push(String(answer.data?.[name].operation));
    }
    for (const name of ["reconnectRuntimeAgent", "deprovisionRuntime"]) {
      const answer = await ask((FIELDS[name] ?? "").replace("ID", "acme-1"));
      assert.equal(answer.data?.[name], OPERATIONS.acme);
    }
    assert.deepEqual(types, ["Upgrade", "Hibernate", "Wake"]);
    assert.deepEqual(
      requests.map(({ kind, alone }) => [kind, alone]),
      ["update", "hibernate", "wake", "refresh", "deprovision"].map((kind) => [kind, true]),
    );
  });

  it("reprovisions a runtime under its id, with the old or a new config", async () => {
    const { ask, requests } = place();
    await ask('mutation { reprovisionRuntime(id: "acme-1") { id } }');
    const { deployment, kind, change } = requests[0]!;
    assert.deepEqual([deployment, kind, change?.platform], ["acme-1", "provision", "organization/stackyard/dev"]);
    assert.equal((change?.deployment.cluster as { name: string }).name, "acme");
    await ask(`mutation { reprovisionRuntime(id: "acme-1", config: ${PROVISIONING}) { id } }`);
    const again = requests[1]!;
    assert.deepEqual([again.deployment, again.kind], ["acme-1", "provision"]);
    assert.equal((again.change?.deployment.runtime as { name: string }).name, "acme");
  });

  it("rolls a runtime back to the Kyma version before the last upgrade", async () => {
    const { ask, requests } = place();
    await ask('mutation { rollBackRuntime(id: "acme-1") { id } }');
    assert.equal(requests[0]?.change?.deployment.kyma?.version, "2.20.0");
    assert.equal(requests[0]?.change?.deployment.cluster, undefined);
  });

  it("shows the configuration without its secrets", async () => {
    const { ask } = place();
    const answer = await ask(`{ runtimeStatus(id: "acme-1") {
      lastOperationStatus { ${STATUS} }
      runtimeConnectionStatus { status errors { message } }
      hibernationStatus { hibernated }
      runtimeConfiguration {
        clusterConfig { name oidcConfig { clientID } providerSpecificConfig { ... on GCPProviderConfig { zones } } administrators }
        kymaConfig { version components { component } configuration { key value secret } }
      }
    } }`);
    assert.equal(answer.errors, undefined);
    const { lastOperationStatus, runtimeConfiguration, ...rest } = answer.data?.["runtimeStatus"];
    assert.deepEqual([lastOperationStatus.operation, lastOperationStatus.state], ["Upgrade", "Failed"]);
    assert.deepEqual(lastOperationStatus.lastError, {
      errMessage: "no",
      reason: "err_provisioner_internal",
      component: "provisioner",
    });
    assert.deepEqual(runtimeConfiguration.clusterConfig, {
      name: "acme",
      oidcConfig: null,
      providerSpecificConfig: { zones: ["europe-west3-a"] },
      administrators: ["ann@example.com"],
    });
    assert.deepEqual(runtimeConfiguration.kymaConfig.configuration, [
      { key: "global.password", value: "[secret]", secret: true },
    ]);
    assert.deepEqual(rest, {
      runtimeConnectionStatus: { status: "Pending", errors: null },
      hibernationStatus: { hibernated: false },
    });
    const configs = await ask("{ deployments { nodes { desiredConfig operations { nodes { change } } } } }");
    assert.doesNotMatch(JSON.stringify(configs), /hidden-password/);
  });

  const shootWith = (status: object): KubeObject => ({
    apiVersion: "core.gardener.cloud/v1beta1",
    kind: "Shoot",
    metadata: { name: "acme" },
    status,
  });
  const NEVER = { type: "HibernationPossible", status: "False", message: "a webhook would keep it from waking" };
  const HIBERNATION = "hibernationStatus { hibernated hibernationPossible }";

  it("shows Gardener's hibernation constraints, and rejects a hibernation that they forbid", async () => {
    const { requests, ask } = place(undefined, {
      soon: () => Promise.resolve(shootWith({ hibernated: false, constraints: [NEVER] })),
    });
    const status = await ask(`{ runtimeStatus(id: "acme-1") { ${HIBERNATION} } }`);
    assert.deepEqual(status.data?.["runtimeStatus"].hibernationStatus, {
      hibernated: false,
      hibernationPossible: false,
    });
    const answer = await ask('mutation { hibernateRuntime(id: "acme-1") { id } }');
    assert.equal((original(answer) as { error_code: number }).error_code, 400);
    assert.match(answer.errors?.[0]?.message ?? "", /a webhook would keep it from waking/);
    assert.deepEqual(requests, []);
  });

  it("gives an administrator's kubeconfig only to callers who may change runtimes", async () => {
    const { ask } = place(undefined, { kubeconfig: () => Promise.resolve("issued") });
    const query = '{ runtimeStatus(id: "acme-1") { runtimeConfiguration { kubeconfig } } }';
    const kubeconfig = ({ data }: Answer): unknown => data?.["runtimeStatus"].runtimeConfiguration.kubeconfig;
    assert.equal(kubeconfig(await ask(query)), "issued");
    assert.equal(kubeconfig(await ask(query, { token: TOKENS.viewer })), null);
  });

  describe("the issued kubeconfigs", () => {
    const expires = Date.parse("2026-01-01T01:00:00Z");
    const issue = (asked: object) => Promise.resolve({ kubeconfig: JSON.stringify(asked), expires });
    const at = () => place(undefined, { issue: (_row, asked) => issue(asked) });
    const query = (args = "") =>
      `mutation { issueRuntimeKubeconfig(id: "acme-1"${args}) { kubeconfig role expiresAt } }`;

    it("are a viewer's for one hour, or as requested, and are recorded in the audit trail", async () => {
      const { ask, fake } = at();
      const { data } = await ask(query(), { token: TOKENS.viewer });
      assert.deepEqual(data?.["issueRuntimeKubeconfig"], {
        kubeconfig: '{"role":"viewer","expirationSeconds":3600}',
        role: "viewer",
        expiresAt: "2026-01-01T01:00:00.000Z",
      });
      const admin = await ask(query(", role: admin, expirationSeconds: 600"));
      assert.equal(admin.data?.["issueRuntimeKubeconfig"].kubeconfig, '{"role":"admin","expirationSeconds":600}');
      assert.deepEqual(
        fake.asked.map(({ what }) => what),
        ["viewer", "admin"].map(
          (role) => `issueRuntimeKubeconfig acme-1 {"role":"${role}","expiresAt":"2026-01-01T01:00:00.000Z"}`,
        ),
      );
    });

    it("are rejected if the role, the lifetime or the tenant is not allowed", async () => {
      const { ask, fake } = at();
      const forbidden = await ask(query(", role: admin"), { token: TOKENS.viewer });
      assert.equal((original(forbidden) as { error_code: number }).error_code, 403);
      assert.equal(fake.refusals.length, 1);
      for (const args of [", expirationSeconds: 599", ", expirationSeconds: 86401"]) {
        assert.equal((original(await ask(query(args))) as { error_code: number }).error_code, 400);
      }
      const stranger = await ask(query().replace("acme-1", "other-1"));
      assert.equal((original(stranger) as { error_code: number }).error_code, 400);
      assert.deepEqual(fake.asked, []);
    });

    it("are unavailable if Gardener issues none", async () => {
      const { ask } = place(undefined, { issue: () => Promise.reject(new Error("hibernated")) });
      const answer = await ask(query());
      assert.match(answer.errors?.[0]?.message ?? "", /Gardener issued none: hibernated/);
      assert.equal(errorOf(answer).code, "UNAVAILABLE");
    });
  });

  const failures: readonly (readonly [OperationError, object])[] = [
    [
      new OperationError("CONFLICT", { reason: "cannot start new operation" }),
      { error_code: 400, error_reason: "err_provisioner_internal", error_component: "provisioner" },
    ],
    [
      new OperationError("UNAVAILABLE", { reason: "the database does not answer", component: "database" }),
      { error_code: 1, error_reason: "err_db_internal", error_component: "db - provisioner" },
    ],
    [
      new OperationError("PROVISIONING_FAILED", {
        reason: "ERR_INFRA_QUOTA_EXCEEDED: full; ERR_INFRA_QUOTA_EXCEEDED",
        component: "gardener",
      }),
      { error_code: 501, error_reason: "ERR_INFRA_QUOTA_EXCEEDED", error_component: "gardener" },
    ],
  ];
  for (const [error, form] of failures) {
    it(`reports ${error.code} of ${error.component} in the original's form`, async () => {
      const answer = await place(error).ask('mutation { hibernateRuntime(id: "acme-1") { id } }');
      assert.deepEqual(original(answer), form);
      assert.equal(errorOf(answer).code, error.code);
    });
  }

  it("reports errors in the original's form also for field aliases", async () => {
    const answer = await place().ask('mutation { result: hibernateRuntime(id: "nobody-1") { id } }');
    assert.deepEqual(original(answer), {
      error_code: 400,
      error_reason: "err_db_not_found",
      error_component: "db - provisioner",
    });
    const { errors } = await place().ask('mutation { result: wakeDeployment(id: "nobody-1") { operation { id } } }');
    assert.equal("error_code" in (errors?.[0]?.extensions ?? {}), false);
  });

  it("needs no token if the service trusts the header", async () => {
    const fake = fakeBackend();
    const { ask } = apiOver(fake, { runtimes: { trustsTenantHeader: true } });
    const query = 'mutation { hibernateRuntime(id: "acme-1") { id } }';
    assert.equal((await ask(query, { token: "", tenant: "acme" })).errors, undefined);
    assert.equal(fake.asked[0]?.caller.actor, "tenant acme");
    assert.equal(errorOf(await ask(query, { token: "", tenant: "other" })).code, "NOT_FOUND");
    assert.equal(errorOf(await ask(query, { token: "wrong-token", tenant: "acme" })).code, "UNAUTHENTICATED");
    assert.equal(errorOf(await ask("{ me { tenant } }", { token: "", tenant: "acme" })).code, "UNAUTHENTICATED");
  });

  it("accepts the largest Kyma configuration that clients write into a query", async () => {
    const entry = (at: number) => `{ key: "key.${at}", value: "value", secret: false }`;
    const entries = Array.from({ length: 20 }, (_, at) => entry(at)).join(" ");
    const components = Array.from(
      { length: 40 },
      (_, at) => `{ component: "component-${at}", namespace: "kyma-system", configuration: [${entries}] }`,
    );
    const kyma = KYMA.replace("components: [", `components: [${components.join(" ")}`);
    const answer = await place().ask(
      provision(provisioningOf(clusterWith('provider: "gcp"', GCP), `kymaConfig: ${kyma}`)),
    );
    assert.equal(answer.errors, undefined);
  });

  it("has every field that these tests and the documentation page use", () => {
    const schema = buildSchema(SDL);
    const examples = blocksOf("docs/service-runtimes.md").filter(({ language }) => language === "graphql");
    assert.equal(examples.length, 3);
    for (const query of [...Object.values(FIELDS), ...examples.map(({ text }) => text)])
      assert.deepEqual(validate(schema, parse(query)), [], query);
  });
});
