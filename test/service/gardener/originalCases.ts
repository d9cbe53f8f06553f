import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { listAt, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { NO_HIBERNATION } from "../../doubles/gardener/behaviour/faults";
import { AgentDouble } from "../../doubles/kyma/agent";
import { KYMA, type RuntimePlace, type Status } from "./place";

const CONNECTION = "runtimeConnectionStatus { status }";
const TENANTS = {
  gcp: { "europe-west3": { tenantID: "t1", serviceURL: "https://audit.example.com", secretName: "audit" } },
};

/** Cases of the original's own tests that need a Gardener, an agent or a service that is set up for them. */
export function originalCases(placeOf: () => RuntimePlace): void {
  const again = async (env?: Readonly<Record<string, string>>): Promise<void> => {
    await placeOf().service.stop();
    await placeOf().begin(env);
  };
  const connection = async ({ runtimeID }: Status): Promise<string> => {
    const shown = await placeOf().get<{ runtimeConnectionStatus: { status: string } }>(
      `{ runtimeStatus(id: "${runtimeID}") { ${CONNECTION} } }`,
    );
    return shown.runtimeConnectionStatus.status;
  };
  const auditLogOf = (shoot: KubeObject | undefined) =>
    listAt(shoot, "spec", "extensions").find(({ type }) => type === "shoot-auditlog-service");

  describe("with an agent that does not connect immediately", () => {
    const agents = async (states: readonly string[]): Promise<AgentDouble> => {
      const place = placeOf();
      await place.agent.stop();
      place.agent = new AgentDouble(place.cluster.client, "compass-system", states);
      return place.agent;
    };
    // The limits of the tests before are too short.
    before(() => again());
    after(() => agents(["Synchronized"]));

    it("waits for a missing agent, renews a token that fails, and accepts synchronization errors as connected", async () => {
      const place = placeOf();
      await place.agent.stop();
      const begun = await place.provision("agent", "", `kymaConfig: ${KYMA("2.20.0")}`);
      await place.reported(begun.id, "%WaitForAgentToConnect (no report yet)%");
      const agent = await agents(["ConnectionFailed", "Connected", "SynchronizationFailed"]);
      await place.reported(begun.id, "%it gets another token%");
      await place.reported(begun.id, "%WaitForAgentToConnect (Connected)%");
      assert.equal((await place.operation(begun.id)).state, "InProgress");
      assert.equal(await connection(begun), "Pending");
      await place.connectionIs("SynchronizationFailed");
      await place.succeeded(begun);
      assert.equal(await connection(begun), "Connected");
      assert.equal(new Set(agent.tried).size, 2);
      await place.gone(begun);
    });
  });

  describe("with hibernation", () => {
    let begun: Status;
    before(async () => {
      begun = await placeOf().provision("sleeper");
      await placeOf().succeeded(begun);
    });
    after(() => placeOf().gone(begun));

    it("rejects with 400 and Gardener's message a cluster that could not wake up, and changes nothing", async () => {
      const place = placeOf();
      await place.fail("sleeper", NO_HIBERNATION);
      await place.reconciled("sleeper");
      const { errors } = await place.ask(`mutation { hibernateRuntime(id: "${begun.runtimeID}") { id } }`);
      assert.equal(errors?.[0]?.extensions["error_code"], 400);
      assert.match(errors[0].message, /cannot hibernate: ValidatingWebhookConfiguration "guard" is problematic/);
      assert.notEqual(textAt(await place.gardener.shoot("sleeper"), "spec", "hibernation", "enabled"), "true");
      await place.release("sleeper");
      await place.reconciled("sleeper");
    });

    it("fails with Gardener's code and hibernates the cluster on the next request", async () => {
      const place = placeOf();
      await place.fail("sleeper", "dependencies");
      const failed = await place.until((await place.change("hibernateRuntime", begun.runtimeID)).id);
      assert.deepEqual(
        [failed.state, failed.operation, failed.lastError.reason, failed.lastError.component],
        ["Failed", "Hibernate", "ERR_INFRA_DEPENDENCIES", "gardener"],
      );
      await place.release("sleeper");
      await place.succeeded(await place.change("hibernateRuntime", begun.runtimeID));
      const shown = await place.get<{ hibernationStatus: { hibernated: boolean } }>(
        `{ runtimeStatus(id: "${begun.runtimeID}") { hibernationStatus { hibernated } } }`,
      );
      assert.equal(shown.hibernationStatus.hibernated, true);
    });
  });

  describe("with audit logs", () => {
    before(async () => {
      const place = placeOf();
      const path = join(place.folder, "tenants.json");
      writeFileSync(path, JSON.stringify(TENANTS));
      await again({ APP_GARDENER_AUDIT_LOGS_TENANT_CONFIG_PATH: path });
    });
    after(() => again());

    it("configures the tenant for the Seed's provider and region, and then leaves it unchanged", async () => {
      const place = placeOf();
      const begun = await place.provision("logged");
      await place.succeeded(begun);
      const shoot = await place.gardener.shoot("logged");
      assert.equal(textAt(auditLogOf(shoot), "providerConfig", "tenantID"), "t1");
      const [resource] = listAt(shoot, "spec", "resources");
      assert.deepEqual(resource, {
        name: "auditlog-credentials",
        resourceRef: { apiVersion: "v1", kind: "Secret", name: "audit" },
      });
      const { runtimeID } = begun;
      await place.succeeded(await place.change("upgradeShoot", runtimeID, "{ gardenerConfig: { machineType: null } }"));
      assert.equal((await place.gardener.shoot("logged"))?.metadata.generation, shoot?.metadata.generation);
      await place.gone(begun);
    });

    for (const [what, name, fields] of [
      [
        "region",
        "no-region",
        'region: "me-central2" providerSpecificConfig: { gcpConfig: { zones: ["me-central2-a"] } }',
      ],
      [
        "provider",
        "no-cloud",
        'provider: "aws" targetSecret: "aws" region: "eu-central-1" machineType: "m5.2xlarge" diskType: "gp3" workerCidr: "10.250.0.0/16" providerSpecificConfig: { awsConfig: { vpcCidr: "10.250.0.0/16" awsZones: [{ name: "eu-central-1a" workerCidr: "10.250.0.0/19" publicCidr: "10.250.32.0/20" internalCidr: "10.250.48.0/20" }] } }',
      ],
    ] as const) {
      it(`warns about a ${what} that the file lacks and succeeds without audit logs`, async () => {
        const place = placeOf();
        const begun = await place.provision(name, fields);
        await place.succeeded(begun);
        await place.reported(begun.id, "%has no audit log: there is no tenant for provider %");
        assert.equal(auditLogOf(await place.gardener.shoot(name)), undefined);
        await place.gone(begun);
      });
    }
  });
}
