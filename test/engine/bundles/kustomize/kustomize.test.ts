import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { KUSTOMIZE } from "../../../../bundles/format/kustomize/kustomize";
import { parseYaml } from "../../../../bundles/format/yaml";
import { renderFiles } from "../../../../kubernetes/helmEngine/renderer";
import { configMap, faultsIn, temporaryFolder, treeOf, write } from "../../../unit/bundles/samples";
import { testKubeconfig } from "../../manifests/yard";
import { World } from "../world";

const run = promisify(execFile);

const FILES = {
  "base/kustomization.yaml":
    "resources: [web.yaml, rbac.yaml]\nlabels: [{ pairs: { app: web }, includeSelectors: true }]\n",
  "base/web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 1
  template:
    spec:
      containers:
        - { name: web, image: "example/web:1", envFrom: [{ configMapRef: { name: settings } }] }
`,
  "base/rbac.yaml": `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: web }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: web }
subjects: [{ kind: ServiceAccount, name: default, namespace: default }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: web }
rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]
`,
  "components/more/kustomization.yaml":
    "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nreplicas: [{ name: web, count: 3 }]\n",
  "overlays/prod/kustomization.yaml": `namePrefix: prod-
namespace: shop
resources: [../../base]
components: [../../components/more]
images: [{ name: example/web, newName: registry.example.com/web, digest: "sha256:${"0".repeat(64)}" }]
configMapGenerator: [{ name: settings, literals: [COLOR=red, "MODE=0644"], files: [notes.txt] }]
secretGenerator: [{ name: token, envs: [token.env], options: { disableNameSuffixHash: true } }]
patches:
  - target: { kind: Deployment }
    patch: '[{ "op": "add", "path": "/metadata/annotations", "value": { "on": "yes" } }]'
replacements:
  - source: { kind: ConfigMap, name: settings, fieldPath: data.COLOR }
    targets: [{ select: { kind: Deployment }, fieldPaths: [metadata.annotations.on] }]
`,
  "overlays/prod/notes.txt": "one\ntwo\n",
  "overlays/prod/token.env": "TOKEN=abc\n",
};

describe("a kustomization as a bundle", () => {
  const folder = temporaryFolder();
  const read = async (files: Readonly<Record<string, string>>, values: object = {}) =>
    (
      await KUSTOMIZE.read(treeOf(files), {
        name: "shop",
        namespace: "default",
        values: { ...values },
        cluster: undefined,
        signal: AbortSignal.timeout(30_000),
      })
    ).map(({ object }) => object);

  it("builds the same objects as kubectl", async () => {
    await write(folder(), FILES);
    const { stdout } = await run("kubectl", ["kustomize", path.join(folder(), "overlays/prod")]);
    const byName = (objects: readonly unknown[]) =>
      Object.fromEntries(
        (objects as { kind: string; metadata: { name: string } }[]).map((one) => [
          `${one.kind} ${one.metadata.name}`,
          one,
        ]),
      );
    const ours = byName(await read(FILES, { path: "overlays/prod" }));
    assert.ok(Object.keys(ours).length === 5, Object.keys(ours).join());
    assert.deepEqual(ours, byName(parseYaml(stdout)));
  });

  it("is empty if it builds to nothing", async () => {
    assert.deepEqual(await read({ "kustomization.yaml": "resources: []\n" }), []);
    assert.deepEqual(await read({ "kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": "# nothing yet\n" }), []);
  });

  it("reports kustomize errors without the temporary folder", async () => {
    const reported = async (text: string): Promise<string> =>
      read({ "kustomization.yaml": text, "a.yaml": configMap("a") }).then(
        () => assert.fail("it was built"),
        (error: unknown) => faultsIn(error).join("\n"),
      );
    assert.match(await reported("resource: [a.yaml]\n"), /^kustomization\.yaml: .*unknown field "resource"/);
    assert.match(await reported("resources: [a.yaml, a.yaml]\n"), /may not add resource with an already registered id/);
    const plugin = "{ apiVersion: example.com/v1, kind: Evil, metadata: { name: a } }";
    assert.match(await reported(`resources: [a.yaml]\ntransformers: ["${plugin}"]\n`), /external plugins disabled/);
    const run = `{ apiVersion: v1, kind: X, metadata: { name: a, annotations: { config.kubernetes.io/function: "exec: { path: ./a.sh }" } } }`;
    assert.match(await reported(`resources: [a.yaml]\ntransformers: ['${run}']\n`), /external plugins disabled/);
    const outside = await reported("resources: [a.yaml]\npatches: [{ path: missing/../a.yaml, target: {} }]\n").catch(
      () => "",
    );
    assert.doesNotMatch(outside, /stackyard-render/);
  });

  it("fetches no remote resources", async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.end(configMap("fetched"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const repository = `git::http://127.0.0.1:${port}/a/b`;
      const files = treeOf({ "kustomization.yaml": `resources: ["${repository}"]\n` }).files;
      const rendering = {
        token: "kubernetes:kustomize:directory",
        args: (directory: string) => ({ directory }),
        title: "the kustomization",
      };
      await assert.rejects(
        renderFiles(files, rendering, AbortSignal.timeout(30_000)),
        /transport 'http' not allowed|git/,
      );
      assert.equal(asked, 0);
      await assert.rejects(
        read({ "kustomization.yaml": `resources: ["http://127.0.0.1:${port}/a.yaml"]\n` }),
        /nothing is fetched/,
      );
      assert.equal(asked, 0);
    } finally {
      server.close();
    }
  });

  it("is created, updated and deleted like any bundle", async () => {
    const world = await new World(await testKubeconfig()).open();
    try {
      const place = path.join(world.folder, "kustomized");
      const text = (color: string): string =>
        `resources: [a.yaml]\nconfigMapGenerator: [{ name: settings, literals: [COLOR=${color}] }]\n`;
      const release = world.release("shop", { format: "kustomize", sources: [{ type: "local", path: place }] });
      await write(place, { "kustomization.yaml": text("red"), "a.yaml": configMap("a") });
      const { inventory } = await release.up({});
      await write(place, { "kustomization.yaml": text("blue") });
      assert.ok((await release.changes({})).includes("digest"));
      await release.up({});
      const names = await world.configMaps();
      assert.equal(names.filter((name) => name.startsWith("settings-")).length, 1);
      assert.ok(!names.some((name) => inventory.includes(`v1/ConfigMap/${world.namespace}/${name}`) && name !== "a"));
      await release.down();
      assert.deepEqual(await world.configMaps(), []);
    } finally {
      await world.close();
    }
  });
});
