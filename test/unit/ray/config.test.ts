import assert from "node:assert/strict";
import fc from "fast-check";
import { rayEndpoint } from "../../../components/ray/plan";
import { chartValues, inOrder, plannedNamespaces } from "../../../components/ray/plan";
import { decode, goodWith, linesOf } from "../config/fixtures";

const one = (cluster: object, name = "one") => goodWith({ ray: { [name]: { mode: "static", ...cluster } } });
const scaled = { worker: { minReplicas: 0, maxReplicas: 3 } };

/** The one fault of a cluster. */
function fault(cluster: object, expected: RegExp, name?: string): void {
  const lines = linesOf(one(cluster, name));
  assert.equal(lines.length, 1, lines.join("\n"));
  assert.match(lines[0] ?? "", expected);
}

describe("the config of Ray", () => {
  it("requires only a mode", () => {
    const { ray } = decode(one({}));
    assert.equal(ray?.["one"]?.namespace, "ray");
    assert.deepEqual(Object.keys(ray?.["one"]?.workerGroups ?? {}), ["worker"]);
  });

  it("omits disabled clusters, and reports Ray as disabled if none is left", () => {
    const config = decode(goodWith({ ray: { a: { mode: "static", enabled: false }, b: { mode: "static" } } }));
    assert.deepEqual(Object.keys(config.ray ?? {}), ["b"]);
    const off = decode(one({ enabled: false }));
    assert.equal(off.ray, undefined);
    assert.deepEqual(
      off.disabled.map(({ component }) => component),
      ["ray"],
    );
  });

  it("requires the operator's chart only for kuberay", () => {
    assert.deepEqual(decode(one({})).charts.wanted, []);
    assert.equal(decode(one({ mode: "kuberay" })).charts.wanted[0]?.chart, "kuberay-operator");
    assert.deepEqual(decode(one({ mode: "kuberay", enabled: false })).charts.wanted, []);
  });

  it("requires a cluster", () => {
    assert.match(
      linesOf({ ...one({}), cluster: {} }).join("\n"),
      /^cluster: found nothing; expected a cluster, because Ray/m,
    );
  });

  it("accepts names of at most 49 characters", () => {
    assert.deepEqual(linesOf(one({ mode: "kuberay" }, "a".repeat(49))), []);
    for (const name of ["a".repeat(50), "Upper", "1st", "a_b", "a-"]) {
      fault({ mode: "kuberay" }, /expected a legal name: .*49 characters/, name);
    }
  });

  it("rejects a worker group named head", () => {
    fault({ workerGroups: { head: {} } }, /workerGroups\.head: .*not head/);
  });

  it("rejects invalid numbers of workers", () => {
    const group = (worker: object) => ({ mode: "kuberay", workerGroups: { worker } });
    fault(group({ minReplicas: 4, maxReplicas: 3 }), /minReplicas: found 4; expected at most maxReplicas, 3/);
    fault(group({ minReplicas: -1, maxReplicas: 3 }), /minReplicas: found -1; expected a whole number from 0/);
    fault(group({ minReplicas: 1 }), /maxReplicas: found nothing; expected a whole number/);
    fault(group({ ...scaled.worker, replicas: 2 }), /replicas: found 2; expected minReplicas and maxReplicas instead/);
    fault({ workerGroups: scaled.worker && { worker: { minReplicas: 1 } } }, /minReplicas: .*mode: autoscaling/);
    fault({ mode: "static", workerGroups: { worker: { replicas: 1.5 } } }, /replicas: found 1.5/);
    assert.equal(linesOf(one({ mode: "autoscaling" })).length, 2);
  });

  it("rejects an image with another version of Ray", () => {
    fault({ image: "rayproject/ray:2.40.0-py312" }, /image: .*expected an image of Ray 2\.60\.0.*or change rayVersion/);
    fault({ image: "docker.io/rayproject/ray-ml:2.60.00" }, /expected an image of Ray 2\.60\.0/);
    fault({ head: { image: "r:5000/train:12-ray-2.40.0" } }, /head\.image/);
    fault({ image: "rayproject/ray" }, /expected an image with a tag or a digest/);
    fault({ image: `rayproject/ray@sha256:${"0".repeat(63)}` }, /expected an image with a tag or a digest/);
  });

  it("accepts every image that may have its version of Ray, and warns if the image does not say it", () => {
    const warnings = (image: string) => decode(one({ workerGroups: { w: { image } } })).warnings;
    const digest = `@sha256:${"0".repeat(64)}`;
    for (const known of [`r:5000/ray:2.60.0-gpu${digest}`, "r.io/train:12-ray-2.60.0", "rayproject/ray:2.60.0"]) {
      assert.deepEqual(warnings(known), [], known);
    }
    for (const unknown of [
      "r.io/ml/ray:git-4f5e6d7",
      `rayproject/ray${digest}`,
      "r.io/ray:2.5-gpu",
      "r.io/ray:1.4.2",
    ]) {
      assert.deepEqual(warnings(unknown), [
        `stackyard:ray.one.workerGroups.w.image: ${unknown} does not say its version of Ray; rayVersion says that it is 2.60.0`,
      ]);
    }
  });

  it("accepts other devices by the names of their resources", () => {
    const devices = { "nvidia.com/mig-1g.10gb": 2, "aws.amazon.com/neuroncore": 4 };
    assert.deepEqual(decode(one({ head: { devices } })).ray?.["one"]?.head.devices, devices);
    fault({ head: { devices: { gpu: 1 } } }, /head\.devices\.gpu: .*a name such as nvidia\.com\/mig-1g\.10gb/);
    fault({ head: { devices: { "nvidia.com/gpu": 1 } } }, /head\.devices: .*no nvidia\.com\/gpu, which gpu is/);
    fault(
      { head: { devices: { "google.com/tpu": 0.5 } } },
      /google\.com\/tpu.*: found 0\.5; expected a whole number from 1/,
    );
    fault(
      { head: { devices, rayStartParams: { resources: "{}" } } },
      /rayStartParams\.resources: .*none, because devices/,
    );
  });

  it("rejects a pod that has no CPU left for Ray", () => {
    fault({ head: { cpu: 1 } }, /head\.cpu: found 1; expected at least 2 CPUs, because reservedCpu is 1/);
    assert.deepEqual(linesOf(one({ head: { cpu: 1 }, reservedCpu: 0, workerGroups: { w: { cpu: 1 } } })), []);
  });

  it("requires a token by default, from a Secret of the platform or of the user", () => {
    const authOf = (cluster: object) => decode(one(cluster)).ray?.["one"]?.auth;
    assert.deepEqual(authOf({}), { secretName: "one-ray-token", isOwn: true });
    assert.deepEqual(authOf({ auth: { secretName: "mine" } }), { secretName: "mine", isOwn: false });
    assert.equal(authOf({ auth: { enabled: false } }), undefined);
    fault({ auth: { enabled: false, secretName: "mine" } }, /auth\.secretName: .*none, because auth\.enabled is false/);
  });

  it("warns of a version of Ray without tokens, and rejects auth with it", () => {
    const auth = { secretName: "token" };
    fault({ rayVersion: "2.51.0", auth }, /rayVersion: found "2\.51\.0"; expected 2\.52\.0 or newer/);
    fault({ rayVersion: "1.90.0", auth: { enabled: true } }, /expected 2\.52\.0 or newer/);
    fault({ rayVersion: "", auth }, /rayVersion: found .*; expected a version such as/);
    assert.deepEqual(linesOf(one({ rayVersion: "2.52.0", auth })), []);
    const old = decode(one({ rayVersion: "2.51.0" }));
    assert.equal(old.ray?.["one"]?.auth, undefined);
    assert.match(
      old.warnings.join("\n"),
      /^stackyard:ray\.one\.rayVersion: Ray 2\.51\.0 has no token authentication, /,
    );
    assert.deepEqual(decode(one({ rayVersion: "2.51.0", auth: { enabled: false } })).warnings, []);
  });

  it("rejects fault tolerance without the operator or with conflicting settings", () => {
    const gcsFaultTolerance = { redisAddress: "redis.ray.svc:6379" };
    fault({ gcsFaultTolerance }, /gcsFaultTolerance: .*mode: kuberay for it, not static/);
    fault({ mode: "kuberay", gcsFaultTolerance: {} }, /redisAddress/);
    for (const key of ["RAY_REDIS_ADDRESS", "REDIS_PASSWORD", "RAY_AUTH_TOKEN", "RAY_enable_autoscaler_v2"]) {
      fault({ mode: "kuberay", gcsFaultTolerance, env: { [key]: "x" } }, /env\..*expected no such variable/);
    }
    for (const key of ["redis-password", "num-cpus", "labels", "memory"]) {
      fault({ head: { rayStartParams: { [key]: "1" } } }, /rayStartParams.*expected no such flag/);
    }
  });

  it("reports all faults at once, with the closest key", () => {
    const lines = linesOf(one({ mode: "statc", workerGroup: {}, namespace: "A" }));
    assert.match(lines.join("\n"), /mode: .*did you mean static/);
    assert.match(lines.join("\n"), /workerGroup: found an unknown key; .*did you mean workerGroups/);
    assert.match(lines.join("\n"), /namespace: found "A"/);
  });
});

