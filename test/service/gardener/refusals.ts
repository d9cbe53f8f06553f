import assert from "node:assert/strict";
import { configOf, KYMA, STATUS, type RuntimePlace } from "./place";

const NOBODY = "018f0000-0000-7000-8000-000000000001";
const UPGRADE = "{ gardenerConfig: { autoScalerMax: 6 } }";

/** Every field of the original's API, for some runtime. */
const FIELDS: Readonly<Record<string, string>> = {
  runtimeStatus: `{ runtimeStatus(id: "${NOBODY}") { lastOperationStatus { id } } }`,
  runtimeOperationStatus: `{ runtimeOperationStatus(id: "${NOBODY}") { id } }`,
  provisionRuntime: `mutation { provisionRuntime(config: ${configOf("nobody")}) { id } }`,
  upgradeShoot: `mutation { upgradeShoot(id: "${NOBODY}", config: ${UPGRADE}) { id } }`,
  upgradeRuntime: `mutation { upgradeRuntime(id: "${NOBODY}", config: { kymaConfig: ${KYMA("2.20.0")} }) { id } }`,
  hibernateRuntime: `mutation { hibernateRuntime(id: "${NOBODY}") { id } }`,
  deprovisionRuntime: `mutation { deprovisionRuntime(id: "${NOBODY}") }`,
  rollBackUpgradeOperation: `mutation { rollBackUpgradeOperation(id: "${NOBODY}") { lastOperationStatus { id } } }`,
  reconnectRuntimeAgent: `mutation { reconnectRuntimeAgent(id: "${NOBODY}") }`,
};

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
  "OpenStack with a disk": configOf("x", 'provider: "openstack" diskType: "ssd"'),
  "OpenStack with the size of a disk": configOf("x", 'provider: "openstack" volumeSizeGB: 50'),
  "ranges that overlap": configOf("x", 'podsCidr: "10.250.0.0/16"'),
  "more nodes at least than at most": configOf("x", "autoScalerMin: 5"),
};

/** What is refused at once, before anything is created. */
export function refusals(placeOf: () => RuntimePlace): void {
  const refused = async (query: string, tenant?: string): Promise<string> => {
    const { data, errors } = await placeOf().ask(query, tenant);
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

  it("refuses every field without a tenant with 400, and creates nothing", async () => {
    for (const query of Object.values(FIELDS)) assert.match(await refused(query, ""), /tenant header is empty/);
    await nothing();
  });

  it("refuses what is not complete, or contradicts itself, with 400, and creates nothing", async () => {
    for (const config of Object.values(CONFIGS)) {
      await refused(`mutation { provisionRuntime(config: ${config}) { ${STATUS} } }`);
    }
    await nothing();
  });

  it("has no runtime of an unknown id, and says so with 400", async () => {
    const known = Object.entries(FIELDS).filter(([field]) => field !== "provisionRuntime");
    for (const [, query] of known) assert.match(await refused(query), /the tenant has no/);
  });
}
