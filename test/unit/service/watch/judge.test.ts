import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { appliedIn } from "../../../../engine/stack/cluster";
import { inventoryKey, type KubeObject } from "../../../../kubernetes/objects/objects";
import { levelOf } from "../../../../service/capacity/level";
import { HEALTHY } from "../../../../service/watch/health/health";
import { hostHealth, judgeHost } from "../../../../service/watch/health/watch";
import { judgeShoot } from "../../../../service/watch/health/shoots";
import { judge } from "../../../../service/watch/health/pods";

const REF = { apiVersion: "apps/v1", kind: "StatefulSet", namespace: "runtimes", name: "runtime-acme" };
const workload = (ready: number) => ({
  apiVersion: REF.apiVersion,
  kind: REF.kind,
  metadata: {
    name: REF.name,
    namespace: REF.namespace,
    generation: 1,
    labels: { "stackyard.dev/set": "runtime-acme", "stackyard.dev/set-namespace": "runtimes" },
    annotations: { "stackyard.dev/owner-id": "mine" },
  },
  spec: { replicas: 1, volumeClaimTemplates: [{ metadata: { name: "data" } }] },
  status: { observedGeneration: 1, replicas: 1, readyReplicas: ready, availableReplicas: ready, updatedReplicas: 1 },
});

describe("the health of a runtime", () => {
  const { apiVersion, kind, spec } = workload(1);
  const setOf = (replicas: unknown) =>
    appliedIn({
      urn: "",
      type: "stackyard:index:ManifestSet",
      inputs: {
        name: "runtime-acme",
        namespace: "runtimes",
        objects: [{ apiVersion, kind, metadata: { name: REF.name }, spec: { ...spec, replicas } }],
      },
      outputs: { inventory: [inventoryKey(REF)], ownerId: "mine", claims: { "runtimes/data-runtime-acme-0": "uid-1" } },
    });
  const applied = setOf(1);
  const claim = (uid: string, more: object = {}) => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data-runtime-acme-0", namespace: "runtimes", uid, ...more },
  });
  const judged = (live: readonly KubeObject[], claims: readonly KubeObject[] = [claim("uid-1")]) =>
    judge([{ ref: REF, applied, live, claims }]);

  it("follows from its workloads", () => {
    assert.deepEqual(judged([workload(1)]), HEALTHY);
    assert.equal(judged([workload(0)]).reason, "StatefulSet runtime-acme: 0 of 1 pods ready");
    assert.equal(judged([]).reason, "StatefulSet runtimes/runtime-acme was deleted");
  });

  it("is unhealthy if a workload or a claim differs from what was applied", () => {
    const live = workload(1);
    const { metadata } = live;
    const foreign = { ...live, metadata: { ...metadata, annotations: { "stackyard.dev/owner-id": "other" } } };
    assert.match(judged([foreign]).reason ?? "", /has the owner id other; expected mine/);
    assert.match(judged([{ ...live, spec: { ...spec, replicas: 3 } }]).reason ?? "", /differs in spec\.replicas/);
    assert.match(judged([live], [claim("uid-2")]).reason ?? "", /was replaced: its UID is uid-2/);
    const since = { deletionTimestamp: "2026-01-01T00:00:00Z" };
    assert.match(judged([live], [claim("uid-1", since)]).reason ?? "", /is being deleted since 2026-01-01/);
    assert.match(judged([live], []).reason ?? "", /data-runtime-acme-0 was deleted with its data/);
    assert.deepEqual(judged([live], [claim("uid-1"), claim("of-another", { name: "other" })]), HEALTHY);
  });

  it("ignores secret values, which are encrypted in the state", () => {
    const encrypted = setOf({
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "v1:",
    });
    assert.deepEqual(judge([{ ref: REF, applied: encrypted, live: [workload(1)], claims: [claim("uid-1")] }]), HEALTHY);
  });
});

