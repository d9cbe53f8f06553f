import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { configMap, deployment, service, statefulSet, World } from "./world";
import { testKubeconfig } from "./yard";

const fault = (kind: string, more: Record<string, string> = {}) => ({ "yard.stackyard.dev/fault": kind, ...more });

describe("a manifest set that does not become ready", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  it("names an image that cannot be pulled, keeps created objects, and continues on the next update", async () => {
    const set = world.set({ timeoutSeconds: 4 });
    const message = await set.fails([statefulSet({ image: "example/runtime:missing" }), service()]);
    assert.match(message, /is not ready after 4 seconds:\n- StatefulSet \S+\/acme: 0 of 1 pods ready/);
    assert.match(message, /pod acme-0: container main cannot pull image example\/runtime:missing \(ImagePullBackOff\)/);
    assert.match(message, /Created objects stay for the next update: StatefulSet \S+\/acme, Service \S+\/acme/);
    assert.equal(set.state?.inventory?.length, 2);

    await set.up([statefulSet({ image: "example/runtime:1.0.0" }), service()]);
    assert.equal((await world.pod("acme-0")).spec.containers[0].image, "example/runtime:1.0.0");
  });

  it("replaces a pod that blocks its fix and keeps the disk", async () => {
    const set = world.set({ timeoutSeconds: 4 });
    await set.up([statefulSet()]);
    const { uid } = (await world.claim("data-acme-0")).metadata;
    await set.fails([statefulSet({ annotations: fault("crash") })]);
    await set.up([statefulSet({ image: "example/runtime:2.0.0" })]);
    assert.equal((await world.pod("acme-0")).spec.containers[0].image, "example/runtime:2.0.0");
    assert.equal((await world.claim("data-acme-0")).metadata.uid, uid);
    assert.match(world.said("info"), /Pod \S+\/acme-0 has the old version and is not getting ready; deleted/);
  });

  it("reports the exit code of a crashing container", async () => {
    const set = world.set({ timeoutSeconds: 3 });
    const code = fault("crash", { "yard.stackyard.dev/exit-code": "137" });
    assert.match(
      await set.fails([statefulSet({ annotations: code })]),
      /pod acme-0: container main ended with exit code 137 \(out of memory.*\) after 4 restarts \(CrashLoopBackOff\)/,
    );
    assert.match(
      await set.fails([deployment({ name: "web", annotations: fault("crash") })]),
      /- Deployment \S+\/web: 0 of 1 pods ready\n {2}- pod web-\S+: container main ended with exit code 1 /,
    );
  });

  it("reports the scheduler's message and the claim's reason behind it", async () => {
    const set = world.set({ timeoutSeconds: 3 });
    assert.match(
      await set.fails([statefulSet({ cpu: "1000" })]),
      /pod acme-0: cannot be scheduled: 0\/\d+ nodes are available.*Insufficient cpu/,
    );
    const unbound = world.set({ timeoutSeconds: 30, name: "other" });
    const message = await unbound.fails([statefulSet({ name: "other", storageClass: "nowhere" })]);
    assert.match(message, /cannot become ready/);
    assert.match(message, /claim data-other-0 \(storage class nowhere\) is not bound: .*"nowhere" not found/);
  });

  it("reports a running container that is not ready, with the message of its probe", async () => {
    const set = world.set({ timeoutSeconds: 3 });
    const message = await set.fails([statefulSet({ annotations: fault("never-ready") })]);
    assert.match(message, /container main runs but is not ready: Readiness probe failed: .*503/);
  });

  it("reports a quota that blocks pods", async () => {
    const quota = {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "quota" },
      spec: { hard: { pods: "0" } },
    };
    const set = world.set({ timeoutSeconds: 4 });
    const message = await set.fails([quota, statefulSet()]);
    assert.match(message, /StatefulSet \S+\/acme cannot make its pods: .*exceeded quota: quota/);
    const web = await set.fails([quota, deployment()]);
    assert.match(web, /ReplicaSet \S+\/acme-\S+ cannot make its pods: .*exceeded quota: quota/);
  });

  it("reports a failed Job at once", async () => {
    const job = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "once" },
      spec: {
        backoffLimit: 0,
        template: {
          metadata: { annotations: fault("failed", { "yard.stackyard.dev/exit-code": "3" }) },
          spec: { restartPolicy: "Never", containers: [{ name: "main", image: "example/job" }] },
        },
      },
    };
    const message = await world.set({ timeoutSeconds: 60 }).fails([job]);
    assert.match(
      message,
      /cannot become ready:\n- Job \S+\/once: it failed \(BackoffLimitExceeded.*kubectl -n \S+ delete job/,
    );
    assert.match(message, /container main ended with exit code 3/);
  });

  it("is ready when its URL answers with any status except 429 and 5xx", async () => {
    let status = 503;
    const server = createServer((_request, response) => void response.writeHead(status).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://acme.runtimes.localhost:${(server.address() as AddressInfo).port}/v1/ping`;
    try {
      const set = world.set({ timeoutSeconds: 2, ping: { url } });
      assert.match(await set.fails([configMap("a")]), new RegExp(`rolled out, but ${url} does not answer: HTTP 503`));
      status = 404;
      await set.up([configMap("a")]);
    } finally {
      server.close();
    }
    const refused = await world.set({ timeoutSeconds: 1, ping: { url }, name: "b" }).fails([configMap("b")]);
    assert.match(refused, /does not answer: connection refused/);
  });

  it("is rejected, also in a preview, if no controller serves the class of its Ingress", async () => {
    const ingress = (ingressClassName: string) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "acme" },
      spec: { ingressClassName, defaultBackend: { service: { name: "acme", port: { number: 80 } } } },
    });
    const server = createServer((_request, response) => void response.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://acme.runtimes.localhost:${(server.address() as AddressInfo).port}/v1/ping`;
    const set = world.set({ ping: { url } });
    try {
      const says =
        /Ingress \S+\/acme: the cluster has no IngressClass alb \(it has .*nginx.*\), so \S+\/v1\/ping would never answer/;
      await assert.rejects(set.preview([ingress("alb")]), says);
      assert.match(await set.fails([ingress("alb")]), says);
      assert.equal(set.state, undefined);
      await set.up([ingress("nginx")]);
      await assert.rejects(set.preview([ingress("alb")]), says);
    } finally {
      server.close();
    }
    // Nobody waits for an answer.
    await world.set({ name: "b" }).up([{ ...ingress("alb"), metadata: { name: "b" } }]);
  });

  it("keeps created objects when it is canceled", async () => {
    const stop = new AbortController();
    const set = world.set();
    setTimeout(() => stop.abort(), 1000);
    const objects = [statefulSet({ annotations: fault("never-ready") })];
    const message = await set.fails(objects, {}, { signal: stop.signal });
    assert.match(
      message,
      /stopped, because the update was canceled\nCreated objects stay for the next update: StatefulSet/,
    );
    assert.equal(set.state?.inventory?.length, 1);
    await set.down();
    assert.deepEqual(await world.everything(), []);
  });
});

