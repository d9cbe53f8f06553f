import assert from "node:assert/strict";
import type { GardenerProvisioner, Platform } from "../../../components/runtime/platform/platform";
import { directorSettings, kymaSettings } from "../../../components/runtime/types/gardener/kyma/settings";
import { borderCheck } from "../../../service/gardener/border";
import { OperationError } from "../../../service/operations/error";
import { GCP } from "../gardener/clusters";
import { PLATFORM } from "../runtime/platform";

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

describe("a request at the border of the service", () => {
  const warned: string[] = [];
  const log = { warn: (_fields: object, text: string) => void warned.push(text) };
  const check = borderCheck(() => Promise.resolve(ON), { director: DIRECTOR }, log);
  const runtime = (deployment: object, provisioner?: string) => ({
    id: "acme",
    desiredConfig: { platform: "organization/stackyard/dev", deployment },
    ...(provisioner !== undefined && { provisioner }),
  });
  const cluster = { ...GCP, name: "acme" };
  const refused = async (deployment: object): Promise<string> => {
    const error: unknown = await check(runtime(deployment, "garden")).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof OperationError && error.code === "BAD_INPUT", String(error));
    return error.reason;
  };

  it("may pass where its provisioner can serve it", async () => {
    await check(runtime({ cluster, kyma: { version: "2.20.0" } }, "garden"));
    await check(runtime({ cluster, provisioner: "garden" }));
  });

  it("is refused for a version of Kyma that its provisioner does not have, with those that it has", async () => {
    const reason = await refused({ cluster, kyma: { version: "9.9.9" } });
    assert.match(reason, /kyma\.version: found "9\.9\.9"; expected one of 2\.20\.0, 2\.21\.0/);
  });

  it("is refused for Kyma without the agent that the service's Director needs", async () => {
    assert.match(await refused({ cluster, kyma: { version: "2.21.0" } }), /expected compass-runtime-agent too/);
  });

  it("is refused for every fault that shows only with the provisioner", async () => {
    const reason = await refused({ cluster: { ...cluster, name: "a-name-of-twenty-1", autoScalerMin: 9 } });
    assert.match(reason, /has 2 faults/);
    assert.match(
      reason,
      /cluster\.name: found "a-name-of-twenty-1"; expected 17 characters at most, with project rill/,
    );
  });

  it("is left to the operation where the platform can't be read", async () => {
    const away = borderCheck(() => Promise.reject(new Error("no such stack")), {}, log);
    await away(runtime({ cluster, kyma: { version: "9.9.9" } }, "garden"));
    assert.deepEqual(warned, ["a request was not checked against its platform"]);
  });
});
