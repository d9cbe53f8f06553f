import assert from "node:assert/strict";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { claimProblem } from "../../../kubernetes/reasons/collect";
import { podProblem } from "../../../kubernetes/reasons/pod";
import { claim, container, event, pod } from "./samples";

const reported = (one: KubeObject, events: KubeObject[] = []): string[] =>
  podProblem(one, events).reasons.map(({ text }) => text);
const isFinal = (one: KubeObject, events: KubeObject[] = []): boolean =>
  podProblem(one, events).reasons.some(({ final }) => final);

describe("the reason why a pod is not ready", () => {
  const pulling = (reason: string, message = "") => pod([container({ waiting: { reason, message } })]);

  it("names the image and the registry's message, not only the back-off", () => {
    const events = [event("Failed", 'Failed to pull image "example/runtime:1": not found')];
    assert.deepEqual(reported(pulling("ImagePullBackOff", "Back-off pulling image"), events), [
      'container main cannot pull image example/runtime:1 (ImagePullBackOff): Failed to pull image "example/runtime:1": not found',
    ]);
  });

  it("is final if the image is missing or its name is invalid, but not if the registry is unreachable", () => {
    assert.equal(isFinal(pulling("ErrImagePull", "manifest unknown")), true);
    assert.equal(isFinal(pulling("InvalidImageName", "invalid reference format")), true);
    assert.equal(isFinal(pulling("ErrImagePull", "dial tcp: i/o timeout")), false);
  });

  it("contains exit code, cause and last lines of a crashing container", () => {
    const last = (terminated: object) => [
      container({ waiting: { reason: "CrashLoopBackOff" } }, { restartCount: 3, lastState: { terminated } }),
    ];
    assert.deepEqual(reported(pod(last({ exitCode: 1, reason: "Error", message: "no config\nfile" }))), [
      "container main ended with exit code 1 after 3 restarts (CrashLoopBackOff): no config file",
    ]);
    assert.deepEqual(reported(pod(last({ exitCode: 137, reason: "OOMKilled" }))), [
      "container main ended with exit code 137 (out of memory: it needs more than its limit) after 3 restarts (CrashLoopBackOff)",
    ]);
    // Without a message of its own, its log is worth reading.
    assert.deepEqual(podProblem(pod(last({ exitCode: 2 })), []).crash, { container: "main" });
    assert.equal(podProblem(pod(last({ exitCode: 2, message: "bye" })), []).crash, undefined);
  });

  it("names an init container that fails", () => {
    const init = { ...container({ terminated: { exitCode: 4, message: "no database" } }), name: "wait" };
    const waiting = container({ waiting: { reason: "PodInitializing" } });
    assert.deepEqual(reported(pod([waiting], { nodeName: "n" }, { initContainerStatuses: [init] })), [
      "container wait ended with exit code 4: no database",
    ]);
  });

  it("repeats the scheduler", () => {
    const conditions = [
      { type: "PodScheduled", status: "False", message: "0/6 nodes are available: 6 Insufficient cpu." },
    ];
    assert.deepEqual(reported(pod([], {}, { conditions })), [
      "cannot be scheduled: 0/6 nodes are available: 6 Insufficient cpu.",
    ]);
    assert.deepEqual(reported(pod([], {})), ["waits for the scheduler"]);
  });

  it("contains failures of mounts, configuration and probes", () => {
    const creating = pod([container({ waiting: { reason: "ContainerCreating" } })]);
    assert.deepEqual(reported(creating, [event("FailedMount", "volume data: no such secret")]), [
      "volume data: no such secret",
    ]);
    assert.deepEqual(reported(pulling("CreateContainerConfigError", 'secret "x" not found')), [
      'container main cannot start (CreateContainerConfigError): secret "x" not found',
    ]);
    const running = pod([container({ running: {} })]);
    assert.deepEqual(reported(running, [event("Unhealthy", "Readiness probe failed: 503")]), [
      "container main runs but is not ready: Readiness probe failed: 503",
    ]);
    assert.deepEqual(reported(creating), ["is not ready yet"]);
    assert.deepEqual(reported(pod([])), ["was given to node node-1, which has not started it yet"]);
  });

  it("shows an eviction, and a deletion that is stuck", () => {
    assert.deepEqual(
      reported(pod([], { nodeName: "n" }, { phase: "Failed", reason: "Evicted", message: "low on disk" })),
      ["failed: Evicted: low on disk"],
    );
    const going = pod([]);
    const metadata = { ...going.metadata, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["example.com/hold"] };
    assert.deepEqual(reported({ ...going, metadata }), [
      "is being deleted since 2026-01-01T00:00:00Z on node node-1, held by its finalizers example.com/hold",
    ]);
  });

  it("is empty if the pod is ready, and one short line otherwise", () => {
    const ready = [{ type: "Ready", status: "True" }];
    assert.deepEqual(
      reported(pod([container({ running: {} }, { ready: true })], { nodeName: "n" }, { conditions: ready })),
      [],
    );
    const [long = ""] = reported(pulling("ErrImagePull", "very\nlong ".repeat(1000)));
    assert.ok(long.length < 600 && !long.includes("\n"));
  });
});

describe("the reason why a claim is not bound or has not grown", () => {
  const pending = claim("data", "1Gi", "1Gi", { phase: "Pending" });

  it("comes from its events, and is final if the storage class is missing", () => {
    const missing = event("ProvisioningFailed", 'storageclass.storage.k8s.io "standard" not found');
    const trouble = claimProblem(pending, [missing]);
    assert.equal(
      trouble?.text,
      'claim data (storage class standard) is not bound: storageclass.storage.k8s.io "standard" not found',
    );
    assert.equal(trouble?.final, true);
    assert.equal(claimProblem(pending, [event("ProvisioningFailed", "quota of volumes reached")])?.final, false);
    assert.match(claimProblem(pending, [])?.text ?? "", /no volume is there for it yet/);
  });

  it("is undefined once the claim is bound and has its size", () => {
    assert.equal(claimProblem(claim("data", "1Gi"), []), undefined);
    const growing = claim("data", "2Gi", "1Gi");
    assert.match(claimProblem(growing, [])?.text ?? "", /its disk is being made larger/);
    const failed = event("VolumeResizeFailed", "one change in six hours");
    assert.match(claimProblem(growing, [failed])?.text ?? "", /one change in six hours/);
    const conditions = [{ type: "FileSystemResizePending", status: "True" }];
    const waiting = claim("data", "2Gi", "1Gi", { conditions });
    assert.match(claimProblem(waiting, [])?.text ?? "", /the file system grows when a pod mounts it/);
  });
});
