import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../../../foundation/json/canonicalJson";
import { at, without, type KubeObject } from "../../../kubernetes/objects/objects";
import { forVersion } from "../../../kubernetes/gardener/versionFields";
import { RECORD_LABEL } from "../../../kubernetes/owners/annotations";
import { secretBinding } from "../../doubles/gardener/world";
import { REQUESTS } from "../../unit/gardener/golden/requests";
import { configOf, STATUS, type RuntimePlace, type Status } from "./place";

const WINDOWS = { "europe-west3": { begin: "170000+0000", end: "180000+0000" } };
/** No Director and no groups: the clusters of all Shoots are one, which many runtimes share here. */
const ALONE = {
  APP_DIRECTOR_URL: "",
  KUBECONFIG: "",
  APP_OPERATOR_ROLE_BINDING_L2_SUBJECT_NAME: "",
  APP_OPERATOR_ROLE_BINDING_L3_SUBJECT_NAME: "",
};
const PROVISION = `mutation ($config: ProvisionRuntimeInput!) { provisionRuntime(config: $config) { ${STATUS} } }`;
const STAGES = [
  "settle",
  "apply",
  "WaitingForClusterDomain",
  "WaitingForClusterCreation",
  "CreatingBindingsForOperators",
];
const PLAN = "changes { type properties { path after } }";

interface Plan {
  readonly changes: readonly {
    readonly type: string;
    readonly properties: readonly { readonly path: string; readonly after: unknown }[];
  }[];
}

const NETWORKS = ["spec", "provider", "infrastructureConfig", "networks"];
const AWS = REQUESTS["aws"]?.clusterConfig.gardenerConfig.providerSpecificConfig.awsConfig;
const AZURE = { vnetCidr: "10.250.0.0/16" };

/** Changes of the blocks of clouds, and what the Shoots have then. */
const EDITS = {
  aws: {
    block: { awsConfig: { ...AWS, enableIMDSv2: false } },
    path: ["spec", "provider", "workers", 0, "providerConfig"],
    becomes: undefined,
  },
  "azure-zones": {
    block: { azureConfig: { ...AZURE, enableNatGateway: false } },
    path: NETWORKS,
    becomes: { vnet: { cidr: "10.250.0.0/16" }, workers: "10.250.0.0/19" },
  },
  "azure-subnets": {
    block: { azureConfig: { ...AZURE, idleConnectionTimeoutMinutes: 10 } },
    path: [...NETWORKS, "zones", 1],
    becomes: {
      name: 2,
      cidr: "10.250.32.0/19",
      natGateway: { enabled: true, idleConnectionTimeoutMinutes: 10 },
    },
  },
};

