import assert from "node:assert/strict";
import { ChoiceError } from "../../../components/runtime/choiceError";
import type { Platform } from "../../../components/runtime/platform/platform";
import type { GardenerProvisioner } from "../../../components/runtime/types/gardener/spec";
import { directorSettings, kymaSettings } from "../../../components/runtime/types/gardener/kyma/settings";
import { planKyma } from "../../../components/runtime/types/gardener/kyma/plan";
import { withServiceDefaults, type ServiceDefaults } from "../../../components/runtime/types/gardener/serviceDefaults";

const SPEC: GardenerProvisioner = {
  ...{ type: "gardener", cluster: "https://gardener.example.com", project: "rill", namespace: "garden-rill" },
  ...{ secretBindings: {}, cloudProfiles: {}, defaults: {}, maintenanceWindows: {}, auditLogs: {}, timeouts: {} },
  allowForceDeletion: false,
  kyma: kymaSettings.parse({ mode: "installer" }),
};
const director = (url: string) =>
  directorSettings.parse({ url, tokenUrl: "https://oauth/token", clientId: "c", clientSecret: "s" });
const WINDOW = { begin: "220000+0100", end: "230000+0100" };
const DEFAULTS: ServiceDefaults = {
  director: director("https://director/graphql"),
  auditLogs: { policyConfigMap: "policy", tenants: {} },
  maintenanceWindows: { eu: WINDOW },
  operatorGroups: { view: "viewers", admin: "admins" },
  brokerUrlPrefix: "https://brokers.",
};
const ALL = [
  "director",
  "auditLogs.policyConfigMap",
  "auditLogs.tenants",
  "maintenanceWindows",
  "operatorGroups.view",
  "operatorGroups.admin",
  "kyma.brokerUrlPrefix",
];

function served(spec: Partial<GardenerProvisioner>, defaults?: ServiceDefaults, had: readonly string[] = []) {
  const platform = { provisioners: { garden: { ...SPEC, ...spec }, pool: { type: "static", pool: "p" } } };
  const deployment = { deployment: "acme", serviceDefaults: had };
  const result = withServiceDefaults(platform as unknown as Platform, "garden", defaults, deployment);
  return { ...result, spec: result.platform.provisioners["garden"] as GardenerProvisioner };
}

describe("a provisioner of type gardener in the service", () => {
  it("gets its defaults from the environment of the service", () => {
    const { spec, fromService } = served({}, DEFAULTS);
    assert.deepEqual([spec.director, spec.auditLogs], [DEFAULTS.director, DEFAULTS.auditLogs]);
    assert.deepEqual(spec.maintenanceWindows, { eu: WINDOW });
    assert.deepEqual(spec.operatorGroups, { view: "viewers", admin: "admins" });
    const plan = planKyma(spec.kyma, { version: "1.24.8" });
    assert.equal(plan?.mode === "installer" && plan.installer.brokerUrlPrefix, "https://brokers.");
    assert.deepEqual(fromService, ALL);
  });

  it("keeps its own settings", () => {
    const own = {
      director: director("https://own/graphql"),
      auditLogs: { policyConfigMap: "own" },
      maintenanceWindows: { eu: { ...WINDOW, begin: "000000+0000" }, us: WINDOW },
      operatorGroups: { admin: "own" },
      kyma: kymaSettings.parse({ mode: "installer", brokerUrlPrefix: "https://own." }),
    };
    const { spec, fromService } = served(own, DEFAULTS);
    assert.deepEqual(
      [spec.director, spec.kyma, spec.maintenanceWindows],
      [own.director, own.kyma, own.maintenanceWindows],
    );
    assert.deepEqual(spec.auditLogs, { policyConfigMap: "own", tenants: {} });
    assert.deepEqual(spec.operatorGroups, { view: "viewers", admin: "own" });
    assert.deepEqual(fromService, ["auditLogs.tenants", "operatorGroups.view"]);
  });

  it("rejects a run outside the service that would remove settings of the service", () => {
    assert.deepEqual(served({}).spec, SPEC);
    assert.throws(
      () => served({}, undefined, ["director"]),
      (error: Error) =>
        error instanceof ChoiceError && /"acme" has director from the environment of the service/.test(error.message),
    );
    served({ director: director("https://own/graphql") }, undefined, ["director"]);
    // Somebody removed the variable.
    served({}, {}, ["director"]);
  });
});
