import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { yardNode } from "../../../toolchain/tools/yardNode";
import type { ProcessImage } from "../../../toolchain/yard/processNode/images";
import { noProcessNode, startProcessNode, stopProcessNode } from "../../../toolchain/yard/processNode/node";
import { startYard, type Yard } from "../../../toolchain/yard/yard";
import { HandlerWorld } from "../runtime/handlerWorld";

const run = promisify(execFile);

const NODE: ProcessImage = {
  name: "^example/node:",
  folders: [path.dirname(path.dirname(process.execPath))],
  env: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: "/home/node" },
  command: ["node", "-e"],
  user: 0,
  workingDir: "/home/node",
};

interface State {
  readonly terminated?: { readonly exitCode: number; readonly reason: string };
}
interface Container {
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: State;
  readonly lastState: State;
}
interface PodStatus {
  readonly phase: string;
  readonly containerStatuses?: readonly [Container];
}

/** The real kubelet over processes of this machine. */
describe("a node that runs pods as processes", function () {
  this.timeout(300_000);
  let world: HandlerWorld;
  let yard: Yard;

  before(async function () {
    const reason = noProcessNode();
    if (reason !== undefined) {
      this.test!.parent!.title += ` (pending: ${reason})`;
      return this.skip();
    }
    const { programs } = await ensureTools(projectRoot(), [yardNode]);
    yard = await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false });
    await startProcessNode(yard.directory, programs["yard-node"]!, [NODE]);
    world = await new HandlerWorld(readFileSync(yard.kubeconfig, "utf8"), "processes").open();
  });
  after(async () => {
    await world?.close();
    if (yard) await stopProcessNode(yard.directory);
  });

  const kubectl = async (...args: string[]) =>
    (await run("kubectl", ["--kubeconfig", yard.kubeconfig, "--namespace", world.namespace, ...args])).stdout;
  const metadata = (name: string) => ({ name, namespace: world.namespace, labels: { app: name } });
  const apply = (object: object) => world.client.apply(object as KubeObject);

  const pod = (name: string, program: string, container: object = {}, spec: object = {}) =>
    apply({
      apiVersion: "v1",
      kind: "Pod",
      metadata: metadata(name),
      spec: { containers: [{ name, image: "example/node:1", args: [program], ...container }], ...spec },
    });

  async function until(name: string, isSo: (status: PodStatus) => boolean | undefined): Promise<PodStatus> {
    for (const end = Date.now() + 60_000; ; await sleep(100)) {
      const found = await world.client.get({ apiVersion: "v1", kind: "Pod", namespace: world.namespace, name });
      const status = found?.["status"] as PodStatus;
      if (isSo(status)) return status;
      if (Date.now() > end) throw new Error(`${JSON.stringify(status)}\n${await kubectl("describe", "pod", name)}`);
    }
  }
  const isReady = ({ containerStatuses }: PodStatus) => containerStatuses?.[0].ready;

  it("runs the command with its environment and volumes, and shows its log", async () => {
    await apply({ apiVersion: "v1", kind: "ConfigMap", metadata: metadata("words"), data: { word: "hello" } });
    await apply({
      apiVersion: "v1",
      kind: "Secret",
      metadata: metadata("secrets"),
      stringData: { password: "s3cret" },
    });
    const program = `
      const { readFileSync, writeFileSync } = require("node:fs");
      const token = readFileSync("/var/run/secrets/kubernetes.io/serviceaccount/token", "utf8");
      writeFileSync("/scratch/file", "kept");
      console.log([process.env.WORD, process.env.PASSWORD, process.env.NAME, readFileSync("/words/word"), token.split(".").length,
        process.getuid(), process.pid, process.cwd(), require("node:os").hostname()].join(" "));
      process.stdout.write("without an end");`;
    await pod(
      "all",
      program,
      {
        env: [
          { name: "WORD", valueFrom: { configMapKeyRef: { name: "words", key: "word" } } },
          { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "secrets", key: "password" } } },
          { name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        ],
        volumeMounts: [
          { name: "words", mountPath: "/words" },
          { name: "scratch", mountPath: "/scratch" },
        ],
      },
      {
        restartPolicy: "Never",
        volumes: [
          { name: "words", configMap: { name: "words" } },
          { name: "scratch", emptyDir: {} },
        ],
      },
    );
    await until("all", ({ phase }) => phase === "Succeeded");
    assert.equal(await kubectl("logs", "all"), "hello s3cret all hello 3 0 1 /home/node all\nwithout an end\n");
  });

  it("is reached by the name of a Service once its probe succeeds, and by exec", async () => {
    await apply({
      apiVersion: "v1",
      kind: "Service",
      metadata: metadata("front"),
      spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: 8000 }] },
    });
    await pod("web", 'require("node:http").createServer((_, answer) => answer.end("from the pod")).listen(8000)', {
      readinessProbe: { httpGet: { port: 8000 }, periodSeconds: 1 },
    });
    await until("web", isReady);
    const ask = `fetch("http://front").then(async (answer) => console.log(await answer.text()))`;
    for (const end = Date.now() + 20_000; ; await sleep(500)) {
      const answer = await kubectl("exec", "web", "--", "node", "-e", ask).catch(String);
      if (answer === "from the pod\n") break;
      assert.ok(Date.now() < end, answer);
    }
    const failed = await kubectl("exec", "web", "--", "node", "-e", "process.exit(7)").catch(String);
    assert.match(String(failed), /exit code 7/);
  });

  it("restarts a container that ends, and says why it ended", async () => {
    await pod("ends", 'console.log("began"); setTimeout(() => process.exit(3), 200)');
    const { containerStatuses } = await until(
      "ends",
      (status) => (status?.containerStatuses?.[0].restartCount ?? 0) > 0,
    );
    assert.deepEqual(containerStatuses![0].lastState.terminated?.exitCode, 3);
    assert.match(await kubectl("logs", "ends", "--previous"), /began/);
  });

  it("ends a container that takes more memory than its limit", async function () {
    const program = "const all = []; setInterval(() => all.push(Buffer.alloc(20e6, 1)), 10)";
    await pod("greedy", program, { resources: { limits: { memory: "300Mi" } } }, { restartPolicy: "Never" });
    const { containerStatuses } = await until("greedy", (status) => {
      if (readFileSync(path.join(yard.directory, "node", "log"), "utf8").includes("is not enforced")) this.skip();
      return status?.phase === "Failed";
    });
    assert.equal(containerStatuses![0].state.terminated?.reason, "OOMKilled");
  });

  it("keeps a disk when the pod is deleted, which has its grace period to end", async () => {
    await apply({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: metadata("disk"),
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    });
    const disk = {
      container: { volumeMounts: [{ name: "disk", mountPath: "/disk" }] },
      spec: { restartPolicy: "Never", volumes: [{ name: "disk", persistentVolumeClaim: { claimName: "disk" } }] },
    };
    const writer = `
      process.on("SIGTERM", () => setTimeout(() => {
        require("node:fs").writeFileSync("/disk/last", "written at the end");
        process.exit(0);
      }, 500));
      setInterval(() => undefined, 1000);`;
    await pod("writer", writer, disk.container, disk.spec);
    await until("writer", isReady);
    await kubectl("delete", "pod", "writer");
    await pod(
      "reader",
      'console.log(require("node:fs").readFileSync("/disk/last", "utf8"))',
      disk.container,
      disk.spec,
    );
    await until("reader", ({ phase }) => phase === "Succeeded");
    assert.equal(await kubectl("logs", "reader"), "written at the end\n");
  });

  it("leaves pods of other images to simulated nodes", async () => {
    await pod("other", "", { image: "example/other:1" });
    await until("other", isReady);
    assert.doesNotMatch(await kubectl("get", "pod", "other", "-o", "jsonpath={.spec.nodeName}"), /processes/);
  });
});
