import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { startYard, stopYard, yardStatus, type Yard } from "../../../toolchain/yard/yard";
import { credentialsOf } from "../../../toolchain/yard/clusterConfig";
import { layoutOf } from "../../../toolchain/yard/layout";
import { allProcesses, ofYard } from "../../../toolchain/yard/processes";
import { foldersOf, readRecord } from "../../../toolchain/yard/record";

const STATEFUL_SET = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "db", namespace: "default" },
  spec: {
    serviceName: "db",
    replicas: 1,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" },
    selector: { matchLabels: { app: "db" } },
    template: {
      metadata: { labels: { app: "db" } },
      spec: { containers: [{ name: "db", image: "db:1", volumeMounts: [{ name: "data", mountPath: "/data" }] }] },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Gi" } } },
      },
    ],
  },
};

const INGRESS = {
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  metadata: { name: "db", namespace: "default" },
  spec: { ingressClassName: "nginx", defaultBackend: { service: { name: "db", port: { number: 80 } } } },
};

const pod = (name: string, annotations: Record<string, string>, image = "x:1"): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default", annotations },
  spec: { containers: [{ name: "c", image }] },
});

describe("the local yard", () => {
  let folder: string;
  let yard: Yard;

  const kubectl = (...args: string[]): string =>
    execFileSync("kubectl", args, { env: yard.env, encoding: "utf8" }).trim();
  const apply = (...objects: object[]): void => {
    const input = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
    execFileSync("kubectl", ["apply", "--server-side", "-f", "-"], { env: yard.env, input });
  };
  const waitFor = (what: string, condition: string): string =>
    kubectl("wait", what, `--for=${condition}`, "--timeout=30s");
  const folders = (): string[] => foldersOf(layoutOf(yard.directory), readRecord(layoutOf(yard.directory)));
  const processes = (): Map<string, number> =>
    new Map(ofYard(allProcesses(), folders()).map(({ pid, args }) => [path.basename(args[0] ?? ""), pid]));
  const kill = (...names: string[]): void => {
    for (const name of names) process.kill(processes().get(name) ?? assert.fail(`${name} does not run`), "SIGKILL");
  };
  const ledger = async (sql: string): Promise<unknown[]> => {
    const client = new Client(yard.ledgerUrl);
    await client.connect();
    try {
      return (await client.query(sql)).rows as unknown[];
    } finally {
      await client.end();
    }
  };

  before(async () => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-yard-")));
    // A folder that is closed to others and has a space in its name: both have gone wrong before.
    yard = await startYard({ directory: path.join(folder, "a yard"), progress: false });
    kubectl("wait", "--for=create", "serviceaccount/default", "--timeout=30s");
  });

  after(async () => {
    await yard.stop();
    fs.rmSync(folder, { recursive: true });
  });

  it("has node pools like a real cluster", () => {
    const of = (selector: string): string[] => kubectl("get", "nodes", "-l", selector, "-o", "name").split("\n");
    assert.equal(of("eks.amazonaws.com/capacityType=ON_DEMAND,!dedicated").length, 3);
    assert.equal(of("eks.amazonaws.com/capacityType=SPOT").length, 2);
    const taints = kubectl("get", "nodes", "-l", "dedicated", "-o", "jsonpath={.items[*].spec.taints[*].effect}");
    assert.equal(taints, "NoSchedule");
  });

  it("binds claims, grows them with their volumes, and deletes both with their StatefulSet", () => {
    apply(STATEFUL_SET);
    kubectl("rollout", "status", "statefulset/db", "--timeout=30s");
    assert.equal(
      kubectl("get", "pvc", "data-db-0", "-o", "jsonpath={.status.phase} {.status.capacity.storage}"),
      "Bound 10Gi",
    );
    kubectl(
      "patch",
      "pvc",
      "data-db-0",
      "--type=merge",
      "-p",
      '{"spec":{"resources":{"requests":{"storage":"20Gi"}}}}',
    );
    waitFor("pvc/data-db-0", "jsonpath={.status.capacity.storage}=20Gi");
    assert.equal(kubectl("get", "pv", "-o", "jsonpath={.items[*].spec.capacity.storage}"), "20Gi");
    kubectl("delete", "statefulset", "db");
    waitFor("pvc/data-db-0", "delete");
    kubectl("wait", "pv", "--all", "--for=delete", "--timeout=30s");
  });

  it("gives Ingresses an address", () => {
    apply(INGRESS);
    waitFor("ingress/db", "jsonpath={.status.loadBalancer.ingress[0].ip}=192.0.2.10");
  });

  it("gives Services of type LoadBalancer an address", () => {
    const spec = { type: "LoadBalancer", selector: { app: "x" }, ports: [{ port: 80 }] };
    apply({ apiVersion: "v1", kind: "Service", metadata: { name: "public", namespace: "default" }, spec });
    waitFor("service/public", "jsonpath={.status.loadBalancer.ingress[0].ip}");
  });

  it("simulates requested pod failures", () => {
    const fault = (name: string): Record<string, string> => ({ "yard.stackyard.dev/fault": name });
    apply(
      pod("missing", {}, "x:missing"),
      pod("pull", fault("image-pull")),
      pod("crash", { ...fault("crash"), "yard.stackyard.dev/exit-code": "137" }),
      pod("unready", fault("never-ready")),
      pod("good", {}),
    );
    waitFor("pod/good", "condition=Ready");
    for (const name of ["missing", "pull"]) {
      waitFor(`pod/${name}`, "jsonpath={.status.containerStatuses[0].state.waiting.reason}=ImagePullBackOff");
    }
    waitFor("pod/crash", "jsonpath={.status.containerStatuses[0].lastState.terminated.exitCode}=137");
    waitFor("pod/unready", "jsonpath={.status.phase}=Running");
    assert.equal(kubectl("get", "pod", "unready", "-o", "jsonpath={.status.containerStatuses[0].ready}"), "false");
  });

  it("does nothing when everything runs", async () => {
    const before = processes();
    await startYard({ directory: yard.directory, progress: false });
    assert.deepEqual(processes(), before);
    assert.deepEqual(await yardStatus({ directory: yard.directory }), { cluster: "running", postgres: "running" });
  });

  /** Puts what etcd is asked at its client port; the answer, or how it was refused. */
  const askEtcd = (scheme: "http" | "https", credentials: object = {}): Promise<string> =>
    new Promise((resolve) => {
      const layout = layoutOf(yard.directory);
      const port = readRecord(layout)?.ports.etcd;
      const { get } = scheme === "http" ? http : https;
      // The server's own certificate is not what this is about.
      const options = { host: "127.0.0.1", port, path: "/version", rejectUnauthorized: false, ...credentials };
      get(options, (response) => {
        response.on("data", (chunk: Buffer) => resolve(`${response.statusCode} ${chunk.toString()}`)).resume();
      }).on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });

  it("rejects etcd clients without a certificate of the cluster", async () => {
    assert.doesNotMatch(await askEtcd("http"), /^200/);
    assert.match(await askEtcd("https"), /^ERR_SSL|^ECONNRESET/);
    assert.match(await askEtcd("https", credentialsOf(layoutOf(yard.directory))), /^200 .*etcdserver/);
  });

  it("adds certificates to the etcd of an older yard and keeps its data", async () => {
    const stored = path.join(layoutOf(yard.directory).cluster, "kwok.yaml");
    const open = (text: string): string =>
      text.replace(/^ *- --(?:peer-)?(?:cert-file|key-file|trusted-ca-file|client-cert-auth)=.*\n/gm, "");
    const server = (text: string): string => text.replace(/^ *- --etcd-(?:cafile|certfile|keyfile)=.*\n/gm, "");
    const plain = (text: string): string =>
      text.replace(/^( *- --(?:[a-z-]+-urls|initial-cluster|etcd-servers)=.*)https:/gm, "$1http:");
    fs.writeFileSync(stored, plain(server(open(fs.readFileSync(stored, "utf8")))));
    apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "older", namespace: "default" } });
    yard = await startYard({ directory: yard.directory, progress: false });
    assert.match(await askEtcd("https"), /^ERR_SSL|^ECONNRESET/);
    assert.equal(kubectl("get", "configmap", "older", "-o", "name"), "configmap/older");
  });

  it("recovers its data and addresses after any of its processes is killed", async () => {
    const { kubeconfig, ledgerUrl } = yard;
    const server = fs.readFileSync(kubeconfig, "utf8");
    apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept", namespace: "default" } });
    await ledger("create table kept as select 42 as answer");
    kill("etcd", "kwok-controller", "postgres");
    assert.equal((await yardStatus({ directory: yard.directory })).cluster, "stopped");
    yard = await startYard({ directory: yard.directory, progress: false });
    assert.deepEqual([yard.ledgerUrl, fs.readFileSync(yard.kubeconfig, "utf8")], [ledgerUrl, server]);
    assert.equal(kubectl("get", "configmap", "kept", "-o", "name"), "configmap/kept");
    assert.deepEqual(await ledger("select answer from kept"), [{ answer: 42 }]);
  });

  it("does not wait for leases of dead processes when it restarts", async () => {
    const holders = (): string[] =>
      kubectl(
        "get",
        "leases",
        "-A",
        "-o",
        "jsonpath={range .items[*]}{.metadata.name} {.spec.holderIdentity}{'\\n'}{end}",
      )
        .split("\n")
        .filter((line) => !line.startsWith("apiserver-"));
    const nodes = kubectl("get", "nodes", "-o", "name").split("\n").length;
    let dead = holders();
    while (dead.length < nodes) {
      await sleep(100);
      dead = holders();
    }
    kill("etcd", "kwok-controller");
    yard = await startYard({ directory: yard.directory, progress: false });
    assert.deepEqual(
      holders().filter((line) => dead.includes(line)),
      [],
    );
    apply(pod("after-restart", {}));
    waitFor("pod/after-restart", "condition=Ready");
  });

  it("recreates an unfinished cluster", async () => {
    fs.rmSync(layoutOf(yard.directory).clusterDone);
    assert.equal((await yardStatus({ directory: yard.directory })).cluster, "incomplete");
    yard = await startYard({ directory: yard.directory, progress: false });
    assert.equal((await yardStatus({ directory: yard.directory })).cluster, "running");
    assert.match(kubectl("get", "nodes", "-o", "name"), /on-demand-a/);
  });

  it("runs next to another yard and stops without touching it", async () => {
    const other = await startYard({ directory: path.join(folder, "other"), progress: false });
    try {
      assert.notEqual(other.ledgerUrl, yard.ledgerUrl);
      const mine = folders();
      assert.equal(ofYard(allProcesses(), mine).length >= 6, true);
      await stopYard({ directory: yard.directory });
      assert.deepEqual(await yardStatus({ directory: yard.directory }), { cluster: "none", postgres: "none" });
      assert.deepEqual(ofYard(allProcesses(), mine), []);
      assert.deepEqual(await yardStatus({ directory: other.directory }), { cluster: "running", postgres: "running" });
    } finally {
      await other.stop();
    }
    assert.equal(fs.existsSync(other.directory), false);
  });
});