describe("an invalid manifest set", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  const nothingMade = async (): Promise<void> => {
    assert.deepEqual(await world.everything(), []);
    assert.equal(await world.client.get(world.ref("v1", "ConfigMap", "good")), undefined);
  };

  it("creates nothing and reports every fault if any object is invalid", async () => {
    const bad = { ...service(), spec: { ports: [{ port: 99999 }] } };
    const typo = { ...configMap("typo"), dta: { a: "b" } };
    for (const way of ["preview", "up"] as const) {
      await assert.rejects(world.set()[way]([configMap("good"), bad, typo]), (error: Error) => {
        assert.match(error.message, /nothing was changed:/);
        assert.match(error.message, /Service \S+\/acme: .*spec.ports\[0\].port.*99999/);
        assert.match(error.message, /ConfigMap \S+\/typo: .*dta.*not declared in schema/);
        return true;
      });
    }
    await nothingMade();
  });

  it("suggests the nearest kind for an unknown one", async () => {
    const kinds = [
      { ...configMap("a"), kind: "ConfigMop" },
      { ...configMap("b"), apiVersion: "app/v1", kind: "Deployment" },
      { ...configMap("c"), apiVersion: "example.com/v1", kind: "Thing" },
    ];
    const message = await world.set().fails([configMap("good"), ...kinds]);
    assert.match(message, /objects\[1\]: the cluster has no kind ConfigMop in v1; did you mean ConfigMap\?/);
    assert.match(message, /objects\[2\]: .*no app\/v1 at all; did you mean apps\/v1\?/);
    assert.match(
      message,
      /objects\[3\]: .*no example.com\/v1 at all; is the operator that defines it \(its CRDs\) installed\?/,
    );
    await nothingMade();
  });

  it("reports a missing namespace with advice; a preview only warns", async () => {
    const set = world.set({ namespace: "nowhere-to-be-found" });
    const message = /namespace nowhere-to-be-found does not exist; make it first \(kubectl create namespace/;
    assert.match(await set.fails([configMap("a")]), message);
    await set.preview([configMap("a")]);
    assert.match(world.said("warning"), message);
  });

  it("takes over neither unowned objects nor objects of another set unless allowed", async () => {
    await world.client.apply(configMap("good") as never).catch(() => undefined);
    const ours = { ...configMap("shared"), metadata: { name: "shared", namespace: world.namespace } };
    await world.client.apply(ours);
    const set = world.set();
    const message = await set.fails([configMap("shared")]);
    assert.match(message, /ConfigMap \S+\/shared exists already and belongs to no set/);
    const command = /kubectl annotate -n \S+ configmap shared (stackyard.dev\/adopt)=(\S+)/.exec(message);
    assert.ok(command);
    const annotations = { [command[1]!]: command[2]!.replace(/\)$/, "") };
    await world.client.merge(world.ref("v1", "ConfigMap", "shared"), { metadata: { annotations } });
    await set.up([configMap("shared", { a: "ours" })]);

    const other = await world.set({ name: "other" }).fails([configMap("shared")]);
    assert.match(other, /ConfigMap \S+\/shared belongs to the set \S+\/acme; set \S+\/other does not take it over/);
    await set.down();
    assert.equal(await world.client.get(world.ref("v1", "ConfigMap", "shared")), undefined);
  });

  it("rejects a change of immutable fields with advice", async () => {
    const set = world.set();
    await set.up([deployment()]);
    const changed = deployment();
    changed.spec.selector.matchLabels = { app: "b" };
    changed.spec.template.metadata.labels.app = "b";
    const message = await set.fails([changed]);
    assert.match(
      message,
      /Deployment \S+\/acme.*field is immutable.*delete it first: kubectl -n \S+ delete deployment acme/,
    );
  });

  it("warns about an unreachable cluster in a preview and fails in an update", async () => {
    const away = { apiVersion: "v1", kind: "Config", "current-context": "a" };
    const kubeconfig = JSON.stringify({
      ...away,
      clusters: [{ name: "a", cluster: { server: "https://127.0.0.1:9" } }],
      contexts: [{ name: "a", context: { cluster: "a" } }],
    });
    await world.set({ kubeconfig }).preview([configMap("a")]);
    assert.match(world.said("warning"), /cluster at https:\/\/127.0.0.1:9 cannot be reached: nothing listens there/);
  });
});
