import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { planValues } from "../../../components/jupyterhub/plan";
import type { Json } from "../../../foundation/json/isObject";
import { packDouble } from "../../doubles/chartRepository";
import { write } from "../../unit/bundles/samples";
import { AUTH0, settingsOf } from "../../unit/jupyterhub/samples";
import { tgzOf } from "../../unit/bundles/archives";
import { job, map } from "../bundles/charts";
import { comparable, ours, RealHelm } from "./realHelm";

const charts = path.join(__dirname, "../../../charts");
const RAY = { clusterName: "one", workerGroups: { worker: { minReplicas: 0, maxReplicas: 3 } } };
const RUNTIME = { provisionId: "acme", image: "example/runtime", imageTag: "1.2.3", host: "https://acme.example.com" };
const SERVICE = { image: "registry.example.com/stackyard:1.2.3" };

/** The program that others use takes our charts, and makes of any chart what we make of it. */
describe("Helm itself", function () {
  this.timeout(600_000);
  let helm: RealHelm;
  let folder: string;

  before(async () => (helm = await RealHelm.create()));
  after(() => helm.remove());
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "stackyard-chart-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function same(chart: string, values: object): Promise<number> {
    const [theirs, mine] = await Promise.all([helm.template(chart, values), ours(chart, values)]);
    const nameOf = ({ kind, metadata }: Json): string =>
      `${String(kind)} ${String((metadata as Json | undefined)?.["name"])}`;
    const made = new Map(mine.map((one) => [nameOf(one.object as unknown as Json), one]));
    assert.deepEqual(
      mine.map((one) => comparable(one.object as unknown as Json, one)).toSorted(),
      theirs.map((object) => comparable(object, made.get(nameOf(object)))).toSorted(),
    );
    return mine.length;
  }

  const OUR_CHARTS: readonly (readonly [string, string, object])[] = [
    ...["static", "autoscaling", "kuberay"].map((mode) => ["ray-static-cluster", mode, { ...RAY, mode }] as const),
    ["runtime", "built-in templates", RUNTIME],
    ["runtime", "hibernated", { ...RUNTIME, hibernated: true }],
    ["service", "defaults", SERVICE],
  ];
  for (const [name, what, values] of OUR_CHARTS) {
    it(`lints ${name} (${what}) without findings and renders the same objects`, async () => {
      const chart = path.join(charts, name);
      assert.equal(await helm.lint(chart, values), "");
      assert.ok((await same(chart, values)) > 0);
    });
  }

  it("lints jupyterhub with our values without findings and renders the same objects", async () => {
    cpSync(path.join(charts, "jupyterhub"), folder, { recursive: true });
    mkdirSync(path.join(folder, "charts"));
    writeFileSync(path.join(folder, "charts/jupyterhub-4.4.0.tgz"), await packDouble("jupyterhub"));
    const values = planValues(settingsOf({ auth: AUTH0, profiles: { small: { displayName: "Small" } } }), {
      secretChecksum: "sum",
    });
    assert.equal(await helm.lint(folder, values), "");
    assert.ok((await same(folder, values)) > 0);
  });

  it("reports invalid values and object names", async () => {
    assert.match(await helm.lint(path.join(charts, "runtime"), {}), /at '\/image': minLength/);
    await write(folder, {
      "Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
      "templates/a.yaml": map("Upper_Case", "1"),
    });
    assert.match(await helm.lint(folder, {}), /does not conform to Kubernetes naming requirements/);
  });

  it("renders the same objects for every chart feature", async () => {
    const redis = tgzOf([
      { path: "redis/Chart.yaml", content: "apiVersion: v2\nname: redis\nversion: 1.0.0\n" },
      { path: "redis/values.yaml", content: "exports: { data: { port: 6379 } }\nsize: 1\n" },
      {
        path: "redis/templates/a.yaml",
        content: map("{{ .Release.Name }}-{{ .Chart.Name }}-{{ .Values.size }}", "{{ .Values.global.zone | quote }}"),
      },
    ]);
    await write(folder, {
      "Chart.yaml":
        "apiVersion: v2\nname: shop\nversion: 1.0.0\nappVersion: '7'\ndependencies:\n" +
        "  - { name: redis, version: 1.0.0, alias: cache, import-values: [data] }\n" +
        "  - { name: redis, version: 1.0.0, alias: queue, condition: queue.enabled }\n",
      "charts/redis-1.0.0.tgz": redis,
      "values.yaml": "global: { zone: a }\nqueue: { enabled: false }\ncolors: [red, blue]\nkeep: { a: 1, b: 2 }\n",
      "files/text.txt": "one\ntwo\n",
      "crds/thing.yaml":
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: things.example.com }\n" +
        "spec: { group: example.com, scope: Namespaced, names: { kind: Thing, plural: things }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }\n",
      "templates/_names.tpl": '{{ define "name" }}{{ printf "%s-%s" .Release.Name .Chart.AppVersion }}{{ end }}',
      "templates/NOTES.txt": "Thank you",
      "templates/maps.yaml": [
        map('{{ include "name" . }}', '{{ .Files.Get "files/text.txt" | quote }}'),
        "{{ range .Values.colors }}\n---\n" + map("{{ . }}", "yes") + "{{ end }}",
        map("values", "{{ .Values | toJson | quote }}"),
        map("caps", "{{ .Capabilities.KubeVersion.Version }}"),
        map("found", '{{ lookup "v1" "Secret" "" "" | toJson | quote }}'),
        map(
          "port",
          "{{ .Values.port | quote }}",
          '\n    checksum: {{ include (print $.Template.BasePath "/_names.tpl") . | sha256sum }}',
        ),
        map("nothing", '"" # no annotations', "{}"),
        'apiVersion: v1\nkind: Secret\nmetadata: { name: s, labels: }\ndata: { mode: {{ b64enc "x" }} }\nstringData: { a: "0o17", b: "1e3", c: "on" }\n',
        "apiVersion: v1\nkind: List\nitems: []\n",
      ].join("---\n"),
      "templates/hooks.yaml": [
        job("migrate", '{ helm.sh/hook: "pre-install,pre-upgrade" }'),
        job("check", "{ helm.sh/hook: test }"),
        job("clean", "{ helm.sh/hook: post-delete }"),
      ].join("---\n"),
      "templates/off.yaml": "{{ if .Values.none }}\n" + map("off", "x") + "{{ end }}\n",
    });
    const values = { global: { zone: "b" }, queue: { enabled: true, size: 3 }, keep: { a: null }, more: 1.5 };
    assert.equal(await same(folder, values), 14);
  });
});
