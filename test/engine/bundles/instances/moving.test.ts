import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Client } from "../../../../kubernetes/client/client";
import { connect } from "../../../../kubernetes/connect/connect";
import { Project } from "../../cli/project";
import { bundleFolder } from "../bundleFolder";
import { claim } from "../../manifests/allowed";
import { testYard } from "../../runtime/yard";
import { crd } from "../world";

/** Objects that change their release in one update: engine, provider and Kubernetes are real. */
describe("objects that move between bundle instances", function () {
  this.timeout(120_000);
  const tag = randomBytes(3).toString("hex");
  const namespace = `moving-${tag}`;
  const group = `${tag}.example.com`;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-bundles-"));
  let project: Project;
  let client: Client;
  let config: Record<string, unknown>;

  const bundle = (name: string, ...objects: object[]): object => ({
    versions: { "1.0.0": { sources: [bundleFolder(folder, name, ...objects)] } },
  });
  const configMap = (name: string, data: object = {}) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
    data,
  });
  const kind = crd(group);
  const gadget = { apiVersion: `${group}/v1`, kind: "Gadget", metadata: { name: "one" }, spec: { size: 1 } };
  const uids = async (): Promise<Record<string, string | undefined>> => {
    const uid = async (apiVersion: string, kind: string, name: string, place?: string) =>
      (await client.get({ apiVersion, kind, name, ...(place && { namespace: place }) }))?.metadata.uid;
    return {
      kind: await uid("apiextensions.k8s.io/v1", "CustomResourceDefinition", `gadgets.${group}`),
      gadget: await uid(`${group}/v1`, "Gadget", "one", namespace),
      shop: await uid("v1", "ConfigMap", "shop", namespace),
      disk: await uid("v1", "PersistentVolumeClaim", "disk", namespace),
    };
  };
  const ownerOf = async (name: string): Promise<string | undefined> =>
    (await client.get({ apiVersion: "v1", kind: "ConfigMap", name, namespace }))?.metadata.labels?.[
      "stackyard.dev/bundle"
    ];

  const place = { namespace, timeoutSeconds: 20 };
  const shop = { bundle: "shop", ...place, createNamespace: true };
  let bundles: Record<string, object>;
  let before_: Record<string, string | undefined>;
  const describeAll = (instances: object, more: object = {}) =>
    project.describe({ ...config, bundles, instances, ...more });
  const pulumi = (...args: string[]) => project.must("pulumi", ...args, "-s", "here", "--non-interactive");
  const up = (...args: string[]) => pulumi("up", "--yes", "--skip-preview", ...args);

  before(async () => {
    const yard = await testYard();
    client = connect(readFileSync(yard.kubeconfig, "utf8"), undefined, {});
    project = new Project(yard);
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    config = {
      cluster: { type: "existing", kubeconfig: { path: yard.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
    };
    bundles = {
      shop: bundle("shop", kind, gadget, configMap("shop", { of: "shop" }), claim("disk"), configMap("gone")),
    };
    await project.platform({ ...config, bundles, instances: { shop } });
    before_ = await uids();
    assert.ok(Object.values(before_).every((uid) => uid !== undefined));
  });
  after(async () => {
    describeAll({}, { allowDataLoss: [`${namespace}/disk`] });
    await project.remove();
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
    await client.remove({ apiVersion: kind.apiVersion, kind: kind.kind, name: kind.metadata.name });
    rmSync(folder, { recursive: true, force: true });
  });

  const CRDS = `apiextensions.k8s.io/v1/CustomResourceDefinition/*.${group} from bundle ${namespace}/shop`;

  it("are rejected with a hint if the new instance does not adopt them", async () => {
    bundles = {
      kinds: bundle("kinds", kind),
      shop: bundle("shop-2", gadget, configMap("shop", { of: "shop" }), claim("disk")),
    };
    describeAll({ kinds: { bundle: "kinds", ...place }, shop });
    await assert.rejects(pulumi("preview"), /or move it: adopt: \["apiextensions\S+ from bundle \S+\/shop"\]/);
    assert.deepEqual(await uids(), before_);
  });

  it("are listed in the preview with their former owner", async () => {
    describeAll({ kinds: { bundle: "kinds", ...place, adopt: [CRDS] }, shop });
    const text = await pulumi("preview");
    assert.match(text, /takes over from bundle \S+\/shop, which[^]* {2}CustomResourceDefinition gadgets/);
    assert.match(text, /leaves to others \(1\):\s+CustomResourceDefinition \S+ \(bundle \S+\/kinds\)/);
    assert.match(text, /1 object to be removed:\s+- ConfigMap \S+\/gone/);
  });

  it("are kept with their dependents when a kind moves to its own bundle", async () => {
    await up();
    assert.deepEqual(await uids(), before_);
    assert.equal(await ownerOf("gone"), undefined);
    await pulumi("preview", "--expect-no-changes", "--diff");
    await pulumi("refresh", "--yes", "--skip-preview");
    await pulumi("preview", "--expect-no-changes", "--diff");
  });

  it("are kept, including claims, when a new instance replaces a removed one", async () => {
    const store = { ...shop, dependsOn: ["kinds"], adopt: [`from bundle ${namespace}/shop`] };
    describeAll({ kinds: { bundle: "kinds", ...place }, store });
    assert.match(await pulumi("preview"), /takes over from bundle \S+\/shop[^]*PersistentVolumeClaim \S+\/disk/);
    await up();
    assert.deepEqual(await uids(), before_);
    assert.equal(await ownerOf("shop"), "store");
    await pulumi("preview", "--expect-no-changes", "--diff");
  });

  it("stay with their owner while the new instance fails", async () => {
    const bad = { apiVersion: "none.example.com/v1", kind: "Gadget", metadata: { name: "bad" } };
    bundles = {
      ...bundles,
      shop: bundle("shop-3", gadget, claim("disk")),
      maps: bundle("maps", configMap("shop", { of: "maps" }), bad),
    };
    const store = { ...shop, dependsOn: ["kinds"] };
    const maps = { bundle: "maps", ...place, dependsOn: ["store"], adopt: [`from bundle ${namespace}/store`] };
    describeAll({ kinds: { bundle: "kinds", ...place }, store, maps });
    await assert.rejects(up(), /maps +maps 1\.0\.0 +failed/);
    assert.deepEqual(await uids(), before_);
    bundle("maps", configMap("shop", { of: "maps" }));
    await up();
    assert.deepEqual(await uids(), before_);
    assert.equal(await ownerOf("shop"), "maps");
  });
});