describe("the plan of a Ray cluster", () => {
  const config = (cluster: object) => decode(one(cluster)).ray!["one"]!;

  it("uses the service names of the chart and the operator in every mode", () => {
    for (const mode of ["static", "kuberay"] as const) {
      const { service, address, dashboard } = rayEndpoint("one", config({ mode }));
      assert.equal(service, "one-ray-head-svc");
      assert.equal(address, "ray://one-ray-head-svc.ray.svc:10001");
      assert.equal(dashboard, "http://one-ray-head-svc.ray.svc:8265");
    }
  });

  it("omits chart values that the config does not set", () => {
    const values = chartValues("one", config({})) as Record<string, Record<string, unknown>>;
    assert.equal(values["image"], "rayproject/ray:2.60.0-py312-cpu");
    assert.ok(!("gcsFaultTolerance" in values));
    assert.ok(!JSON.stringify(values).includes("null"));
  });

  it("makes each namespace once", () => {
    const { ray } = decode(
      goodWith({
        ray: {
          a: { mode: "static" },
          b: { mode: "static" },
          c: { mode: "static", namespace: "other", createNamespace: false },
        },
      }),
    );
    const planned = plannedNamespaces(ray!);
    assert.deepEqual([...planned.keys()], ["ray"]);
    assert.equal(planned.get("ray")?.length, 2);
  });

  it("applies dependencies of pods before the pods, whatever the rendered order", () => {
    const kinds = ["ServiceAccount", "ConfigMap", "Role", "RoleBinding", "Service", "Deployment", "RayCluster"];
    fc.assert(
      fc.property(fc.shuffledSubarray(kinds), (some) => {
        const ordered = inOrder(some.map((kind) => ({ kind }))).map(({ kind }) => kind);
        assert.deepEqual(
          ordered,
          kinds.filter((kind) => some.includes(kind)),
        );
      }),
    );
  });
});
