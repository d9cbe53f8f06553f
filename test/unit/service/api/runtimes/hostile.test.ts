import assert from "node:assert/strict";
import { checked } from "../../../../../service/operations/input";
import type { Caller, OperationInput } from "../../../../../service/operations";
import { apiOver, errorOf, TOKENS, type Answer } from "../client";
import { fakeBackend, operationRow, OPERATIONS } from "../fakeBackend";

/** The API with the checks of the service, over a backend that notes what passes them. */
function place() {
  const fake = fakeBackend();
  const passed: OperationInput[] = [];
  const request = (asked: OperationInput, { tenant }: Caller) => {
    const { kind, deployment, change } = checked(asked);
    passed.push(asked);
    const row = operationRow(OPERATIONS.acme, deployment, tenant, { kind, change, state: "pending", error: null });
    return Promise.resolve(row);
  };
  const { ask } = apiOver({ ...fake, changes: { ...fake.changes, request: async (...all) => request(...all) } });
  return {
    passed,
    ask: (query: string, variables: object = {}): Promise<Answer> =>
      ask(query, { tenant: "acme", token: TOKENS.operator, variables }),
  };
}

const PROVISION = "mutation ($config: ProvisionRuntimeInput!) { provisionRuntime(config: $config) { id } }";

const CLUSTER = {
  name: "acme",
  kubernetesVersion: "1.33.4",
  provider: "gcp",
  targetSecret: "acme-account",
  region: "europe-west3",
  machineType: "n2-standard-4",
  workerCidr: "10.250.0.0/19",
  autoScalerMin: 2,
  autoScalerMax: 4,
  maxSurge: 1,
  maxUnavailable: 0,
  providerSpecificConfig: { gcpConfig: { zones: ["europe-west3-a"] } },
};
const AGENT = { component: "compass-runtime-agent", namespace: "compass-system" };
const config = (cluster: object = {}, kymaConfig?: object): object => ({
  runtimeInput: { name: "acme" },
  clusterConfig: { gardenerConfig: { ...CLUSTER, ...cluster } },
  ...(kymaConfig && { kymaConfig: { version: "2.20.0", components: [AGENT], ...kymaConfig } }),
});
const pool = (change: object = {}) => ({
  workerPools: [{ name: "gpu", machineType: "g2", autoScalerMin: 0, autoScalerMax: 1, ...change }],
});
const component = (index: number) => ({ component: `component-${index}`, namespace: "kyma-system" });

