import assert from "node:assert/strict";
import { configured } from "../../../../../bundles/format/registry/config/apply";
import { readDeploymentConfig } from "../../../../../bundles/format/registry/config/read";
import { at, listAt, type KubeObject } from "../../../../../kubernetes/objects/objects";
import { converted, only, operator } from "../operators";
import type { Json } from "../../../../../foundation/json/isObject";

describe("deploymentConfig of an operator", () => {
  const operatorPods: Json = {
    initContainers: [{ name: "prepare", env: [{ name: "MODE", value: "old" }] }],
    containers: [
      {
        name: "manager",
        env: [
          { name: "MODE", value: "old" },
          { name: "OTHER", value: "1" },
        ],
        envFrom: [{ configMapRef: { name: "a" } }],
        volumeMounts: [{ name: "data", mountPath: "/data" }],
        resources: { limits: { cpu: "1" } },
      },
      { name: "proxy" },
    ],
    volumes: [{ name: "data", emptyDir: {} }],
    tolerations: [{ key: "a", operator: "Exists" }],
    nodeSelector: { disk: "ssd" },
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "a" }] } },
  };
  const deployment: KubeObject = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "manager", annotations: { own: "deployment" } },
    spec: { template: { metadata: { annotations: { own: "pod" } }, spec: operatorPods } },
  };
  const apply = (config: object): KubeObject => {
    const faults: string[] = [];
    const read = readDeploymentConfig(config, faults);
    assert.deepEqual(faults, []);
    assert.ok(read);
    return configured(deployment, read);
  };
  const pods = (config: object): Json => at(apply(config), "spec", "template", "spec") as Json;
  const containers = (config: object): readonly Json[] => listAt(pods(config), "containers");
  const faults = (config: unknown): string[] => {
    const found: string[] = [];
    readDeploymentConfig(config, found);
    return found;
  };

  it("changes only the fields that it sets", () => {
    assert.deepEqual(apply({}), deployment);
    assert.equal(readDeploymentConfig(null, []), undefined);
  });

  it("replaces variables, mounts and volumes by name in place, and adds new ones", () => {
    const env = [
      { name: "NEW", value: "x" },
      { name: "MODE", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    ];
    const [manager, proxy] = containers({ env });
    assert.deepEqual(manager?.["env"], [env[1], { name: "OTHER", value: "1" }, env[0]]);
    assert.deepEqual(proxy?.["env"], env);
    const volumes = [
      { name: "data", persistentVolumeClaim: { claimName: "data" } },
      { name: "more", emptyDir: {} },
    ];
    assert.deepEqual(pods({ volumes })["volumes"], volumes);
    const volumeMounts = [{ name: "data", mountPath: "/other" }];
    assert.deepEqual(containers({ volumeMounts })[0]?.["volumeMounts"], volumeMounts);
  });

  it("does not change init containers", () => {
    const changed = pods({ env: [{ name: "MODE", value: "new" }], resources: {} });
    assert.deepEqual(changed["initContainers"], operatorPods["initContainers"]);
  });

  it("adds missing sources of variables and missing tolerations", () => {
    const envFrom = [{ configMapRef: { name: "a" } }, { secretRef: { name: "b" } }];
    assert.deepEqual(containers({ envFrom })[0]?.["envFrom"], envFrom);
    const tolerations = [{ operator: "Exists", key: "a" }, { key: "b" }];
    assert.deepEqual(pods({ tolerations })["tolerations"], [{ key: "a", operator: "Exists" }, { key: "b" }]);
  });

  it("replaces resources and the node selector as a whole", () => {
    const resources = { requests: { cpu: "100m" } };
    assert.deepEqual(
      containers({ resources }).map((one) => one["resources"]),
      [resources, resources],
    );
    assert.deepEqual(pods({ nodeSelector: { zone: "a" } })["nodeSelector"], { zone: "a" });
    assert.deepEqual(pods({ nodeSelector: {} })["nodeSelector"], {});
    assert.deepEqual(pods({ nodeSelector: null })["nodeSelector"], { disk: "ssd" });
  });

  it("replaces affinity part by part, and removes empty parts", () => {
    const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] };
    assert.deepEqual(pods({ affinity: { nodeAffinity: preferred } })["affinity"], {
      nodeAffinity: preferred,
      podAffinity: at(operatorPods, "affinity", "podAffinity"),
    });
    assert.equal(pods({ affinity: {} })["affinity"], undefined);
    assert.equal(pods({ affinity: { podAffinity: {} } })["affinity"], undefined);
    assert.equal(
      pods({
        affinity: {
          podAffinity: null,
          nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
        },
      })["affinity"] !== undefined,
      true,
    );
  });

  it("adds annotations to the Deployment and its pods, but keeps those of the operator", () => {
    const changed = apply({ annotations: { own: "mine", more: "yes" } });
    assert.deepEqual(changed.metadata.annotations, { own: "deployment", more: "yes" });
    assert.deepEqual(at(changed, "spec", "template", "metadata", "annotations"), { own: "pod", more: "yes" });
  });

  it("is rejected with the path of each fault, but without values", () => {
    assert.deepEqual(faults("s3cret"), ["deploymentConfig: expected an object"]);
    assert.deepEqual(
      faults({
        selector: {},
        enviroment: [],
        env: [{ value: "s3cret" }, "s3cret"],
        tolerations: {},
        nodeSelector: { a: 1 },
        resources: "s3cret",
      }),
      [
        "deploymentConfig.selector: found a field that OLM never used; remove it",
        "deploymentConfig.enviroment: found an unknown value; known are env, envFrom, volumes, volumeMounts, tolerations, resources, nodeSelector, affinity, annotations",
        "deploymentConfig.resources: expected an object",
        'deploymentConfig.nodeSelector["a"]: expected a text',
        "deploymentConfig.env[0].name: expected a text",
        "deploymentConfig.env[1]: expected an object",
        "deploymentConfig.tolerations: expected a list of objects",
      ],
    );
  });

  it("is a value of an operator bundle", async () => {
    const values = { deploymentConfig: { nodeSelector: { zone: "a" } } };
    const made = only(await converted(operator(), { values }), "Deployment");
    assert.deepEqual(at(made, "spec", "template", "spec", "nodeSelector"), { zone: "a" });
    await assert.rejects(converted(operator(), { values: { deploymentConfig: { selector: {} } } }), /OLM never used/);
  });
});
