import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { pythonEnvironment } from "../../../toolchain/python/environment";

const run = promisify(execFile);
const root = path.join(__dirname, "../../..");

/** The chart's provider of worker pods, loaded as the pinned Ray's autoscaler loads it. */
describe("the node provider of Ray's autoscaler", function () {
  let python: string;
  let folder: string;

  before(async function () {
    const environment = await pythonEnvironment("ray", root);
    if ("missing" in environment) {
      this.test!.parent!.title += ` (pending: ${environment.missing})`;
      return this.skip();
    }
    ({ python } = environment);
    folder = mkdtempSync(path.join(tmpdir(), "ray-provider-"));
    copyFileSync(
      path.join(root, "charts/ray-static-cluster/files/kubernetes_pods.py"),
      path.join(folder, "kubernetes_pods.py"),
    );
    writeFileSync(path.join(folder, "pods.json"), "{}");
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it("counts a worker as pending until its Ray has started, and as ended when it ends, even if a sidecar still runs", async () => {
    const running = { name: "logs", state: { running: {} } };
    const pods = [
      { phase: "Pending" },
      { phase: "Running", containerStatuses: [{ name: "worker", started: false, state: { running: {} } }, running] },
      { phase: "Running", containerStatuses: [{ name: "worker", started: true, state: { running: {} } }, running] },
      { phase: "Running", containerStatuses: [{ name: "worker", state: { terminated: { exitCode: 1 } } }, running] },
      { phase: "Failed" },
    ];
    const code = `import json, sys, kubernetes_pods
print(json.dumps([kubernetes_pods.KubernetesPods._status(one) for one in json.loads(sys.argv[1])]))`;
    const { stdout } = await run(python, ["-c", code, JSON.stringify(pods)], { cwd: folder });
    assert.deepEqual(JSON.parse(stdout), ["pending", "pending", "up-to-date", "update-failed", "update-failed"]);
  });

  it("deletes workers that have ended and counts them no more, so that Ray asks for others", async () => {
    const pod = (name: string, component: string, phase: string) => ({
      metadata: { name, labels: { "app.kubernetes.io/component": component, "ray-group": "cpu" } },
      status: { phase },
    });
    const pods = [
      pod("head", "head", "Running"),
      pod("new", "worker", "Pending"),
      pod("works", "worker", "Running"),
      pod("killed", "worker", "Failed"),
    ];
    const code = `import json, sys, kubernetes_pods
class Pods(kubernetes_pods.KubernetesPods):
    selector, namespace, deleted = "", "ray", []
    def __init__(self): pass
    def _call(self, method, path, body=None):
        if method == "GET": return {"items": json.loads(sys.argv[1])}
        self.deleted.append(method + " " + path)
print(json.dumps([list(Pods().get_node_data()), Pods.deleted]))`;
    const { stdout } = await run(python, ["-c", code, JSON.stringify(pods)], { cwd: folder });
    assert.deepEqual(JSON.parse(stdout), [["head", "new", "works"], ["DELETE /api/v1/namespaces/ray/pods/killed"]]);
  });
});