describe("the health of a Gardener cluster", () => {
  const shoot = (conditions: readonly object[], lastOperation?: object) => ({
    apiVersion: "core.gardener.cloud/v1beta1",
    kind: "Shoot",
    metadata: { name: "acme" },
    status: { conditions, lastOperation },
  });
  const condition = (type: string, status: string, message = "") => ({ type, status, message });

  it("follows from its conditions", () => {
    assert.deepEqual(judgeShoot(shoot([condition("APIServerAvailable", "True")])), HEALTHY);
    assert.deepEqual(
      judgeShoot(shoot([condition("APIServerAvailable", "True"), condition("EveryNodeReady", "False", "no nodes")])),
      { state: "unhealthy", reason: "EveryNodeReady: no nodes" },
    );
    assert.equal(judgeShoot(undefined).state, "unhealthy");
  });

  it("ignores a progressing condition, and is unknown before Gardener has checked", () => {
    const progressing = [condition("APIServerAvailable", "True"), condition("EveryNodeReady", "Progressing")];
    assert.equal(judgeShoot(shoot(progressing)).state, "healthy");
    assert.equal(judgeShoot(shoot([])).state, "unknown");
    assert.equal(judgeShoot(shoot([condition("APIServerAvailable", "Unknown")])).state, "unknown");
  });

  it("is unhealthy if Gardener gave up", () => {
    const failed = { type: "Reconcile", state: "Failed", progress: 10, description: "quota exceeded" };
    assert.deepEqual(judgeShoot(shoot([condition("APIServerAvailable", "True")], failed)), {
      state: "unhealthy",
      reason: "Gardener gave up the operation Reconcile: quota exceeded",
    });
  });
});

describe("the health of a runtime on a pool host", () => {
  it("follows from its host, once the host has answered", () => {
    assert.deepEqual(judgeHost("http://a", undefined, null), HEALTHY);
    assert.equal(judgeHost("http://a", "ECONNREFUSED", "healthy").state, "unhealthy");
    assert.equal(judgeHost("http://a", "ECONNREFUSED", "unhealthy").state, "unhealthy");
    assert.deepEqual(judgeHost("http://a", "ECONNREFUSED", null), {
      state: "unknown",
      reason: "host http://a has not answered yet: ECONNREFUSED",
    });
  });

  it("is requested from the host once for all its runtimes, and 401 counts as healthy", async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(asked === 1 ? 401 : 503).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const runtime = { id: "a", name: "a", tenant: "red", platform: "p", provisioner: "pool", host };
    const look = (before: "healthy" | null, read = new Map<string, unknown>()) => ({
      of: (id: string) =>
        hostHealth(
          { ...runtime, id, before },
          { type: "static", pool: "pool" },
          {
            workspace: { folder: "" },
            platformOf: () => assert.fail("no platform is needed"),
            once: (key, work) => {
              const known = read.get(String(key)) ?? work();
              read.set(String(key), known);
              return known as ReturnType<typeof work>;
            },
          },
        ),
    });
    const first = look(null);
    assert.deepEqual(await Promise.all([first.of("a"), first.of("b")]), [HEALTHY, HEALTHY]);
    assert.equal(asked, 1);
    assert.match((await look("healthy").of("a")).reason ?? "", /does not answer: it answers 503$/);
    await new Promise((resolve) => server.close(resolve));
    assert.equal((await look("healthy").of("a")).state, "unhealthy");
  });
});

describe("the level of a provisioner's capacity", () => {
  const host = (used: number, slots = 10, drain = false) => ({ used, slots, drain });

  it("is 80 at 80 % of all slots, and 70 at 70 % of every host", () => {
    assert.equal(levelOf([host(9), host(7)]), 80);
    assert.equal(levelOf([host(7), host(8)]), 70);
    assert.equal(levelOf([host(9), host(6)]), 0);
    assert.equal(levelOf([host(0)]), 0);
  });

  it("ignores drained hosts, and is 0 without hosts", () => {
    assert.equal(levelOf([host(8), host(0, 100, true)]), 80);
    assert.equal(levelOf([host(5), host(10, 10, true)]), 0);
    assert.equal(levelOf([]), 0);
  });
});