/** Clusters on every cloud, without Kyma: their whole Shoots, and what changes of their clouds make of them. */
export function clouds(placeOf: () => RuntimePlace): void {
  describe("with a cluster on every cloud", () => {
    const begun = new Map<string, Status>();
    const idOf = (name: string): string => begun.get(name)?.runtimeID ?? assert.fail(`${name} was not begun`);
    const shootOf = async (name: string): Promise<KubeObject> =>
      (await placeOf().gardener.shoot(REQUESTS[name]?.clusterConfig.gardenerConfig.name ?? "")) ??
      assert.fail(`${name} has no Shoot`);
    /** The Shoot of a file, as it is for this runtime: with the audit policy of the environment, and what Gardener adds. */
    const expected = (name: string, live: KubeObject): KubeObject => {
      const text = readFileSync(join(__dirname, "../../fixtures/shoots", `${name}.json`), "utf8");
      const own = { "account-1": "red", "0190d6a0-runtime": idOf(name), "garden-rill": placeOf().gardener.namespace };
      const file = Object.entries(own).reduce((all, [from, to]) => all.replaceAll(from, to), text);
      const { spec, ...rest } = JSON.parse(file) as KubeObject & { spec: { kubernetes: { kubeAPIServer?: object } } };
      const auditConfig = { auditPolicy: { configMapRef: { name: "audit-policy" } } };
      const kubernetes = { ...spec.kubernetes, kubeAPIServer: { ...spec.kubernetes.kubeAPIServer, auditConfig } };
      const added = { purpose: "evaluation", seedName: at(live, "spec", "seedName"), dns: at(live, "spec", "dns") };
      return forVersion({ ...rest, spec: { ...added, ...spec, kubernetes } }).shoot;
    };
    const upgrade = <T = Status>(name: string, field: string, gardenerConfig: object): Promise<T> => {
      const [kind, answer] = field === "upgradeShoot" ? ["mutation", STATUS] : ["query", PLAN];
      const query = `${kind} ($config: UpgradeShootInput!) { ${field}(id: "${idOf(name)}", config: $config) { ${answer} } }`;
      return placeOf().get<T>(query, { variables: { config: { gardenerConfig } } });
    };
    const shootIn = ({ changes }: Plan) => changes.find(({ type }) => type === "Shoot")?.properties ?? [];

    before(async () => {
      const place = placeOf();
      const { garden, namespace } = place.gardener;
      for (const { clusterConfig } of Object.values(REQUESTS)) {
        const { targetSecret, provider } = clusterConfig.gardenerConfig;
        await garden.apply(secretBinding(namespace, targetSecret, provider));
      }
      await place.service.stop();
      const windows = join(place.folder, "windows.json");
      writeFileSync(windows, JSON.stringify(WINDOWS));
      await place.begin({ ...ALONE, APP_GARDENER_MAINTENANCE_WINDOW_CONFIG_PATH: windows });
    });

    it("creates the complete Shoot of every request and skips the stages of Kyma if none is requested", async () => {
      const place = placeOf();
      const asked = Object.entries(REQUESTS).map(async ([name, config]) => {
        const status = await place.get(PROVISION, { variables: { config }, headers: { "sub-account": "sub-1" } });
        assert.deepEqual([status.state, status.operation], ["InProgress", "ProvisionNoInstall"]);
        begun.set(name, status);
      });
      await Promise.all(asked);
      for (const [name, status] of begun) {
        await place.succeeded(status);
        const live = await shootOf(name);
        const { metadata, spec } = expected(name, live) as KubeObject & { spec: object };
        assert.equal(canonicalJson(live["spec"]), canonicalJson(spec), name);
        assert.deepEqual(without({ ...live.metadata.labels }, RECORD_LABEL), metadata.labels);
        assert.deepEqual({ ...live.metadata.annotations, ...metadata.annotations }, live.metadata.annotations);
        const stages = "select array_agg(name order by number) as names from stage where operation_id = $1";
        const { rows } = await place.host.place.pool.query<{ names: string[] }>(stages, [status.id]);
        assert.deepEqual(rows[0]?.names, STAGES);
      }
    });

    it("changes metadata access on AWS and NAT gateways on Azure in place", async () => {
      const edits = Object.entries(EDITS);
      const changes = await Promise.all(
        edits.map(([name, { block }]) => upgrade(name, "upgradeShoot", { providerSpecificConfig: block })),
      );
      for (const each of changes) await placeOf().succeeded(each);
      for (const [name, { path, becomes }] of edits) assert.deepEqual(at(await shootOf(name), ...path), becomes, name);
    });

    it("sets the timeout of a NAT gateway to 4 minutes by default", async () => {
      const azureConfig = { ...AZURE, enableNatGateway: true };
      const plan = await upgrade<Plan>("azure-zones", "upgradeShootPlan", { providerSpecificConfig: { azureConfig } });
      const gateway = shootIn(plan).find(({ path }) => path.endsWith("networks.natGateway"));
      assert.deepEqual(gateway?.after, { enabled: true, idleConnectionTimeoutMinutes: 4 }, JSON.stringify(plan));
    });

    it("plans a change of the exposure class, and none for the one that the cluster has", async () => {
      const planOf = (exposureClassName: string) => upgrade<Plan>("gcp", "upgradeShootPlan", { exposureClassName });
      assert.deepEqual((await planOf("internet")).changes, []);
      const [property] = shootIn(await planOf("internal")).filter(({ path }) => path.endsWith("exposureClassName"));
      assert.equal(property?.after, "internal");
    });

    it("sets a maintenance window only in production and only in a region that has one", async () => {
      const windowOf = async (fields: string): Promise<unknown> => {
        const query = `{ provisionRuntimePlan(config: ${configOf("window", fields)}) { ${PLAN} } }`;
        const shoot = shootIn(await placeOf().get<Plan>(query)).find(({ path }) => path === "shoot")?.after;
        return at(shoot ?? assert.fail("it plans no Shoot"), "spec", "maintenance", "timeWindow");
      };
      assert.deepEqual(await windowOf('purpose: "production"'), WINDOWS["europe-west3"]);
      assert.equal(await windowOf('purpose: "evaluation"'), undefined);
      const elsewhere = 'region: "me-central2" providerSpecificConfig: { gcpConfig: { zones: ["me-central2-a"] } }';
      assert.equal(await windowOf(`purpose: "production" ${elsewhere}`), undefined);
    });

    it("deletes all clusters without a cleanup of Kyma", async () => {
      const place = placeOf();
      const deletions = await Promise.all([...begun.values()].map(({ runtimeID }) => place.deprovision(runtimeID)));
      for (const each of deletions) assert.equal((await place.succeeded(each)).operation, "DeprovisionNoInstall");
      for (const name of begun.keys()) await assert.rejects(shootOf(name), /has no Shoot/);
    });
  });
}
