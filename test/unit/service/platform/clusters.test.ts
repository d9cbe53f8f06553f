import assert from "node:assert/strict";
import type { Platform } from "../../../../components/runtime/platform/platform";
import type { GardenerProvisioner } from "../../../../components/runtime/types/gardener/spec";
import { directorSettings, kymaSettings } from "../../../../components/runtime/types/gardener/kyma/settings";
import { refusalOf } from "../../../../service/platform/judge";
import { GCP } from "../../gardener/clusters";
import { PLATFORM } from "../../runtime/platform";

const MODULE = { namespace: "compass-system", sources: [{ type: "local", path: "./agent" }] };
const GARDEN: GardenerProvisioner = {
  ...{ type: "gardener", cluster: "https://gardener.example.com", project: "rill", namespace: "garden-rill" },
  ...{ secretBindings: { gcp: "gcp" }, cloudProfiles: {}, defaults: {}, maintenanceWindows: {}, auditLogs: {} },
  ...{ timeouts: {}, allowForceDeletion: false },
  kyma: kymaSettings.parse({
    versions: { "2.20.0": { modules: { "compass-runtime-agent": MODULE } }, "2.21.0": { modules: { istio: MODULE } } },
  }),
};
const ON: Platform = { ...PLATFORM, provisioners: { ...PLATFORM.provisioners, garden: GARDEN } };
const DIRECTOR = directorSettings.parse({
  ...{ url: "https://director/graphql", tokenUrl: "https://oauth/token", clientId: "c", clientSecret: "s" },
});

describe("a request for a cluster that the platform checks", () => {
  const cluster = { ...GCP, name: "acme" };
  const refusal = (deployment: object) => {
    const desiredConfig = {
      platform: "organization/stackyard/dev",
      deployment: { provisioner: "garden", ...deployment },
    };
    return refusalOf({ deployment: "acme", change: { deployment }, desiredConfig, provisioner: null }, ON, {
      director: DIRECTOR,
    });
  };
  const refused = (deployment: object): string => {
    const found = refusal(deployment);
    assert.equal(found?.code, "BAD_INPUT");
    return found.reason;
  };

  it("is accepted if its provisioner can serve it", () => {
    assert.equal(refusal({ cluster, kyma: { version: "2.20.0" } }), undefined);
    assert.equal(refusal({ cluster }), undefined);
  });

  it("is rejected for a Kyma version that its provisioner lacks, with the available versions", () => {
    const reason = refused({ cluster, kyma: { version: "9.9.9" } });
    assert.match(reason, /kyma\.version: found "9\.9\.9"; expected one of 2\.20\.0, 2\.21\.0/);
  });

  it("is rejected for Kyma without the agent that the service's Director needs", () => {
    assert.match(refused({ cluster, kyma: { version: "2.21.0" } }), /expected compass-runtime-agent too/);
  });

  it("is rejected for a name that is too long with the provisioner's project", () => {
    assert.match(
      refused({ cluster: { ...cluster, name: "a-name-of-twenty-1" } }),
      /cluster\.name: found "a-name-of-twenty-1"; expected 17 characters at most, with project rill/,
    );
  });
});
