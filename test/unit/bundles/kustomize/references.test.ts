import assert from "node:assert/strict";
import { inside, isRemote } from "../../../../bundles/format/kustomize/paths";
import { KUSTOMIZE } from "../../../../bundles/format/kustomize/kustomize";
import { referenceFaults } from "../../../../bundles/format/kustomize/references";
import { configMap, faultsIn, treeOf } from "../samples";

describe("a kustomization", () => {
  const faults = (files: Readonly<Record<string, string>>, folder = ""): string[] =>
    referenceFaults(treeOf(files), folder).map(({ file, what }) => `${file}: ${what}`);
  const fault = (text: string, expected: RegExp, more: Readonly<Record<string, string>> = {}): void => {
    const found = faults({ "kustomization.yaml": text, ...more });
    assert.equal(found.length, 1, `${text}: ${found.join("\n")}`);
    assert.match(found[0] ?? "", expected);
  };
  const read = (files: Readonly<Record<string, string>>, values: object = {}) =>
    KUSTOMIZE.read(treeOf(files), {
      name: "shop",
      namespace: "shop",
      values: { ...values },
      cluster: undefined,
      signal: AbortSignal.timeout(5000),
    });

  it("may refer to any file in the bundle", () => {
    const files = {
      "overlays/prod/kustomization.yaml": `
resources: [../../base, extra.yaml]
components: [../../components/tls/]
patches:
  - path: patch.yaml
  - patch: |-
      - op: add
        path: https://example.com/is/no/path
  - { target: { kind: Deployment }, patch: "[]" }
patchesStrategicMerge: [patch.yaml, "apiVersion: v1\\nkind: ConfigMap\\nmetadata: { name: a }"]
configMapGenerator:
  - { name: a, files: [a.txt, "b=a.txt"], envs: [a.env], literals: ["url=https://example.com"] }
secretGenerator: [{ name: b, env: a.env }]
images: [{ name: a, newName: registry.example.com/a }]
openapi: { path: schema.json }
generators:
  - |-
    apiVersion: builtin
    kind: ConfigMapGenerator
    metadata: { name: x }
    literals: ["url=https://example.com"]
`,
      "base/Kustomization": "resources: [a.yaml]\n",
      "components/tls/kustomization.yml": "kind: Component\n",
      "base/a.yaml": configMap("a"),
      ...Object.fromEntries(
        ["extra.yaml", "patch.yaml", "a.txt", "a.env", "schema.json"].map((name) => [`overlays/prod/${name}`, ""]),
      ),
    };
    assert.deepEqual(faults(files, "overlays/prod"), []);
  });

  it("is rejected if any of its fields refers to a URL", () => {
    const url = "https://example.com/a.yaml";
    for (const text of [
      `resources: ["${url}"]`,
      `bases: ["git@example.com:a/b"]`,
      `components: ["github.com/kubernetes-sigs/kustomize//examples/helloWorld?ref=v1.0.6"]`,
      `crds: ["${url}"]`,
      `patches: [{ path: "${url}" }]`,
      `patchesStrategicMerge: ["${url}"]`,
      `patchesJson6902: [{ path: "http://127.0.0.1:1/a" }]`,
      `replacements: [{ path: "${url}" }]`,
      `configurations: ["${url}"]`,
      `openapi: { path: "${url}" }`,
      `configMapGenerator: [{ name: a, files: ["a=${url}"] }]`,
      `secretGenerator: [{ name: a, envs: ["${url}"] }]`,
      `generators: ["${url}"]`,
      `transformers: ["{ apiVersion: builtin, kind: PatchTransformer, metadata: { name: a }, path: 'http://169.254.169.254/' }"]`,
      `generators: ["{ apiVersion: builtin, kind: ConfigMapGenerator, metadata: { name: a }, files: ['a=http://169.254.169.254/'] }"]`,
    ])
      fault(text, /expected a path inside of the bundle: nothing is fetched/);
    fault("transformers: [t.yaml]", /169\.254/, {
      "t.yaml": "apiVersion: builtin\nkind: PatchTransformer\nmetadata: { name: a }\npath: http://169.254.169.254/\n",
    });
  });

  it("is rejected if it runs Helm", () => {
    fault("helmCharts: [{ name: a, repo: https://example.com }]", /^kustomization.yaml: helmCharts: found charts/);
    fault("generators: [g.yaml]", /found a chart to be fetched/, {
      "g.yaml": "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: { name: a }\n",
    });
  });

  it("is rejected if it refers to a missing file or a path outside of the bundle", () => {
    fault("resources: [../..]", /resources\[0\]: found "\.\.\/\.\.", which leads out of the bundle/);
    fault("resources: [/etc/kubernetes]", /leads out of the bundle/);
    fault("resources: [base/../../other]", /leads out of the bundle/);
    fault("configMapGenerator: [{ name: a, files: [../../etc/passwd] }]", /files\[0\]: found "\.\.\/.*leads out/);
    fault("resources: [a.yaml]", /found "a\.yaml", which the bundle does not have; expected a file, or a folder/);
    fault("resources: [empty]", /found "empty", which the bundle does not have/, { "empty/a.yaml": "" });
    fault("resources: [base]", /^base\/kustomization\.yaml: resources\[0\]: found "\.\.\/\.\.\/x"/, {
      "base/kustomization.yaml": "resources: [../../x]",
    });
  });

  it("may contain a cycle, which kustomize reports itself", () => {
    assert.deepEqual(faults({ "kustomization.yaml": "resources: [a]", "a/kustomization.yaml": "resources: [..]" }), []);
  });

  it("is read from the folder in the value path, which no error repeats", async () => {
    const files = { "overlays/prod/kustomization.yaml": "resources: [a.yaml]", "overlays/dev/kustomization.yaml": "" };
    const reported = async (values: object): Promise<string> =>
      read(files, values).then(
        () => assert.fail("it was read"),
        (error: unknown) => faultsIn(error).join(),
      );
    assert.match(await reported({}), /expected one there, or values with path: one of overlays\/dev, overlays\/prod$/);
    assert.match(await reported({ path: "overlays/test" }), /in the folder that values name as path; expected one of/);
    assert.doesNotMatch(await reported({ path: "../s3cret" }), /s3cret/);
    assert.match(await reported({ path: "overlays/prod/" }), /^overlays\/prod\/kustomization\.yaml: resources\[0\]/);
    await assert.rejects(read(files, { namespace: "x" }), /found namespace; a kustomization takes path/);
  });

  it("distinguishes local paths from remote ones", () => {
    assert.equal(inside("a/b", "../c/./d/"), "a/c/d");
    assert.equal(inside("a", ".."), "");
    assert.equal(inside("a", "../.."), undefined);
    for (const local of ["base", "./base", "../../base", "a.git-ops/x", "v1.2.3", "a@b.yaml", "what?"])
      assert.ok(!isRemote(local), local);
    for (const remote of [
      "HTTPS://a/b",
      "ssh://git@a/b",
      "file:///etc",
      "git::https://a/b",
      "user@host:a/b",
      "github.com/a/b",
      "host/a/b.git",
      "a?ref=main",
      "dev.azure.com/a/_git/b",
    ])
      assert.ok(isRemote(remote), remote);
  });
});
