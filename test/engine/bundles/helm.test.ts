import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verify } from "../../../cli/bundle/verify";
import type { Context } from "../../../cli/context";
import { write } from "../../unit/bundles/samples";
import { testKubeconfig } from "../manifests/yard";
import { ChartRelease, job, map, type Files } from "./charts";
import { crd, gadget, messageOf, World } from "./world";
import { dump } from "js-yaml";

describe("the release of a Helm chart", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  const textOf = async (name: string): Promise<unknown> =>
    ((await world.there("ConfigMap", name))?.["data"] as { text?: string } | undefined)?.text;

  it("renders the chart for its name, its namespace, its values and the cluster", async () => {
    const chart = new ChartRelease(world);
    const files = {
      "values.yaml": "color: red\nimage: { tag: v1, name: web }\n",
      "templates/a.yaml":
        map(
          "{{ .Release.Name }}-a",
          '{{ printf "%s %s %s" .Release.Namespace .Values.color .Values.image.name | quote }}',
        ) +
        "---\n" +
        map(
          "caps",
          '{{ printf "%s %v" .Capabilities.KubeVersion.Version (.Capabilities.APIVersions.Has "apps/v1/Deployment") }}',
        ),
      "templates/NOTES.txt": "Thank you for installing {{ .Chart.Name }}",
    };
    const state = await chart.up(files, { color: "blue" });
    assert.deepEqual(state.inventory.toSorted(), [
      `v1/ConfigMap/${world.namespace}/caps`,
      `v1/ConfigMap/${world.namespace}/shop-a`,
    ]);
    assert.equal(await textOf("shop-a"), `${world.namespace} blue web`);
    assert.match(String(await textOf("caps")), /^v1\.\d+\.\d+ true$/);
    assert.deepEqual(await chart.release.changes({}, { values: { color: "blue" } }), []);
    await chart.release.refresh();
    assert.equal(chart.release.state?.drift, undefined);
    await chart.release.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("renders for the newest Kubernetes without a cluster, or for a given version", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stackyard-chart-"));
    const lines: string[] = [];
    const context = { print: (line: string) => lines.push(line) } as unknown as Context;
    try {
      await write(folder, {
        "Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\nkubeVersion: '>=1.30.0-0'\n",
        "templates/a.yaml": map("a", '{{ .Capabilities.APIVersions.Has "shop.example.com/v1" }}'),
      });
      await verify(context, [folder], {});
      await verify(context, [folder], { kubeVersion: "v1.30.0", apiVersions: ["shop.example.com/v1"] });
      await assert.rejects(verify(context, [folder], { kubeVersion: "v1.29.0" }), /requires kubeVersion: >=1\.30\.0-0/);
      assert.equal(lines.length, 2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("previews changed values object by object and restores them after drift", async () => {
    const chart = new ChartRelease(world);
    const files = { "templates/a.yaml": map("a", "{{ .Values.color }}") + "---\n" + map("b", "same") };
    await chart.up(files, { color: "red" });
    assert.deepEqual(await chart.release.changes({}, { values: { color: "blue" } }), ["values.color"]);
    world.logged.length = 0;
    await chart.preview(files, { color: "blue" });
    assert.match(
      world.said("info"),
      /1 object changed:\n~ ConfigMap \S+\/a \(templates\/a\.yaml:2\)\n {4}data\.text: "red" → "blue"$/,
    );
    await chart.up(files, { color: "blue" });
    assert.equal(await textOf("a"), "blue");
    await world.client.remove(world.ref("v1", "ConfigMap", "a"));
    await chart.release.refresh();
    assert.deepEqual(chart.release.state?.drift, [`ConfigMap ${world.namespace}/a is missing`]);
    await chart.up(files, { color: "blue" });
    assert.equal(await textOf("a"), "blue");
  });

  it("reports errors with file, line and advice before anything is changed", async () => {
    const fails = async (files: Files, expected: RegExp, values: object = {}): Promise<void> => {
      const message = await messageOf(new ChartRelease(world).preview(files, values));
      assert.match(message, expected);
      assert.doesNotMatch(message, /stackyard-helm|failed to/);
    };
    const template = (text: string): Files => ({ "templates/a.yaml": map("a", text) });
    await fails(
      template("{{ .Values.a"),
      /^the chart can't be rendered:\n {2}- templates\/a\.yaml:\d: unclosed action/,
    );
    await fails(template('{{ required "set the color" .Values.color }}'), /- templates\/a\.yaml:6: set the color$/);
    await fails(template("{{ .Values.a.b.c }}"), /- templates\/a\.yaml:6: .*nil pointer evaluating/);
    await fails(template("a: b: c"), /- templates\/a\.yaml: what it renders to is no object in YAML: /);
    await fails(
      template("12345678901234567890"),
      /- templates\/a\.yaml:2: found a number near 12345678901234567\d*, which is too large/,
    );
    await fails(template('{{ env "HOME" }}'), /- templates\/a\.yaml:6: function "env" not defined/);
    await fails(
      {
        ...template('{{ include "web.name" . }}'),
        "templates/_h.tpl": '{{ define "web.name" }}{{ .Values.a.b }}{{ end }}',
      },
      /- templates\/_h\.tpl:1: .*nil pointer/,
    );
    const schema = JSON.stringify({ properties: { replicas: { type: "integer" } }, required: ["name"] });
    const message =
      /values\.schema\.json: values: missing property 'name'\n {2}- values\.schema\.json: values\.replicas: got string, want integer$/;
    await fails({ ...template("1"), "values.schema.json": schema }, message, { replicas: "two" });
    await fails(
      { ...template("1"), "Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\nkubeVersion: '<1.20'\n" },
      /- Chart\.yaml: chart requires kubeVersion: <1\.20 which is incompatible/,
    );
    assert.deepEqual(await world.configMaps(), []);
  });

  it("warns about a chart without objects, and gains and loses objects with its values", async () => {
    const chart = new ChartRelease(world);
    const files = { "templates/a.yaml": `{{ range .Values.names }}\n---\n${map("{{ . }}", "x")}{{ end }}` };
    const warning = /the helm bundle has no object with these values, so nothing of it is applied/;
    await chart.preview(files);
    assert.match(world.said("warning"), warning);
    assert.deepEqual((await chart.up(files)).inventory, []);
    await chart.release.refresh();
    assert.equal(chart.release.state?.drift, undefined);
    await chart.up(files, { names: ["one", "two"] });
    assert.deepEqual(await world.configMaps(), ["bundle-shop", "one", "two"]);
    world.logged.length = 0;
    await chart.preview(files);
    assert.match(world.said("warning"), warning);
    assert.match(world.said("info"), /- ConfigMap \S+\/one/);
    await chart.up(files);
    assert.deepEqual(await world.configMaps(), ["bundle-shop"]);
    await chart.release.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("includes a kind and its resources, even if they are rendered only once the kind exists", async () => {
    const chart = new ChartRelease(world);
    const group = `${world.namespace}.example.com`;
    const files = {
      "crds/gadget.yaml": dump(crd(group)),
      "templates/a.yaml": `{{ if .Capabilities.APIVersions.Has "${group}/v1/Gadget" }}\n${dump(gadget(group, "one"))}{{ end }}`,
    };
    await chart.preview(files);
    await chart.up(files, {}, { allowDeletion: ["CustomResourceDefinition"] });
    assert.ok(await world.there("Gadget", "one", `${group}/v1`));
    await chart.release.down();
  });

  it("runs hooks before and after other objects, on each change or only once, and skips tests", async () => {
    const chart = new ChartRelease(world);
    const hook = (events: string, weight = 0): string =>
      `{ "helm.sh/hook": "${events}", "helm.sh/hook-weight": "${weight}" }`;
    const files = {
      "templates/main.yaml": map("main", "{{ .Values.color }}"),
      "templates/hooks.yaml": [
        job("migrate", hook("pre-install,pre-upgrade", 1)),
        map("settings", "x", hook("pre-install,pre-upgrade", -5)),
        job("seed", hook("post-install")),
        job("check", hook("test")),
      ].join("---\n"),
    };
    const jobOf = async (name: string) => (await world.there("Job", name, "batch/v1"))?.metadata;
    const state = await chart.up(files, { color: "red" });
    const order = state.inventory.map((key) => key.split("/").at(-1));
    assert.deepEqual(order, ["settings", "migrate", "main", "seed"]);
    const [migrate, seed] = [await jobOf("migrate"), await jobOf("seed")];
    assert.deepEqual(await chart.release.changes({}, { values: { color: "red" } }), []);
    await chart.release.refresh();
    assert.equal(chart.release.state?.drift, undefined);
    const changed = {
      ...files,
      "templates/hooks.yaml": files["templates/hooks.yaml"].replaceAll("example/job:1", "example/job:2"),
    };
    await chart.up(changed, { color: "blue" });
    assert.notEqual((await jobOf("migrate"))?.uid, migrate?.uid);
    assert.equal((await jobOf("seed"))?.uid, seed?.uid);
    await chart.release.refresh();
    assert.equal(chart.release.state?.drift, undefined);

    const twice = { "templates/a.yaml": job("both", hook("pre-install,post-install")) };
    assert.match(
      await messageOf(chart.preview(twice)),
      /- templates\/a\.yaml:2: Job both is a hook for pre-install, post-install; expected pre-install or post-install/,
    );
  });

  it("waits for a hook's Job that is deleted on completion", async () => {
    const chart = new ChartRelease(world);
    const hook = job("certificate", '{ "helm.sh/hook": "pre-install,pre-upgrade" }');
    const files = {
      "templates/main.yaml": map("main", "{{ .Values.color }}"),
      "templates/hook.yaml": hook.replace("spec: {", "spec: { ttlSecondsAfterFinished: 0,"),
    };
    assert.match(files["templates/hook.yaml"], /ttlSecondsAfterFinished/);
    for (const color of ["red", "blue"]) {
      await chart.up(files, { color });
      assert.deepEqual(await chart.release.changes({}, { values: { color } }), []);
      await chart.release.refresh();
      assert.equal(chart.release.state?.drift, undefined);
    }
    const failing = files["templates/hook.yaml"]
      .replace("spec: {", "spec: { backoffLimit: 0,")
      .replace("template: {", "template: { metadata: { annotations: { yard.stackyard.dev/fault: failed } },");
    assert.match(
      await messageOf(chart.up({ ...files, "templates/hook.yaml": failing }, { color: "red" })),
      /Job \S+\/certificate: it failed.*Job has reached the specified backoff limit/,
    );
    await chart.release.down();
  });

  it("runs upgrade hooks only from the second content on, before or after other objects", async () => {
    const chart = new ChartRelease(world);
    const hook = (events: string): string => `{ "helm.sh/hook": "${events}" }`;
    const files = {
      "templates/main.yaml": map("main", "{{ .Values.color }}"),
      "templates/hooks.yaml": [
        job("upgrade", hook("pre-upgrade")),
        job("migrate", hook("post-install,pre-upgrade")),
        job("clean", hook("pre-delete,post-rollback")),
      ].join("---\n"),
    };
    const names = ({ inventory }: { inventory: readonly string[] }) => inventory.map((key) => key.split("/").at(-1));
    assert.deepEqual(names(await chart.up(files, { color: "red" })), ["main", "migrate"]);
    assert.deepEqual(await chart.release.changes({}, { values: { color: "red" } }), []);
    await chart.release.refresh();
    assert.equal(chart.release.state?.drift, undefined);
    const next = names(await chart.up(files, { color: "blue" }));
    assert.deepEqual([next.toSorted(), next.at(-1)], [["main", "migrate", "upgrade"], "main"]);
    await chart.release.refresh();
    assert.equal(chart.release.state?.drift, undefined);
    await chart.release.down();
  });

  it("keeps generated values from the cluster and regenerates all of them when an object is missing", async () => {
    const chart = new ChartRelease(world);
    const secret = (name: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata: { name: ${name} }\nstringData:\n  password: {{ randAlphaNum 20 | quote }}\n  user: {{ .Values.user }}\n`;
    const files = {
      "templates/secret.yaml": secret("login"),
      "templates/a.yaml": map("a", "{{ now | unixEpoch | quote }}") + "---\n" + map("u", "{{ .Values.user }}"),
    };
    const passwordOf = async (): Promise<unknown> =>
      ((await world.there("Secret", "login"))?.["data"] as { password?: string } | undefined)?.password;
    await chart.up(files, { user: "ada" });
    const [password, time] = [await passwordOf(), await textOf("a")];
    assert.ok(password);
    assert.deepEqual(await chart.release.changes({}, { values: { user: "ada" } }), []);
    await chart.release.refresh();
    assert.equal(chart.release.state?.drift, undefined);
    await chart.up(files, { user: "bob" });
    assert.deepEqual([await passwordOf(), await textOf("a"), await textOf("u")], [password, time, "bob"]);
    await world.client.remove(world.ref("v1", "ConfigMap", "a"));
    await chart.release.refresh();
    await chart.up(files, { user: "bob" });
    assert.notEqual(await passwordOf(), password);

    const named = { "templates/a.yaml": map("a-{{ randAlpha 5 | lower }}", "x") };
    assert.match(
      await messageOf(chart.preview(named)),
      /ConfigMap a-\w+: found another name each time it is rendered; expected the same one/,
    );
  });

  it("hides secret values in previews, errors and logs", async () => {
    const chart = new ChartRelease(world);
    const files = {
      "templates/a.yaml": map(
        "a",
        '{{ printf "%s in the middle of a longer text that a preview would cut somewhere around here" .Values.password }}',
      ),
    };
    const secretValues = (password: string) => ({ secretValues: { password } });
    await chart.up(files, {}, secretValues("s3cret-one"));
    await chart.preview(files, {}, secretValues("s3cret-two"));
    assert.match(world.said("info"), /data\.text: "\[secret\] in the middle/);
    const faulty = { "templates/a.yaml": map("a", '{{ fail (printf "bad %s" .Values.password) }}') };
    assert.match(await messageOf(chart.preview(faulty, {}, secretValues("s3cret-two"))), /a\.yaml:6: bad \[secret\]/);
    assert.doesNotMatch(JSON.stringify(world.logged), /s3cret/);
  });

  it("needs a new approval for other values", async () => {
    const chart = new ChartRelease(world, "shop", { approval: "more" });
    const pod = `apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec:\n  hostNetwork: {{ .Values.host | default false }}\n  containers: [{ name: main, image: "example/p:1" }]\n`;
    const files = { "templates/a.yaml": pod };
    await chart.up(files);
    assert.match(
      await messageOf(chart.up(files, { host: true })),
      /must be approved\. It requests more than what was approved so far[^]*network/,
    );
    assert.match(await messageOf(chart.up(files, {}, { secretValues: { host: true } })), /must be approved/);
    const strict = new ChartRelease(world, "strict", { approval: "always" });
    const harmless = { "templates/a.yaml": map("s", "{{ .Values.color }}") };
    const digests = [];
    for (const color of ["red", "blue"]) {
      const message = await messageOf(strict.up(harmless, { color }));
      digests.push(/ at (sha256:\w+) must/.exec(message)?.[1]);
    }
    assert.equal(new Set(digests).size, 2, String(digests));
  });
});
