import assert from "node:assert/strict";
import type { Sent } from "../process";
import { configOf, KYMA, STATUS, type RuntimePlace } from "./place";

const NOBODY = "018f0000-0000-7000-8000-000000000001";
const UPGRADE = "{ gardenerConfig: { autoScalerMax: 6 } }";

/** Every field of the original's API that is about a runtime. */
export const fieldsOf = (id: string, operation = id): Readonly<Record<string, string>> => ({
  runtimeStatus: `{ runtimeStatus(id: "${id}") { lastOperationStatus { id } } }`,
  runtimeOperationStatus: `{ runtimeOperationStatus(id: "${operation}") { id } }`,
  upgradeShoot: `mutation { upgradeShoot(id: "${id}", config: ${UPGRADE}) { id } }`,
  upgradeRuntime: `mutation { upgradeRuntime(id: "${id}", config: { kymaConfig: ${KYMA("2.20.0")} }) { id } }`,
  hibernateRuntime: `mutation { hibernateRuntime(id: "${id}") { id } }`,
  deprovisionRuntime: `mutation { deprovisionRuntime(id: "${id}") }`,
  rollBackUpgradeOperation: `mutation { rollBackUpgradeOperation(id: "${id}") { lastOperationStatus { id } } }`,
  reconnectRuntimeAgent: `mutation { reconnectRuntimeAgent(id: "${id}") }`,
});

const NO_COMPONENTS = 'kymaConfig: { version: "2.20.0", components: [] }';
const NO_AGENT = 'kymaConfig: { version: "2.20.0", components: [{ component: "istio", namespace: "istio" }] }';

/** Configurations that no runtime is made of. */
const CONFIGS: Readonly<Record<string, string>> = {
  "no runtimeInput": configOf("x").replace(/runtimeInput: \{[^}]*\}/, ""),
  "no clusterConfig": '{ runtimeInput: { name: "x" } }',
  "no gardenerConfig": '{ runtimeInput: { name: "x" }, clusterConfig: {} }',
  "no block of a cloud": configOf("x", "providerSpecificConfig: {}"),
  "Kyma without components": configOf("x", "", NO_COMPONENTS),
  "Kyma without its agent": configOf("x", "", NO_AGENT),
  "a version of an image without the image": configOf("x", 'machineImageVersion: "24.3"'),
  "no disk": configOf("x", "diskType: null"),
  "a pool without a disk": configOf(
    "x",
    'workerPools: [{ name: "more", machineType: "n1-standard-4", autoScalerMin: 0, autoScalerMax: 3 }]',
  ),
  "OpenStack with a disk": configOf("x", 'provider: "openstack" diskType: "ssd"'),
  "OpenStack with the size of a disk": configOf("x", 'provider: "openstack" volumeSizeGB: 50'),
  "ranges that overlap": configOf("x", 'podsCidr: "10.250.0.0/16"'),
  "more nodes at least than at most": configOf("x", "autoScalerMin: 5"),
  "no such cloud": configOf("x", 'provider: "alicloud"'),
  "blocks of two clouds": configOf(
    "x",
    'providerSpecificConfig: { gcpConfig: { zones: ["a"] } azureConfig: { vnetCidr: "10.250.0.0/16" } }',
  ),
  "no such profile of Kyma": configOf("x", "", 'kymaConfig: { version: "2.20.0", profile: Huge, components: [] }'),
  "nothing among the zones": configOf("x", "providerSpecificConfig: { gcpConfig: { zones: [null] } }"),
  "nothing among the components": configOf("x", "", 'kymaConfig: { version: "2.20.0", components: [null] }'),
  "a name that is too long": configOf("n".repeat(10_000)),
  "a name that is no ASCII": configOf("ünïcödé"),
  "a name that the Director does not take": configOf("x").replace('{ name: "x" }', '{ name: "ünïcödé 🚀" }'),
  "a label that the Director does not take": configOf("x").replace(
    '{ name: "x" }',
    '{ name: "x", labels: { käy: 1 } }',
  ),
};

/** What is refused at once, before anything is created. */
export function refusals(placeOf: () => RuntimePlace): void {
  const refused = async (query: string, tenant?: string, more?: Sent): Promise<string> => {
    const { data, errors } = await placeOf().ask(query, tenant, undefined, more);
    const [error] = errors ?? [];
    assert.equal(error?.extensions["error_code"], 400, `${query}: ${JSON.stringify(data)} ${JSON.stringify(errors)}`);
    assert.ok(Object.values(data ?? {}).every((value) => value === null));
    return error.message;
  };
  const nothing = async (): Promise<void> => {
    const { totalCount } = await placeOf().get<{ totalCount: number }>("{ deployments { totalCount } }");
    assert.equal(totalCount, 0);
    assert.equal(placeOf().director.runtimes.size, 0);
  };

  it("rejects every field without a tenant with 400 and creates nothing", async () => {
    const provision = `mutation { provisionRuntime(config: ${configOf("nobody")}) { id } }`;
    for (const query of [provision, ...Object.values(fieldsOf(NOBODY))]) {
      assert.match(await refused(query, ""), /tenant header is empty/);
    }
    await nothing();
  });

  it("rejects an incomplete or contradictory request with 400 and creates nothing", async () => {
    for (const config of Object.values(CONFIGS)) {
      await refused(`mutation { provisionRuntime(config: ${config}) { ${STATUS} } }`);
    }
    await nothing();
  });

  it("rejects a sub-account that is not a valid label value with 400, also in a plan", async () => {
    const more = { headers: { "sub-account": "a/b" } };
    for (const field of ["mutation { provisionRuntime", "query { provisionRuntimePlan"]) {
      const query = `${field}(config: ${configOf("x")}) { __typename } }`;
      assert.match(await refused(query, undefined, more), /^cluster\.subAccount: found "a\/b"; expected 1 to 63 of/);
    }
    await nothing();
  });

  it("answers an unknown runtime id with 400", async () => {
    for (const id of [NOBODY, "", "none", "x".repeat(20_000), "ünïcödé 🚀", "../../etc", "' or 1=1 --"]) {
      for (const query of Object.values(fieldsOf(id))) assert.match(await refused(query), /the tenant has no/);
    }
  });
}