/** Requests that nobody should send, and what is answered. */
const REFUSED: Readonly<Record<string, readonly [object, RegExp]>> = {
  "an unknown field": [config({ machinetype: "x" }), /"machinetype" is not defined .*Did you mean "machineType"/],
  "a string instead of a number": [config({ autoScalerMin: "2" }), /Int cannot represent non-integer value: "2"/],
  "a number instead of a string": [config({ region: 7 }), /String cannot represent a non string value: 7/],
  "a number out of range": [config({ autoScalerMax: 2 ** 31 }), /Int cannot represent/],
  "a negative number of nodes": [
    config({ autoScalerMin: -1 }),
    /autoScalerMin: found -1; expected a whole number from 0/,
  ],
  "a cluster without nodes": [
    config({ autoScalerMin: 0, autoScalerMax: 0 }),
    /autoScalerMax: found 0|autoScalerMax.*at least 1/,
  ],
  "fewer nodes than zones": [
    config({ providerSpecificConfig: { gcpConfig: { zones: ["a", "b", "c", "d", "e"] } } }),
    /autoScalerMax: found 4; expected at least 5, one node for each zone/,
  ],
  "a pool whose name is too long": [config(pool({ name: "a".repeat(16) })), /name: found "a{16}"; .*15 characters/],
  "two pools of one name": [
    config({ workerPools: [pool(), pool()].flatMap(({ workerPools }) => workerPools) }),
    /workerPools\[1\]\.name: .*a name that no other pool has/,
  ],
  "a pool with the name of the first pool": [config(pool({ name: "cpu-worker-0" })), /a name that no other pool has/],
  "IPv6 ranges": [
    config({ workerCidr: "fd00::/48", podsCidr: "fd00::/56" }),
    /workerCidr: found "fd00::\/48"; expected an IPv4 range/,
  ],
  "a range that does not begin at a multiple of its size": [
    config({ podsCidr: "10.96.0.1/13" }),
    /podsCidr: found "10\.96\.0\.1\/13"; expected/,
  ],
  "ranges that overlap": [config({ podsCidr: "10.250.0.0/16" }), /podsCidr: .*does not overlap 10\.250\.0\.0\/19/],
  "a duplicate component": [
    config({}, { components: [AGENT, AGENT] }),
    /components\[1\]\.component: .*expected a component once/,
  ],
  "a component name with a path": [
    config({}, { components: [AGENT, { component: "../etc", namespace: "a" }] }),
    /components\[1\]\.component: found "\.\.\/etc"; expected the name of a component/,
  ],
  "a key that pollutes prototypes": [
    config({}, { configuration: [{ key: "__proto__.polluted", value: "1" }] }),
    /configuration\[0\]\.key: .*expected a key such as/,
  ],
  "blocks of two clouds": [
    config({ providerSpecificConfig: { gcpConfig: { zones: ["a"] }, azureConfig: { vnetCidr: "10.250.0.0/16" } } }),
    /azureConfig: .*expected only gcpConfig, for provider gcp/,
  ],
  "a host name as the cluster name": [
    config({ name: "acme.example.com" }),
    /name: found "acme\.example\.com"; expected a legal name/,
  ],
};

describe("the original's API with invalid requests", () => {
  for (const [what, [variables, message]] of Object.entries(REFUSED)) {
    it(`rejects ${what} with 400 and a reason, and passes nothing on`, async () => {
      const { ask, passed } = place();
      const answer = await ask(PROVISION, { config: variables });
      assert.match(answer.errors?.[0]?.message ?? "", message, JSON.stringify(answer));
      assert.equal((errorOf(answer) as { error_code?: number }).error_code, 400, JSON.stringify(answer.errors));
      assert.deepEqual(passed, []);
    });
  }

  it("accepts an additional pool with a minimum of 0 nodes and a name of 15 characters", async () => {
    const { ask, passed } = place();
    const answer = await ask(PROVISION, { config: config(pool({ name: "a".repeat(15) })) });
    assert.equal(answer.errors, undefined, JSON.stringify(answer));
    assert.equal(passed.length, 1);
  });

  it("accepts a hundred components", async () => {
    const { ask, passed } = place();
    const many = (count: number) => [AGENT, ...Array.from({ length: count }, (_, index) => component(index))];
    assert.equal((await ask(PROVISION, { config: config({}, { components: many(100) }) })).errors, undefined);
    assert.equal(passed.length, 1);
  });

  it("shows no secret value in an error about its entry", async () => {
    const { ask } = place();
    const configuration = [{ key: "no key!", value: "hush-hush", secret: true }];
    const answer = await ask(PROVISION, { config: config({}, { configuration }) });
    assert.equal((errorOf(answer) as { error_code?: number }).error_code, 400);
    assert.doesNotMatch(JSON.stringify(answer), /hush-hush/);
  });

  it("reveals nothing about a runtime to another tenant", async () => {
    const { ask } = apiOver(fakeBackend());
    for (const field of ["hibernateRuntime", "wakeRuntime", "upgradeShoot"]) {
      const args = field === "upgradeShoot" ? ', config: { gardenerConfig: { purpose: "testing" } }' : "";
      const query = `mutation { ${field}(id: "acme-1"${args}) { id runtimeID } }`;
      const asking = { token: TOKENS.all, tenant: "other" };
      const [theirs, nobodys] = await Promise.all([ask(query, asking), ask(query.replace("acme-1", "none"), asking)]);
      assert.deepEqual(theirs, nobodys);
    }
  });
});
