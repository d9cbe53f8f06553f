import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { CHARTS, type ChartName } from "../../../components/charts/table";
import { textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { packDouble } from "../../doubles/chartRepository";
import { RayOperator } from "../../doubles/rayOperator/rayOperator";
import { inFront, layerOf, OCI, TestRegistry } from "../bundles/registry";
import { Project } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";

const tag = randomBytes(3).toString("hex");
const of = (name: string): string => `${name}-${tag}`;
const small = { cpu: 1, memoryGb: 1 };
const beside = (name: string, image: string): object => ({ name, image });

/** Writes each host to which a process of Node.js connects. */
const HOSTS = `
const { Socket } = require("node:net");
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [{ host, path }] = Array.isArray(args[0]) ? args[0] : args;
  if (path === undefined) require("node:fs").appendFileSync(process.env.HOSTS_FILE, (host ?? "localhost") + "\\n");
  return connect.apply(this, args);
};
`;

interface Listed {
  readonly role: string;
  readonly image: string;
  readonly digest?: string;
  readonly source?: string;
}

/** A platform with everything that runs on a cluster that is there already, and images of its own wherever it takes some. */
const features = (mode: "static" | "kuberay") => ({
  jupyterhub: {
    ...{ namespace: of("hub"), host: "hub.example.com", tls: { type: "offload" }, timeoutSeconds: 120 },
    ...{ service: { type: "ClusterIP" }, auth: { type: "github", clientId: "client", adminUsers: ["ann"] } },
    profiles: { gpu: { displayName: "GPU", image: "quay.io/jupyter/pytorch-notebook:2026-10-01" } },
    rayCluster: "one",
    values: {
      hub: { image: { name: "ghcr.io/acme/hub", tag: "4.4.0-1" } },
      singleuser: { extraContainers: [beside("sync", "busybox:1.37")] },
    },
  },
  ray: {
    one: {
      ...{ mode, namespace: of("ray"), pool: "", reservedCpu: 0, timeoutSeconds: 60 },
      head: { ...small, containers: [beside("logs", "docker.io/fluent/fluent-bit:4.0.1")] },
      workerGroups: {
        worker: { ...small, replicas: 1, initContainers: [beside("seed", "registry.k8s.io/e2e/busybox:1.29-4")] },
      },
    },
  },
  teraslice: {
    image: "ghcr.io/terascope/teraslice:v3.14.0-nodev24.18.0",
    createNamespace: true,
    settings: { name: of("ts"), kubernetes_namespace: of("ts") },
    terafoundation: { connectors: { "elasticsearch-next": { default: { node: ["http://search:9200"] } } } },
    master: { initContainers: [beside("wait", "busybox:1.37")] },
  },
  metricsServer: { replicas: 1, timeoutSeconds: 60 },
  gpuDevicePlugin: { timeoutSeconds: 60 },
});

/** A real registry has what `charts images` lists and nothing else; what is asked of it is recorded. */
describe("a platform without internet", function () {
  this.timeout(400_000);
  let registry: TestRegistry;
  let front: Awaited<ReturnType<typeof inFront>>;
  let project: Project;
  let client: Client;
  let operator: RayOperator;
  let listed: Listed[];
  const namespaces = ["hub", "ray", "runtimes", "ts"].map(of);

  before(async () => {
    registry = await TestRegistry.start();
    front = await inFront(registry.host, () => false);
    const place = await testYard();
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, { patienceMs: 20_000 });
    operator = new RayOperator(place.kubeconfig, of("ray"));
    project = new Project(place);
    const [hosts, preload] = ["hosts", "hosts.cjs"].map((file) => path.join(project.folder, file));
    writeFileSync(hosts!, "");
    writeFileSync(preload!, HOSTS);
    // Nothing was fetched before.
    const cache = { XDG_CACHE_HOME: path.join(project.folder, "cache") };
    project = project.within({ ...cache, HOSTS_FILE: hosts!, NODE_OPTIONS: `--require ${preload}` });
    const base = {
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      ...{ defaultProvisioner: "only", provisioners: { only: kubernetesProvisioner(of("runtimes")) } },
    };
    await project.platform(base);
    project.describe({
      ...base,
      mirror: `${front.host}/mirror`,
      charts: { lock: "required", lockFile: path.join(project.folder, "charts.lock.yaml") },
      images: { lock: "required" },
      ...features("kuberay"),
    });
    const secret = ["config", "set", "-s", "here", "--secret", "--path", "stackyard:jupyterhub.auth.clientSecret", "x"];
    await project.must("pulumi", ...secret);
  });
  after(async () => {
    await project.remove();
    await operator.stop();
    front.close();
    registry.stop();
    for (const name of namespaces) await client.remove({ apiVersion: "v1", kind: "Namespace", name });
  });

  const stackyard = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await project.stackyard(...args);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };
  const up = () => project.run("pulumi", "-C", project.folder, "up", "-s", "here", "--yes", "--skip-preview").ended;
  const list = async (): Promise<Listed[]> =>
    JSON.parse(await stackyard("charts", "images", "here", "-o", "json")) as Listed[];

  it("is listed with all that it needs and where to copy it from", async () => {
    listed = await list();
    for (const { image } of listed) assert.ok(image.startsWith(`${front.host}/mirror/`), image);
    const charts = listed.filter(({ role }) => role === "chart");
    const names = ["jupyterhub", "kuberay-operator", "metrics-server", "nvidia-device-plugin"];
    assert.deepEqual(charts.map(({ image }) => image.split(/[/:]/).at(-2)).sort(), names);
    for (const { source } of charts) assert.match(source ?? "", /^https:\/\/.*:v?\d/);
    assert.ok(listed.some(({ source }) => source === "ghcr.io/acme/hub:4.4.0-1"));
    for (const one of listed) await copy(one);
  });
  async function copy({ role, image }: Listed): Promise<void> {
    const [, repository = "", version = ""] = /^[^/]+\/(.+):([^:/]+)$/.exec(image) ?? [];
    const of = version.startsWith("<") ? "7.1.0" : version;
    if (role !== "chart")
      return void (await registry.image(repository, of, [layerOf([{ path: repository, content: of }])]));
    const bytes = await packDouble(path.posix.basename(repository) as ChartName);
    const blob = async (mediaType: string, content: Buffer) => ({
      ...{ mediaType, digest: await registry.blob(repository, content), size: content.length },
    });
    const config = await blob("application/vnd.cncf.helm.config.v1+json", Buffer.from("{}"));
    const layers = [await blob("application/vnd.cncf.helm.chart.content.v1.tar+gzip", bytes)];
    await registry.manifest(repository, of, { mediaType: OCI.manifest, schemaVersion: 2, config, layers } as never);
  }

  it("is refused until one command has recorded the digests", async () => {
    const { code, stdout } = await up();
    assert.notEqual(code, 0);
    assert.match(stdout, /images have no digest.*stackyard charts lock --stack here[^]*mirror\/acme\/hub:4\.4\.0-1/);
    await stackyard("charts", "lock", "--stack", "here");
    const text = readFileSync(path.join(project.folder, "charts.lock.yaml"), "utf8");
    assert.match(text, new RegExp(`jupyterhub:\\n +version: ${CHARTS.jupyterhub.version}`));
    assert.match(text, /quay\.io\/jupyterhub\/configurable-http-proxy:5\.2\.0: sha256:/);
    const bare = (await list()).filter(({ role, image, digest }) => role !== "chart" && !digest && !/>$/.test(image));
    assert.deepEqual(bare, []);
  });

  it("keeps the recorded digest of a tag that has moved", async () => {
    await registry.image("mirror/library/busybox", "1.37", [layerOf([{ path: "moved", content: "by somebody" }])]);
    const { code, stderr } = await project.stackyard("charts", "lock", "--stack", "here");
    assert.equal(code, 1);
    assert.match(stderr, /busybox:1\.37 from \S+ has the digest sha256:\w+; expected sha256:[^]*--replace/);
  });

  it("runs from the registry alone", async () => {
    front.asked.length = 0;
    const { code, stdout, stderr } = await up();
    assert.equal(code, 0, stdout + stderr);
    await project.runtime("up", "acme", "--version", "7.1.0");

    const images = await imagesIn();
    assert.ok(images.size >= 12, [...images].join("\n"));
    // The kubelet's part: each image is pulled from the address that it names.
    for (const image of images) {
      assert.ok(image.startsWith(`${front.host}/mirror/`), image);
      const [, repository, version] = /^[^/]+\/([^:@]+)(?::[^@]+@|[:@])(.+)$/.exec(image) ?? [];
      const url = `http://${front.host}/v2/${repository}/manifests/${version}`;
      const { status } = await fetch(url, { method: "HEAD", headers: { accept: OCI.manifest } });
      assert.equal(status, 200, image);
    }
    const hosts = readFileSync(path.join(project.folder, "hosts"), "utf8").split("\n");
    assert.deepEqual([...new Set(hosts)].filter((host) => !/^(127\.0\.0\.1|::1|localhost|)$/.test(host)).sort(), []);
  });

  /** Of pods, custom resources, and what releases install and run before and after. */
  async function imagesIn(): Promise<Set<string>> {
    const kinds = [
      { apiVersion: "v1", kind: "Pod" },
      { apiVersion: "ray.io/v1", kind: "RayCluster" },
    ];
    const all = [...namespaces, "kuberay-operator"];
    const objects = (
      await Promise.all(all.flatMap((namespace) => kinds.map((kind) => client.list({ ...kind, namespace }))))
    ).flat();
    const secrets = await Promise.all(
      [...all, "kube-system"].map((namespace) => client.list({ apiVersion: "v1", kind: "Secret", namespace })),
    );
    const releases = secrets.flat().filter(({ type }) => type === "helm.sh/release.v1");
    const texts = [...objects.map((one) => JSON.stringify(one.spec)), ...releases.map(installed)];
    return new Set(
      texts.flatMap((text) => [...text.matchAll(/"?\bimage"?: ?"?([a-z0-9][\w.:@/-]*)/g)].map(([, one]) => one!)),
    );
  }
});

/** All that Helm installed, with hooks. */
function installed(secret: KubeObject): string {
  const packed = Buffer.from(textAt(secret, "data", "release") ?? "", "base64").toString();
  const { manifest, hooks = [] } = JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString()) as {
    manifest: string;
    hooks?: { manifest: string }[];
  };
  return [manifest, ...hooks.map((hook) => hook.manifest)].join("\n");
}
