import assert from "node:assert/strict";
import { chartImages } from "../../../components/charts/images";
import { imagesOf } from "../../../components/platform/facts";
import { metricsValues } from "../../../components/metricsServer/plan";
import { eks } from "../../../components/eks/feature";
import { metricsServer } from "../../../components/metricsServer/feature";
import { createFeatures } from "../../../components/platform/create";
import { decode, goodWith, linesOf } from "../config/fixtures";
import { mock, settled } from "../runtime/mocks";
import { EKS } from "./config.test";

const on = goodWith({ metricsServer: { enabled: true } });

describe("metrics-server", () => {
  it("is a pinned chart on an existing cluster, and an add-on of a cluster that the platform creates", () => {
    const { charts, metricsServer } = decode(on);
    assert.deepEqual(charts.wanted, [
      { component: "metricsServer", token: "MetricsServer", chart: "metrics-server", optional: false },
    ]);
    assert.equal(metricsServer?.replicas, 2);
    const [line, ...others] = linesOf({ ...on, cluster: EKS });
    assert.deepEqual(others, []);
    assert.match(line ?? "", /^metricsServer: found settings; expected nothing, because a cluster of type eks has it/);
  });

  it("is installed only if it is configured, and lists the consequences if it is disabled", () => {
    assert.equal(decode(goodWith({})).metricsServer, undefined);
    const { metricsServer, disabled } = decode(goodWith({ metricsServer: { enabled: false } }));
    assert.equal(metricsServer, undefined);
    assert.match(disabled[0]?.consequences ?? "", /HorizontalPodAutoscalers keep their number of pods/);
  });

  it("requires a cluster", () => {
    const shared = { type: "static", spec: { runtimes: [{ host: "http://localhost:9091", slots: 1 }] } };
    const values = { provisioners: { shared }, defaultProvisioner: "shared", metricsServer: { enabled: true } };
    assert.match(linesOf(values).join("\n"), /^cluster: found nothing; expected a cluster, because metricsServer/);
  });

  it("takes its image from the mirror, and lists it", () => {
    const config = decode({ ...on, images: { mirror: "registry.example.com/mirror" } });
    const image = { repository: "registry.example.com/mirror/metrics-server/metrics-server", tag: "v0.8.1" };
    assert.deepEqual(config.metricsServer?.imageValues, { image });
    const listed = chartImages("metricsServer", "metrics-server", config)[0]?.image;
    assert.equal(listed, `${image.repository}:${image.tag}`);
    assert.deepEqual(
      imagesOf(config).flatMap(({ component, image: one }) => (component === "metricsServer" ? [one] : [])),
      [listed],
    );
  });

  it("keeps one of two pods during a drain, but does not protect a single pod", () => {
    const settings = { timeoutSeconds: 60, imageValues: {}, values: { args: ["--kubelet-insecure-tls"] } };
    const two = metricsValues({ ...settings, replicas: 2 });
    assert.deepEqual(two["podDisruptionBudget"], { enabled: true, maxUnavailable: 1 });
    assert.deepEqual(two["args"], ["--kubelet-insecure-tls"]);
    assert.equal(metricsValues({ ...settings, replicas: 1 })["podDisruptionBudget"], undefined);
  });

  it("is one release in kube-system, which is rolled back if it fails", async function () {
    this.timeout(20_000);
    const recorder = mock(
      () => ({}),
      () => ({}),
    );
    const charts = { archives: { "metrics-server": "./charts/metrics-server.tgz" } };
    await createFeatures([eks, metricsServer], decode(on), charts, Promise.resolve({}));
    await settled(recorder);
    const { inputs } = recorder.only("kubernetes:helm.sh/v3:Release");
    const { name, namespace, createNamespace, chart, atomic } = inputs;
    assert.deepEqual(
      { name, namespace, createNamespace, chart, atomic },
      {
        name: "metrics-server",
        namespace: "kube-system",
        createNamespace: false,
        chart: "./charts/metrics-server.tgz",
        atomic: true,
      },
    );
  });
});
