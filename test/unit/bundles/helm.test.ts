import assert from "node:assert/strict";
import fc from "fast-check";
import { readChart, trimChart } from "../../../bundles/format/helm/chart";
import { ownApis, helmFaults } from "../../../bundles/format/helm/helm";
import { hookOf, wavesOf, withRun, type Hook } from "../../../bundles/format/helm/hooks";
import { differences } from "../../../bundles/format/helm/madeUp";
import { marked, placesIn } from "../../../bundles/format/helm/marks";
import { parseManifest } from "../../../bundles/image/manifest";
import { contentDigest } from "../../../bundles/tree/tree";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { TemplateEngine } from "../../../kubernetes/helmEngine/engine";
import { tgzOf } from "./archives";
import { treeOf } from "./samples";

const CHART = "apiVersion: v2\nname: shop\nversion: 1.0.0\n";

describe("a Helm chart", () => {
  const faults = async (files: Readonly<Record<string, string | Buffer>>): Promise<string[]> =>
    (await readChart(treeOf(files))).faults.map(({ file, what }) => `${file}: ${what}`);
  const fault = async (expected: RegExp, files: Readonly<Record<string, string | Buffer>>): Promise<void> => {
    const found = await faults(files);
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", expected);
  };

  it("has the same content in a folder and in an archive", () => {
    const files = { "Chart.yaml": CHART, "templates/a.yaml": "a" };
    const packed = Object.fromEntries(Object.entries(files).map(([path, text]) => [`shop/${path}`, text]));
    assert.equal(contentDigest(trimChart(treeOf(packed))), contentDigest(treeOf(files)));
    const others = treeOf({ ...packed, "README.md": "" });
    assert.equal(trimChart(others), others);
    assert.equal(trimChart(treeOf({ "a/b.yaml": "" })).files.has("a/b.yaml"), true);
  });

  it("is rejected if it is no chart, is a library, or lacks a dependency", async () => {
    await fault(/^Chart\.yaml: found no such file at the bundle's root but manifests; expected a chart/, {
      "manifests/a.yaml": "",
    });
    await fault(/^Chart\.yaml: name: found nothing/, { "Chart.yaml": "version: 1.0.0" });
    await fault(/^Chart\.yaml: type: found library/, { "Chart.yaml": `${CHART}type: library\n` });
    const needs = { "Chart.yaml": `${CHART}dependencies: [{ name: redis, version: 1.0.0 }]\n` };
    await fault(
      /^Chart\.yaml: found no chart redis in charts\/, on which it depends; put it there with "helm dependency build"/,
      needs,
    );
    assert.deepEqual(await faults({ ...needs, "charts/r/Chart.yaml": "name: redis\n" }), []);
  });

  it("unpacks its subcharts with the limits of any archive", async () => {
    const inner = tgzOf([
      { path: "redis/Chart.yaml", content: "name: redis\n" },
      { path: "redis/templates/a.yaml", content: "x" },
    ]);
    const needs = { "Chart.yaml": `${CHART}dependencies: [{ name: redis }]\n` };
    const { chart, faults: found } = await readChart(treeOf({ ...needs, "charts/redis-1.0.0.tgz": inner }));
    assert.deepEqual(found, []);
    assert.deepEqual([...chart.files.keys()].toSorted(), [
      "Chart.yaml",
      "charts/redis-1.0.0/Chart.yaml",
      "charts/redis-1.0.0/templates/a.yaml",
    ]);
    const evil = tgzOf([{ path: "../../evil", content: "x" }]);
    await fault(/^charts\/x\.tgz: .*has \.\. in it/, { "Chart.yaml": CHART, "charts/x.tgz": evil });
    await fault(/^charts\/x\.tgz: .*expected a chart as helm package makes it/, {
      "Chart.yaml": CHART,
      "charts/x.tgz": "no archive",
    });
  });

  it("is rejected if its schema refers to other files or servers", async () => {
    const schema = (value: object) => ({ "Chart.yaml": CHART, "values.schema.json": JSON.stringify(value) });
    const own = {
      $schema: "http://json-schema.org/draft-07/schema#",
      $defs: { a: {} },
      properties: { b: { $ref: "#/$defs/a" } },
    };
    assert.deepEqual(await faults(schema(own)), []);
    for (const draft of ["draft-07/", "draft/2020-12/", ""]) {
      for (const known of [`http://json-schema.org/${draft}schema#`, `https://json-schema.org/${draft}schema`])
        assert.deepEqual(await faults(schema({ $schema: known, properties: { a: { $ref: known } } })), []);
    }
    for (const reference of ["http://10.0.0.1/x", "file:///etc/passwd", "other.json", "//host/x"]) {
      await fault(
        /^values\.schema\.json: \$ref: found ".*"; expected only references inside of the file/,
        schema({ anyOf: [{ $ref: reference }] }),
      );
    }
    await fault(/\$schema: found "https:\/\/example\.com/, schema({ $schema: "https://example.com/x" }));
    await fault(/found text that is no JSON/, { "Chart.yaml": CHART, "charts/a/values.schema.json": "{" });
  });

  it("reports Helm's errors with file and line of the innermost template", () => {
    const around = "failed to generate YAML for specified Helm chart: failed to create chart from template: ";
    const deep =
      'template: shop/templates/a.yaml:6:8: executing "shop/templates/a.yaml" at <include "n" .>: error calling include: template: shop/charts/redis/templates/_h.tpl:3:5: executing "n" at <.a>: nil pointer';
    assert.deepEqual(helmFaults(around + deep), [
      { file: "charts/redis/templates/_h.tpl", line: 3, what: 'executing "n" at <.a>: nil pointer' },
    ]);
    assert.deepEqual(helmFaults(`${around}execution error at (shop/templates/a.yaml:6:8): set\nit`), [
      { file: "templates/a.yaml", line: 6, what: "set\nit" },
    ]);
    const schema =
      "values don't meet the specifications of the schema(s) in the following chart(s):\nshop:\n- at '/a/b': got string\nredis:\n- at '': missing";
    assert.deepEqual(helmFaults(around + schema), [
      { file: "values.schema.json", what: "values.a.b: got string" },
      { file: "charts/redis/values.schema.json", what: "values: missing" },
    ]);
    fc.assert(
      fc.property(fc.string(), (text) => assert.ok(helmFaults(text).every(({ file }) => typeof file === "string"))),
    );
  });

  const object = (annotations: object, kind = "Job"): KubeObject =>
    ({
      apiVersion: "batch/v1",
      kind,
      metadata: { name: "a", annotations },
      spec: { template: {} },
    }) as unknown as KubeObject;
  const hook = (events: string, weight = "0"): ReturnType<typeof hookOf> =>
    hookOf(object({ "helm.sh/hook": events, "helm.sh/hook-weight": weight }));

  it("runs hooks by weight before and after other objects, and rejects unsupported hooks", () => {
    assert.equal(hookOf(object({})), undefined);
    assert.equal(hook("test"), "skip");
    const before = { when: "before", whenUpgraded: "before", upgradesOnly: false } as const;
    const after = { when: "after", whenUpgraded: "after", upgradesOnly: false } as const;
    assert.deepEqual(hook("pre-install, pre-upgrade", "-5"), { ...before, weight: -5, once: false });
    assert.deepEqual(hook("post-install"), { ...after, weight: 0, once: true });
    assert.deepEqual(hook("post-install,pre-rollback,test"), { ...after, weight: 0, once: true });
    assert.deepEqual(hook("pre-upgrade"), { ...before, weight: 0, once: false, upgradesOnly: true });
    assert.deepEqual(hook("post-upgrade"), { ...after, weight: 0, once: false, upgradesOnly: true });
    assert.deepEqual(hook("post-install,pre-upgrade"), { ...after, whenUpgraded: "before", weight: 0, once: false });
    for (const events of ["pre-delete", "post-delete, post-rollback", "test-success"])
      assert.equal(hook(events), "skip");
    for (const events of ["pre-install,post-install", "pre-upgrade,post-upgrade", "crd-install"]) {
      assert.match(
        (hook(events) as { fault: string }).fault,
        /^Job a is a hook for .*; expected pre-install or post-install/,
        events,
      );
    }
    const account = (events: string) => hookOf(object({ "helm.sh/hook": events }, "ServiceAccount"));
    const all = "pre-install,pre-upgrade,post-install,post-upgrade";
    assert.deepEqual(account(all), { ...before, weight: 0, once: false });
    assert.deepEqual(account("pre-install,post-install,pre-delete"), { ...before, weight: 0, once: true });
    assert.match(
      (hookOf(object({ "helm.sh/hook": "pre-install,pre-upgrade" }, "Pod")) as { fault: string }).fault,
      /expected a Job/,
    );
    const hooks = [undefined, hook("post-install"), hook("pre-install", "3"), hook("pre-install", "-1"), undefined] as (
      Hook | undefined
    )[];
    assert.deepEqual(wavesOf(hooks), [3, 4, 2, 1, 3]);
    const kong = [undefined, hook("post-install,pre-upgrade")] as (Hook | undefined)[];
    assert.deepEqual(
      [wavesOf(kong), wavesOf(kong, true)],
      [
        [1, 2],
        [2, 1],
      ],
    );
    assert.deepEqual(wavesOf([undefined, undefined]), [undefined, undefined]);
    const run = withRun(object({}), "x") as unknown as { spec: { template: { metadata: { annotations: object } } } };
    assert.deepEqual(run.spec.template.metadata.annotations, { "stackyard.dev/hook-run": "x" });
  });

  it("is checked for values that differ between two renderings", () => {
    assert.deepEqual(differences({ a: { b: [1, 2], c: 1 } }, { a: { b: [1, 3], d: 1 } }), [
      ["a", "b", 1],
      ["a", "c"],
      ["a", "d"],
    ]);
    assert.deepEqual(differences({ a: [1] }, { a: [1, 2] }), [["a"]]);
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.deepEqual(differences(value, structuredClone(value)), [])));
  });

  it("has a copy that marks the position of each object, and is otherwise the same", () => {
    const text =
      'a: |\n  kind: Inner\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {}\n---\nkind: "{{ .Values.kind }}"\n';
    const files = new Map([
      ["templates/a.yaml", Buffer.from(text)],
      ["values.yaml", Buffer.from("kind: X\n")],
    ]);
    const copy = marked(files);
    assert.equal(copy.get("values.yaml")?.toString(), "kind: X\n");
    const lines = copy.get("templates/a.yaml")?.toString().split("\n") ?? [];
    assert.deepEqual(
      lines.filter((line) => !text.split("\n").includes(line)),
      ['stackyard.dev/at: "5:templates/a.yaml"'],
    );
    const places = placesIn([{ kind: "A", "stackyard.dev/at": "5:templates/a.yaml" }, { kind: "B" }, 1], ({ kind }) =>
      String(kind),
    );
    assert.deepEqual([...places], [["A", { file: "templates/a.yaml", line: 5 }]]);
  });

  it("provides the APIs of the CRDs in its crds/", () => {
    const crd =
      "spec: { group: example.com, names: { kind: Gadget }, versions: [{ name: v1, served: true }, { name: v0, served: false }] }\n";
    const chart = {
      name: "a",
      files: new Map([
        ["charts/b/crds/x.yaml", Buffer.from(crd)],
        ["templates/x.yaml", Buffer.from(crd)],
      ]),
    };
    assert.deepEqual(ownApis(chart), ["example.com/v1", "example.com/v1/Gadget"]);
  });

  it("is read from a registry as helm push stores it, without its signature", () => {
    const digest = `sha256:${"a".repeat(64)}`;
    const layer = (type: string) => ({ mediaType: `application/vnd.cncf.helm.${type}`, digest, size: 1 });
    const manifest = {
      schemaVersion: 2,
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      config: layer("config.v1+json"),
      layers: [layer("chart.provenance.v1.prov"), layer("chart.content.v1.tar+gzip")],
    };
    const found = parseManifest(Buffer.from(JSON.stringify(manifest)), manifest.mediaType);
    assert.ok(found.kind === "image");
    assert.deepEqual(
      found.layers.map(({ mediaType }) => mediaType),
      ["application/vnd.cncf.helm.chart.content.v1.tar+gzip"],
    );
  });

  it("requires the Kubernetes provider, and reports how to install it", async () => {
    await assert.rejects(
      TemplateEngine.start({ PATH: "/nowhere", PULUMI_HOME: "/nowhere" }),
      /no pulumi-resource-kubernetes was found on PATH or among Pulumi's plugins; install it with "pulumi plugin install resource kubernetes v\d/,
    );
  });
});
