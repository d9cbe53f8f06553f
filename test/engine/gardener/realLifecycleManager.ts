import { spawn, type ChildProcess } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { dump, load } from "js-yaml";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { established } from "../../doubles/lifecycleManager/lifecycleManager";
import { portToBind } from "../../../toolchain/yard/ports";
import { tarOf } from "../../unit/bundles/archives";
import { digestOf, TestRegistry } from "../bundles/registry";

const PLANE = "kcp-system";
const ISTIO = "istio-system";
const API = "operator.kyma-project.io/v1beta2";

/** The kinds of Istio and of cert-manager that Lifecycle Manager needs to start. Nothing plays them. */
const OTHERS = [
  ["networking.istio.io", "v1beta1", "Gateway"],
  ["networking.istio.io", "v1beta1", "VirtualService"],
  ["cert-manager.io", "v1", "Certificate"],
] as const;

function crd([group, version, kind]: (typeof OTHERS)[number]): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        { name: version, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema } },
      ],
    },
  };
}

/** Lifecycle Manager's own program, with a registry of modules. Its watcher's webhook is there and is never called. */
export class RealLifecycleManager {
  private constructor(
    private readonly plane: Client,
    private readonly registry: TestRegistry,
    private readonly folder: string,
    private readonly child: ChildProcess,
    readonly logs: () => string,
  ) {}

