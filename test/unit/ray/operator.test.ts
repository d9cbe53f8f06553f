import assert from "node:assert/strict";
import { operatorValues } from "../../../components/ray/operator/plan";
import type { OperatorSettings } from "../../../components/ray/operator/config/schema";
import { decode, GOOD, linesOf } from "../config/fixtures";

const ray = { one: { mode: "kuberay" } };
const settings = (rayOperator: object = {}): OperatorSettings => decode({ ...GOOD, ray, rayOperator }).rayOperator;

describe("the KubeRay operator", () => {
  it("has the chart's defaults without config", () => {
    assert.deepEqual(operatorValues(settings()), {});
    assert.deepEqual(operatorValues(decode(GOOD).rayOperator), {});
  });

  it("has the configured image, pull secrets, nodes, resources and namespaces, and the user's values last", () => {
    const toleration = { key: "dedicated", value: "system", effect: "NoSchedule" };
    const values = operatorValues(
      settings({
        image: "registry.example.com:5000/kuberay/operator:v1.7.0",
        imagePullSecrets: ["registry"],
        nodeSelector: { dedicated: "system" },
        tolerations: [toleration],
        resources: { cpu: 0.5, memoryMb: 1024 },
        watchNamespaces: ["ray", "lab"],
        values: { image: { pullPolicy: "Always" }, replicas: 2 },
      }),
    );
    const size = { cpu: "0.5", memory: "1024M" };
    assert.deepEqual(values, {
      image: { repository: "registry.example.com:5000/kuberay/operator", tag: "v1.7.0", pullPolicy: "Always" },
      imagePullSecrets: [{ name: "registry" }],
      nodeSelector: { dedicated: "system" },
      tolerations: [toleration],
      resources: { requests: size, limits: size },
      watchNamespace: ["ray", "lab"],
      replicas: 2,
    });
  });

  it("must watch the namespaces of its clusters", () => {
    const [line, ...others] = linesOf({ ...GOOD, ray, rayOperator: { watchNamespaces: ["lab"] } });
    assert.deepEqual(others, []);
    assert.match(
      line ?? "",
      /rayOperator\.watchNamespaces: .*expected ray among them, because the Ray cluster one is there/,
    );
    assert.deepEqual(
      linesOf({ ...GOOD, ray: { one: { mode: "static" } }, rayOperator: { watchNamespaces: ["lab"] } }),
      [],
    );
  });

  it("must have an image with a fixed tag", () => {
    assert.match(
      linesOf({ ...GOOD, ray, rayOperator: { image: "kuberay/operator:latest" } }).join(),
      /rayOperator\.image/,
    );
  });
});
