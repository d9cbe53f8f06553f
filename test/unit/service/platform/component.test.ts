import assert from "node:assert/strict";
import { Cluster } from "../../../../components/cluster/cluster";
import type { ServiceSettings } from "../../../../components/service/config/schema";
import { ProvisioningService } from "../../../../components/service/provisioningService";
import { decode, goodWith } from "../../config/fixtures";
import { mock, settled, valueOf } from "../../runtime/mocks";

const RENDERED = [{ kind: "ServiceAccount" }, { kind: "Job" }, { kind: "Deployment" }];

function settingsOf(changes: object = {}): ServiceSettings {
  const service = {
    image: "registry.example.com/stackyard-service:1.0.0",
    secrets: { databaseUrl: "postgres://service:s3cret@db:5432/service" },
    environment: { APP_OIDC_ISSUER: "https://issuer.example.com" },
    ...changes,
  };
  const { service: settings } = decode(goodWith({ service }), { secretKeys: new Set(["service"]) });
  assert.ok(settings);
  return settings;
}

/** Registers the service with these settings, on a cluster with the kind ServiceMonitor or without. */
async function registered(settings: ServiceSettings, served = true) {
  const recorder = mock(
    ({ type, inputs }) => (type === "pulumi:index:Stash" ? { output: inputs["input"] } : {}),
    ({ token }) => (token === "stackyard:index:servesKind" ? { served } : { objects: RENDERED }),
  );
  const cluster = new Cluster("cluster", { existing: { kubeconfig: "clusters: []", server: "https://10.0.0.1" } });
  const { endpoint } = new ProvisioningService("service", { cluster, settings });
  await settled(recorder);
  const sets = recorder.resources.filter(({ type }) => type === "stackyard:index:ManifestSet");
  const render = recorder.calls.find(({ token }) => token === "stackyard:index:renderChart");
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- values of a chart
  const values = render?.inputs["values"] as any;
  return { sets, values, calls: recorder.calls, endpoint: await valueOf(endpoint) };
}

describe("ProvisioningService", () => {
  it("runs migrations after it creates its Secret, and creates all other objects afterwards", async () => {
    const { sets, endpoint } = await registered(settingsOf());
    assert.deepEqual(
      sets.map(({ name }) => name),
      ["service-namespace", "service-secret", "service-migrations", "service-objects"],
    );
    const kinds = sets.slice(2).map(({ inputs }) => (inputs["objects"] as { kind?: string }[]).map(({ kind }) => kind));
    assert.deepEqual(kinds, [["Job"], ["ServiceAccount", "Deployment"]]);
    assert.deepEqual(endpoint, {
      namespace: "stackyard-service",
      url: "http://stackyard-service.stackyard-service.svc/",
      forward: "kubectl -n stackyard-service port-forward service/stackyard-service 3000:http",
    });
  });

  it("gives the chart a checksum of its secrets instead of the secrets", async () => {
    const { values } = await registered(settingsOf());
    assert.ok(!JSON.stringify(values).includes("s3cret"));
    assert.match(String(values.secretChecksum), /^[0-9a-f]{16}$/);
    const { values: existing, sets } = await registered(settingsOf({ secrets: undefined, secretName: "mine" }));
    assert.deepEqual([existing.secretName, existing.secretChecksum], ["mine", undefined]);
    assert.ok(!sets.some(({ name }) => name === "service-secret"));
  });

  it("uses its own platform unless its environment names another platform", async () => {
    const { values } = await registered(settingsOf());
    assert.match(String(values.environment.APP_PLATFORM), /\/acme$/);
    const environment = { APP_OIDC_ISSUER: "https://issuer.example.com", APP_PLATFORM: "other" };
    const { values: other } = await registered(settingsOf({ environment }));
    assert.equal(other.environment.APP_PLATFORM, "other");
  });

  it("has a ServiceMonitor if the cluster serves that kind or the config enables it", async () => {
    assert.equal((await registered(settingsOf(), true)).values.serviceMonitor.enabled, true);
    assert.equal((await registered(settingsOf(), false)).values.serviceMonitor.enabled, false);
    const { values, calls } = await registered(settingsOf({ serviceMonitor: { enabled: true } }), false);
    assert.equal(values.serviceMonitor.enabled, true);
    assert.ok(!calls.some(({ token }) => token === "stackyard:index:servesKind"));
  });

  it("passes placement, autoscaling and secret variables to the chart", async () => {
    const placed = {
      affinity: { podAntiAffinity: {} },
      priorityClassName: "platform",
      podAnnotations: { team: "data" },
      secretEnvironment: { OTEL_EXPORTER_OTLP_HEADERS: "otlpHeaders" },
    };
    const changes = { ...placed, autoscaling: { maxReplicas: 4 }, secrets: undefined, secretName: "mine" };
    const { values } = await registered(settingsOf(changes));
    assert.deepEqual(values.autoscaling, {
      ...{ enabled: true, minReplicas: 2, maxReplicas: 4 },
      targetCPUUtilizationPercentage: 80,
    });
    const passed = Object.fromEntries(Object.keys(placed).map((key) => [key, values[key] as unknown]));
    assert.deepEqual(passed, placed);
    const { values: plain } = await registered(settingsOf());
    assert.deepEqual([plain.autoscaling, plain.priorityClassName, plain.affinity], [undefined, undefined, {}]);
  });

  it("outputs the URL of its Ingress host", async () => {
    const ingress = { host: "stackyard.example.com", tlsSecretName: "tls" };
    const { endpoint, values } = await registered(settingsOf({ ingress, createNamespace: false }));
    assert.equal(endpoint.url, "https://stackyard.example.com/");
    assert.deepEqual(values.ingress, { enabled: true, className: "", annotations: {}, ...ingress });
  });
});