  /** `installed`: the folder with the program, its CRDs and the resources of its watcher. */
  static async start(plane: Client, kubeconfig: string, installed: string): Promise<RealLifecycleManager> {
    await furnish(plane, installed);
    const registry = await TestRegistry.start();
    const folder = mkdtempSync(path.join(tmpdir(), "stackyard-klm-"));
    // It looks for the resources beside the folder of its program.
    for (const each of ["bin", "skr-webhook"]) mkdirSync(path.join(folder, each));
    copyFileSync(path.join(installed, "resources.yaml"), path.join(folder, "skr-webhook", "resources.yaml"));
    const program = path.join(folder, "bin", "lifecycle-manager");
    copyFileSync(path.join(installed, "lifecycle-manager"), program);
    const address = async () => `127.0.0.1:${await portToBind()}`;
    const quick = ["success", "busy", "error", "warning"].flatMap((one) => [
      `--kyma-requeue-${one}-interval=1s`,
      `--manifest-requeue-${one}-interval=1s`,
    ]);
    const child = spawn(
      program,
      [
        `--kubeconfig=${kubeconfig}`,
        `--oci-registry-host=${registry.host}`,
        "--skr-watcher-image-tag=1.0.0",
        `--metrics-bind-address=${await address()}`,
        `--health-probe-bind-address=${await address()}`,
        `--kyma-skr-listener-bind-address=${await address()}`,
        ...["--leader-elect=false", "--failure-max-delay=1s", "--module-upgrade-rollout-max-delay=0"],
        ...quick,
      ],
      { cwd: folder, env: { ...process.env, TMPDIR: folder, HOME: folder }, stdio: ["ignore", "pipe", "pipe"] },
    );
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text: Buffer) => (said += text.toString()));
    return new RealLifecycleManager(plane, registry, folder, child, () => said.slice(-8000));
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    if (this.child.exitCode === null && this.child.kill("SIGKILL")) await ended;
    this.registry.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The certificate that cert-manager would issue for a Kyma. */
  async certify(kyma: string): Promise<void> {
    await this.plane.apply(secretOf(`${kyma}-webhook-tls`, { "tls.crt": "certificate", "tls.key": "key" }));
  }

  /** Releases a module in channels. What it installs is a ConfigMap with its version, and a Deployment. */
  async release(name: string, channels: Readonly<Record<string, string>>): Promise<void> {
    const ocmComponentName = `kyma-project.io/module/${name}`;
    const metadata = { namespace: PLANE, name };
    const all = Object.entries(channels).map(([channel, version]) => ({ channel, version }));
    for (const version of new Set(Object.values(channels))) {
      await this.#push(ocmComponentName, name, version);
      const manager = { group: "apps", version: "v1", kind: "Deployment", namespace: "kyma-system", name };
      const spec = { version, moduleName: name, manager, descriptor: { component: { name: ocmComponentName } } };
      const own = { namespace: PLANE, name: `${name}-${version}` };
      await this.plane.apply({ apiVersion: API, kind: "ModuleTemplate", metadata: own, spec });
    }
    const spec = { moduleName: name, ocmComponentName, channels: all };
    await this.plane.apply({ apiVersion: API, kind: "ModuleReleaseMeta", metadata, spec });
  }

  /** A component of the Open Component Model: its descriptor, and a layer with the manifests. */
  async #push(component: string, name: string, version: string): Promise<void> {
    const repository = `component-descriptors/${component}`;
    const own = { namespace: "kyma-system", name };
    const labels = { app: name };
    const template = { metadata: { labels }, spec: { containers: [{ name, image: `${name}:${version}` }] } };
    const manifests = [
      { apiVersion: "v1", kind: "ConfigMap", metadata: own, data: { version } },
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: own,
        spec: { selector: { matchLabels: labels }, template },
      },
    ];
    const layer = Buffer.from(manifests.map((one) => dump(one)).join("---\n"));
    const mediaType = "application/octet-stream";
    const access = { type: "localBlob", localReference: digestOf(layer), mediaType };
    const descriptor = tarOf([
      {
        path: "component-descriptor.yaml",
        content: dump({
          meta: { schemaVersion: "v2" },
          component: {
            ...{ name: component, version, provider: "kyma-project.io", sources: [], componentReferences: [] },
            repositoryContexts: [{ type: "OCIRegistry", baseUrl: this.registry.host, componentNameMapping: "urlPath" }],
            resources: [{ name: "raw-manifest", type: "directoryTree", version, relation: "local", access }],
          },
        }),
      },
    ]);
    const blob = async (bytes: Buffer, type: string) => ({
      ...{ mediaType: type, digest: await this.registry.blob(repository, bytes), size: bytes.length },
    });
    const first = await blob(descriptor, "application/vnd.ocm.software.component-descriptor.v2+yaml+tar");
    const config = Buffer.from(JSON.stringify({ componentDescriptorLayer: first }));
    await this.registry.manifest(repository, version, {
      ...{ schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json" },
      config: await blob(config, "application/vnd.ocm.software.component.config.v1+json"),
      layers: [first, await blob(layer, mediaType)],
    } as { mediaType: string });
  }
}

const secretOf = (name: string, data: Readonly<Record<string, string>>, annotations = {}): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Secret" },
  metadata: { namespace: ISTIO, name, annotations, labels: { "operator.kyma-project.io/purpose": "test" } },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")])),
});

async function furnish(plane: Client, installed: string): Promise<void> {
  const own = ["kymas", "manifests", "modulereleasemetas", "moduletemplates", "watchers"].map(
    (name) => load(readFileSync(path.join(installed, `${name}.yaml`), "utf8")) as KubeObject,
  );
  const crds = [...own, ...OTHERS.map(crd)];
  for (const one of crds) await plane.apply(one);
  for (const one of crds) await established(plane, one);
  for (const name of [PLANE, ISTIO]) await plane.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  await plane.apply({
    ...{ apiVersion: "networking.istio.io/v1beta1", kind: "Gateway" },
    metadata: { namespace: PLANE, name: "klm-watcher" },
    spec: {
      selector: { istio: "ingressgateway" },
      servers: [{ hosts: ["listener.example.com"], port: { name: "https", number: 443, protocol: "HTTPS" } }],
    },
  });
  const at = { caAddedToBundleAt: "2026-01-01T00:00:00Z" };
  await plane.apply(secretOf("klm-istio-gateway", { "ca.crt": "authority" }, at));
}
