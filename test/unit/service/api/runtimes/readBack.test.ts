import assert from "node:assert/strict";
import type { ProvisionRuntimeInput } from "../../../../../service/api/schema.types";
import { deploymentOf } from "../../../../../service/api/runtimes/request";
import { REQUESTS } from "../../../gardener/golden/requests";
import { apiOver } from "../client";
import { deploymentRow, fakeBackend } from "../fakeBackend";
import { clusterWith, provisioningOf } from "./inputs";

/** What the Kyma Environment Broker of June 2024 asks for, and what the original has besides. */
const STATUS = `
  lastOperationStatus { operation state message lastError { errMessage reason component } }
  runtimeConnectionStatus { status }
  runtimeConfiguration {
    kubeconfig
    kymaConfig { version }
    clusterConfig {
      name kubernetesVersion volumeSizeGB diskType machineType machineImage machineImageVersion region provider purpose
      seed targetSecret workerCidr podsCidr servicesCidr autoScalerMin autoScalerMax maxSurge maxUnavailable licenceType
      enableKubernetesVersionAutoUpdate enableMachineImageVersionAutoUpdate exposureClassName euAccess
      shootNetworkingFilterDisabled controlPlaneFailureTolerance
      oidcConfig { clientID issuerURL groupsClaim signingAlgs usernameClaim usernamePrefix }
      dnsConfig { domain providers { domainsInclude primary secretName type } }
      providerSpecificConfig {
        ... on GCPProviderConfig { zones }
        ... on AzureProviderConfig { vnetCidr azureZones { name cidr } enableNatGateway idleConnectionTimeoutMinutes }
        ... on AWSProviderConfig { awsZones { ... on AWSZone { name publicCidr workerCidr internalCidr } } vpcCidr enableIMDSv2 }
        ... on OpenStackProviderConfig { loadBalancerProvider floatingPoolName cloudProfileName }
      }
    }
  }`;

/** Default values that a request need not name. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  enableKubernetesVersionAutoUpdate: false,
  enableMachineImageVersionAutoUpdate: false,
  shootNetworkingFilterDisabled: true,
  euAccess: false,
  floatingPoolName: "FloatingIP-external-kyma-01",
  cloudProfileName: "converged-cloud-kyma",
};

/** The runtime that a request makes, as the API shows it. */
async function shown(config: ProvisionRuntimeInput, outputs: object = {}) {
  const deployment = deploymentOf(config, { tenant: "acme" });
  const fake = fakeBackend();
  const desiredConfig = { platform: "organization/stackyard/dev", deployment };
  const row = deploymentRow("acme-1", "acme", { desiredConfig, outputs: { ...outputs } });
  const backend = { ...fake, reads: { ...fake.reads, deployment: () => Promise.resolve(row) } };
  const { data, errors } = await apiOver(backend).ask(`{ result: runtimeStatus(id: "acme-1") { ${STATUS} } }`, {
    tenant: "acme",
  });
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data?.["result"].runtimeConfiguration.clusterConfig as Readonly<Record<string, unknown>>;
}

describe("what a broker reads of the runtime that it requested", () => {
  for (const [name, config] of Object.entries(REQUESTS)) {
    it(`is what it sent, with the original's defaults (${name})`, async () => {
      const { providerSpecificConfig, ...sent } = config.clusterConfig.gardenerConfig;
      const { providerSpecificConfig: provider, ...fields } = await shown(config);
      const expected = (of: object, field: string): unknown =>
        (of as Readonly<Record<string, unknown>>)[field] ?? DEFAULTS[field] ?? null;
      for (const [field, value] of Object.entries(fields)) assert.deepEqual(value, expected(sent, field), field);
      const [block = {}] = Object.values(providerSpecificConfig);
      for (const [field, value] of Object.entries(provider as object))
        assert.deepEqual(value, expected(block ?? {}, field), field);
    });
  }

  it("has the Seed that Gardener chose", async () => {
    assert.equal((await shown(REQUESTS["azure"]!, { seed: "azure-eu1" }))["seed"], "azure-eu1");
  });

  it("has the same answers where the request gives null for what it does not want", async () => {
    const { clusterConfig, ...rest } = REQUESTS["azure"]!;
    const { gardenerConfig } = clusterConfig;
    const nothing = { oidcConfig: null, dnsConfig: null, seed: null, purpose: null, euAccess: null, diskType: null };
    const given = { ...rest, clusterConfig: { gardenerConfig: { ...nothing, ...gardenerConfig } } };
    assert.deepEqual(await shown(given), await shown(REQUESTS["azure"]!));
  });
});

describe("the texts of administrators that are empty", () => {
  const asked = async (mutation: string) => {
    const fake = fakeBackend();
    const found: unknown[] = [];
    const request: typeof fake.changes.request = (input, caller) => {
      found.push(input.change?.deployment.cluster?.administrators);
      return fake.changes.request(input, caller);
    };
    const { ask } = apiOver({ ...fake, changes: { ...fake.changes, request } });
    assert.equal((await ask(mutation, { tenant: "acme" })).errors, undefined);
    return found;
  };
  const provisioning = (administrators: string) =>
    `mutation { provisionRuntime(config: ${provisioningOf(clusterWith('provider: "gcp"')).replace("clusterConfig: {", `clusterConfig: { administrators: ${administrators}`)}) { id } }`;
  const upgrade = (administrators: string) =>
    `mutation { upgradeShoot(id: "acme-1", config: { gardenerConfig: {}, administrators: ${administrators} }) { id } }`;

  for (const [given, found] of [
    ['[""]', []],
    ['["", "ada@example.com"]', ["ada@example.com"]],
    ["[]", []],
  ] as const) {
    it(`are skipped (${given})`, async () => {
      assert.deepEqual(await asked(provisioning(given)), [found]);
      assert.deepEqual(await asked(upgrade(given)), [found]);
    });
  }
});
