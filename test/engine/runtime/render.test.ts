import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { HelperFile, Template } from "../../../components/runtime/template";
import { type ChartValues, type Manifest, renderRuntime } from "../../../components/runtime/templates/render";
import { TemplateEngine } from "./templateEngine";

const VALUES: ChartValues = {
  provisionId: "acme",
  image: "example/runtime",
  imageTag: "0.50.0",
  host: "https://acme.example.com:8443",
  audienceUrl: "https://audience.example.com",
  slots: 2,
  cpu: 2,
  memoryGb: 8,
  storageBytes: 85899345920,
  dataDir: "/mnt/data",
  environment: "prod",
  annotations: { organization_plan: "Pro Plan!" },
  ping: "/v1/ping",
  hibernated: false,
};

const render = (
  templates: readonly Template[],
  values: Partial<ChartValues> = {},
  helpers: readonly HelperFile[] = [],
): Promise<Manifest[]> => renderRuntime({ ...VALUES, ...values }, "runtimes", { templates, helpers }, {});

const service = (text: string): Template => ({ key: "service", file: "templates/service.yaml", text });

/** What a text with these expressions becomes, as annotation `x` of a Service. */
async function printed(expression: string, values: Partial<ChartValues> = {}): Promise<unknown> {
  const text = `apiVersion: v1\nkind: Service\nmetadata:\n  annotations:\n    x: ${expression}\n`;
  return at(await render([service(text)], values), "Service", "metadata", "annotations", "x");
}

function at(objects: readonly Manifest[], kind: string, ...steps: (string | number)[]): unknown {
  const object: unknown = objects.find((candidate) => candidate.kind === kind);
  return steps.reduce((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], object);
}

const refuses = (text: string, message: string | RegExp, values: Partial<ChartValues> = {}) =>
  assert.rejects(render([service(text)], values), (error: Error) => {
    if (typeof message === "string") assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });

describe("the rendering of a runtime", () => {
  let engine: TemplateEngine;

  before(async () => {
    engine = await TemplateEngine.start();
    engine.attach();
  });
  after(() => engine.stop());

  describe("with the EKS templates of the shipped stacks", () => {
    const root = path.join(__dirname, "../../..");
    const files = {
      ...{ statefulset: "charts/runtime/files/statefulset.yaml", service: "charts/runtime/files/service.yaml" },
      http_ingress: "runtime/examples/templates/alb/http_ingress.yaml.tmpl",
      grpc_ingress: "runtime/examples/templates/alb/grpc_ingress.yaml.tmpl",
    };
    const templates = Object.entries(files).map(([key, file]) => ({
      key,
      file,
      text: readFileSync(path.join(root, file), "utf8"),
    }));

    it("puts both Ingresses of a runtime on one Application Load Balancer, gRPC after HTTP", async () => {
      const objects = await render(templates, { ping: "" });
      const ingresses = objects.filter(({ kind }) => kind === "Ingress");
      const order = ingresses.map((each) => {
        const { name, annotations } = each["metadata"] as { name: string; annotations: Record<string, string> };
        const { rules, ingressClassName } = each["spec"] as { rules: { host: string }[]; ingressClassName: string };
        const alb = (key: string) => annotations[`alb.ingress.kubernetes.io/${key}`];
        assert.deepEqual(
          [ingressClassName, rules[0]?.host, alb("group.name"), alb("listen-ports"), alb("target-type")],
          ["alb", "acme.example.com", "runtimes", '[{"HTTPS": 443}]', "ip"],
        );
        return [name, alb("group.order"), alb("backend-protocol-version"), alb("healthcheck-path")];
      });
      assert.deepEqual(order.sort(), [
        ["grpc-runtime-acme", "2", "GRPC", undefined],
        ["http-runtime-acme", "1", undefined, "/v1/ping"],
      ]);
    });
  });

  describe("with the original system's unchanged templates", () => {
    const templates = ["statefulset", "service", "http_ingress", "grpc_ingress"].map((key) => ({
      key,
      file: `templates/${key}.yaml`,
      text: readFileSync(path.join(__dirname, "../../fixtures/templates", `${key}.yaml`), "utf8"),
    }));

    it("renders the same objects as the original", async () => {
      const objects = await render(templates);
      const names = objects.map(({ kind, metadata }) => `${kind as string} ${(metadata as Manifest).name as string}`);
      assert.deepEqual(names.sort(), [
        "Ingress grpc-runtime-acme",
        "Ingress http-runtime-acme",
        "Service runtime-acme",
        "StatefulSet runtime-acme",
      ]);
      const container = at(objects, "StatefulSet", "spec", "template", "spec", "containers", 0) as Manifest;
      assert.equal(container.image, "example/runtime:0.50.0");
      assert.deepEqual(container.resources, {
        limits: { cpu: 2, memory: "8Gi" },
        requests: { cpu: 2, memory: "8Gi" },
      });
      assert.deepEqual(container.volumeMounts, [{ mountPath: "/mnt/data", name: "data" }]);
      const claim = ["spec", "volumeClaimTemplates", 0, "spec", "resources", "requests", "storage"];
      assert.equal(at(objects, "StatefulSet", ...claim), 85899345920);
      assert.equal(at(objects, "Ingress", "spec", "rules", 0, "host"), "acme.example.com:8443");
      assert.deepEqual(at(objects, "Service", "spec", "selector"), { "app.kubernetes.io/name": "runtime-acme" });
    });

    it("sets name, namespace, labels and checksum on every object", async () => {
      const objects = await render(templates);
      const checksums = new Set<unknown>();
      for (const { metadata } of objects as { metadata: Record<string, Record<string, unknown>> }[]) {
        assert.equal(metadata.namespace, "runtimes");
        assert.equal(metadata.labels?.["app.kubernetes.io/managed-by"], "stackyard");
        assert.equal(metadata.labels?.["app.kubernetes.io/instance"], "acme");
        checksums.add(metadata.annotations?.["checksum/templates"]);
      }
      assert.equal(checksums.size, 1);
      assert.match(String([...checksums][0]), /^[0-9a-f]{64}$/);
    });

    it("keeps the annotations of a template", async () => {
      const objects = await render(templates);
      const grpc = objects.find(({ metadata }) => (metadata as Manifest).name === "grpc-runtime-acme");
      const annotations = (grpc?.metadata as Manifest).annotations as Manifest;
      assert.equal(annotations["nginx.ingress.kubernetes.io/backend-protocol"], "GRPC");
    });

    it("scales to zero when hibernated, keeps the claims, and changes nothing else", async () => {
      const [awake, asleep] = await Promise.all([render(templates), render(templates, { hibernated: true })]);
      assert.equal(at(awake, "StatefulSet", "spec", "replicas"), 1);
      assert.equal(at(asleep, "StatefulSet", "spec", "replicas"), 0);
      assert.deepEqual(at(asleep, "StatefulSet", "spec", "persistentVolumeClaimRetentionPolicy"), {
        whenDeleted: "Delete",
        whenScaled: "Retain",
      });
      const set = asleep.find(({ kind }) => kind === "StatefulSet");
      (set?.spec as Manifest).replicas = 1;
      assert.deepEqual(asleep, awake);
    });
  });

  it("accepts a Deployment and a claim, as in the original's newer templates", async () => {
    const deployment = [
      "apiVersion: apps/v1",
      "kind: Deployment",
      "spec:",
      "  replicas: 1",
      "  template:",
      "    spec:",
      "      containers: [{name: rt, image: '{{ .Image }}:{{ .ImageTag }}'}]",
      "      volumes: [{name: data, persistentVolumeClaim: {claimName: '{{ .Names.PVC }}'}}]",
    ].join("\n");
    const pvc = [
      "apiVersion: v1",
      "kind: PersistentVolumeClaim",
      "spec: {resources: {requests: {storage: {{ .StorageBytes }}}}}",
    ].join("\n");
    const objects = await render(
      [
        { key: "pvc", file: "pvc.yaml", text: pvc },
        { key: "deployment", file: "deployment.yaml", text: deployment },
      ],
      { hibernated: true },
    );
    assert.deepEqual(objects.map(({ kind }) => kind).sort(), ["Deployment", "PersistentVolumeClaim"]);
    assert.equal(at(objects, "PersistentVolumeClaim", "metadata", "name"), "runtime-acme");
    assert.equal(at(objects, "PersistentVolumeClaim", "spec", "resources", "requests", "storage"), 85899345920);
    assert.equal(at(objects, "Deployment", "spec", "replicas"), 0);
    const claimed = ["spec", "template", "spec", "volumes", 0, "persistentVolumeClaim", "claimName"];
    assert.equal(at(objects, "Deployment", ...claimed), "runtime-acme");
  });

  describe("with the built-in templates", () => {
    it("renders a spread non-root StatefulSet with probes, a ClusterIP Service and both Ingresses", async () => {
      const objects = await render([]);
      assert.deepEqual(objects.map(({ kind }) => kind).sort(), ["Ingress", "Ingress", "Service", "StatefulSet"]);
      const pod = at(objects, "StatefulSet", "spec", "template", "spec") as Manifest;
      const [container] = pod.containers as Manifest[];
      for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"]) {
        assert.deepEqual((container?.[probe] as Manifest).httpGet, { path: "/v1/ping", port: "http" }, probe);
      }
      assert.equal((pod.securityContext as Manifest).runAsNonRoot, true);
      assert.deepEqual((pod.securityContext as Manifest).seccompProfile, { type: "RuntimeDefault" });
      assert.equal((pod.topologySpreadConstraints as Manifest[]).length, 2);
      assert.equal(at(objects, "Service", "spec", "type"), "ClusterIP");
      assert.equal(at(objects, "Ingress", "spec", "rules", 0, "host"), "acme.example.com");
      assert.deepEqual(at(objects, "StatefulSet", "spec", "persistentVolumeClaimRetentionPolicy"), {
        whenDeleted: "Delete",
        whenScaled: "Retain",
      });
    });

    it("has no probes without a ping path", async () => {
      const pod = at(await render([], { ping: "" }), "StatefulSet", "spec", "template", "spec") as Manifest;
      assert.equal((pod.containers as Manifest[])[0]?.startupProbe, undefined);
    });
  });

  describe("with one template", () => {
    it("prints every variable of the original, and numbers without exponent or decimal point", async () => {
      const expression = [
        "Image ImageTag ProvisionID Host CPU MemoryGB StorageBytes Slots DataDir Environment AudienceURL".split(" "),
        "HTTPIngress GRPCIngress Service StatefulSet Deployment PVC".split(" ").map((name) => `Names.${name}`),
      ]
        .flat()
        .map((name) => `{{ .${name} }}`)
        .join(" ");
      assert.equal(
        await printed(`"${expression} {{ .Annotations.organization_plan }}"`),
        "example/runtime 0.50.0 acme acme.example.com:8443 2 8 85899345920 2 /mnt/data prod https://audience.example.com http-runtime-acme grpc-runtime-acme runtime-acme runtime-acme runtime-acme runtime-acme Pro Plan!",
      );
    });

    it("prints fractions of a CPU and of a GB unchanged", async () => {
      assert.equal(await printed('"{{ .CPU }} {{ .MemoryGB }}"', { cpu: 0.5, memoryGb: 1.5 }), "0.5 1.5");
    });

    it("supports sanitizeLabel as a function and in a pipe", async () => {
      assert.equal(await printed('"{{ sanitizeLabel .Annotations.organization_plan }}"'), "pro-plan");
      assert.equal(await printed('"{{ .Annotations.organization_plan | sanitizeLabel }}"'), "pro-plan");
      const long = `${"a".repeat(62)}-b`;
      assert.equal(
        await printed('"{{ .Annotations.x | sanitizeLabel }}"', { annotations: { x: long } }),
        "a".repeat(62),
      );
      assert.equal(
        await printed('"{{ .Annotations.x | sanitizeLabel }}"', { annotations: { x: "A.b_C é!" } }),
        "a.b_c",
      );
    });

    it("overrides the template's name and namespace", async () => {
      const text =
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: mine\n  namespace: mine\n  labels:\n    app.kubernetes.io/managed-by: me\n    own: kept\n";
      const metadata = at(await render([service(text)]), "Service", "metadata") as Manifest;
      assert.equal(metadata.name, "runtime-acme");
      assert.equal(metadata.namespace, "runtimes");
      assert.deepEqual(metadata.labels, {
        "app.kubernetes.io/managed-by": "stackyard",
        "app.kubernetes.io/instance": "acme",
        own: "kept",
      });
    });

    it("mounts no service account token unless the template sets one or a service account", async () => {
      const tokenOf = async (spec: string): Promise<unknown> => {
        const text = `apiVersion: apps/v1\nkind: Deployment\nspec: {template: {spec: {${spec}}}}\n`;
        const objects = await render([{ key: "deployment", file: "d.yaml", text }]);
        return at(objects, "Deployment", "spec", "template", "spec", "automountServiceAccountToken");
      };
      assert.equal(await tokenOf("containers: []"), false);
      assert.equal(await tokenOf("containers: [], automountServiceAccountToken: true"), true);
      assert.equal(await tokenOf("containers: [], serviceAccountName: mine"), undefined);
    });

    it("keeps an instance label that the pods and their selector share", async () => {
      const text = [
        "apiVersion: apps/v1",
        "kind: Deployment",
        "spec:",
        "  selector: {matchLabels: {app.kubernetes.io/instance: mine}}",
        "  template: {metadata: {labels: {app.kubernetes.io/instance: mine}}}",
      ].join("\n");
      const objects = await render([{ key: "deployment", file: "d.yaml", text }]);
      const labels = ["spec", "template", "metadata", "labels", "app.kubernetes.io/instance"];
      assert.equal(at(objects, "Deployment", ...labels), "mine");
    });

    it("may produce no object", async () => {
      const text = '{{ if eq .Environment "dev" }}{apiVersion: v1, kind: Service}{{ end }}';
      assert.deepEqual(await render([service(text)]), []);
      assert.equal((await render([service(text)], { environment: "dev" })).length, 1);
    });
  });

  describe("with templates that share definitions", () => {
    const helper = (text: string): HelperFile => ({ file: "files/_labels.tpl", text });
    const labels = helper(
      [
        "{{/* What every object carries. */}}",
        '{{- define "labels" -}}',
        "team: {{ .Annotations.team | quote }}",
        "plan: {{ sanitizeLabel .Annotations.organization_plan }}",
        "{{- end }}",
      ].join("\n"),
    );
    const uses = 'apiVersion: v1\nkind: Service\nmetadata:\n  labels:\n    {{- include "labels" . | nindent 4 }}\n';
    const annotations = { team: "blue", organization_plan: "Pro Plan!" };
    const labelsOf = (objects: readonly Manifest[], kind: string): unknown => at(objects, kind, "metadata", "labels");
    const OWN = { "app.kubernetes.io/managed-by": "stackyard", "app.kubernetes.io/instance": "acme" };

    it("uses definitions of a helper file in every template and prints nothing of the file itself", async () => {
      const set = uses.replace("apiVersion: v1\nkind: Service", "apiVersion: apps/v1\nkind: StatefulSet");
      const all = [service(uses), { key: "statefulset", file: "sts.yaml", text: set }];
      const objects = await render(all, { annotations }, [labels]);
      assert.deepEqual(labelsOf(objects, "Service"), { ...OWN, team: "blue", plan: "pro-plan" });
      assert.deepEqual(labelsOf(objects, "StatefulSet"), { ...OWN, team: "blue", plan: "pro-plan" });
    });

    it("uses definitions of other templates, block defaults and whole files by base name", async () => {
      const set = 'apiVersion: apps/v1\nkind: StatefulSet\n{{ block "own" . }}metadata: {labels: {a: b}}{{ end }}\n';
      const text =
        'apiVersion: v1\nkind: Service\n{{ template "own" . }}\nspec: {clusterIP: {{ template "_labels.tpl" . }} }\n';
      const all = [service(text), { key: "statefulset", file: "templates/sts.yaml", text: set }];
      const objects = await render(all, {}, [helper('"{{ .Slots }}"{{ define "unused" }}x{{ end }}')]);
      assert.deepEqual(labelsOf(objects, "Service"), { ...OWN, a: "b" });
      assert.deepEqual(labelsOf(objects, "StatefulSet"), { ...OWN, a: "b" });
      assert.equal(at(objects, "Service", "spec", "clusterIP"), "2");
    });

    it("names file and line of a failing helper", async () => {
      const broken = helper(
        '{{ define "other" }}{{ end }}\n\n{{ define "labels" }}\na: {{ index .Annotations 1 }}\n{{ end }}',
      );
      await assert.rejects(render([service(uses)], {}, [broken]), (error: Error) => {
        assert.match(error.message, /^files\/_labels\.tpl:4: .*should be string.*\{\{ index \.Annotations 1 }}\)$/);
        return true;
      });
      const unread = helper('{{ define "labels" }}\na: {{ (.Host }}\n{{ end }}');
      await assert.rejects(render([service(uses)], {}, [unread]), /files\/_labels\.tpl:2: unclosed left paren$/);
      await assert.rejects(
        render([service(`${uses}a: {{ foo }}\n`)], {}, [labels]),
        /templates\/service\.yaml:6: function "foo"/,
      );
    });

    it("changes the checksum of every object when a helper changes", async () => {
      const sum = async (text: string): Promise<unknown> =>
        at(
          await render([service("apiVersion: v1\nkind: Service\n")], {}, [helper(text)]),
          "Service",
          "metadata",
          "annotations",
        );
      assert.notDeepEqual(await sum('{{ define "a" }}1{{ end }}'), await sum('{{ define "a" }}2{{ end }}'));
    });
  });

  describe("the reported file and line of", () => {
    it("an unknown function", () =>
      refuses("kind: Service\nx: {{ foo }}\n", 'templates/service.yaml:2: function "foo" not defined'));

    it("a failing expression", () =>
      refuses(
        "kind: Service\n\nx: {{ index .Annotations 1 }}\n",
        /^templates\/service\.yaml:3: .*should be string.*\{\{ index \.Annotations 1 }}\)$/,
      ));

    it("an expression with a syntax error", () =>
      refuses("kind: Service\nx: {{ (.Host }}\n", /^templates\/service\.yaml:2: unclosed left paren$/));

    it("invalid YAML, with the rendered line", () =>
      refuses(
        "kind: Service\nmetadata:\n  a: {{ .Host }}: x\n",
        "templates/service.yaml:3: found no YAML: mapping values are not allowed in this context; that line, rendered, is: a: acme.example.com:8443: x",
      ));

    it("a template that renders two documents", () =>
      refuses(
        "kind: Service\n{{ if .Host }}---{{ end }}\nkind: Service\n",
        /^templates\/service\.yaml:1: rendered 2 YAML documents; expected one object/,
      ));

    it("a template that renders the same object as another one", async () => {
      const text = "apiVersion: apps/v1\nkind: StatefulSet\n";
      await assert.rejects(
        render([service(text), { key: "statefulset", file: "templates/sts.yaml", text }]),
        /^Error: templates\/service\.yaml:1: found the same object as in templates\/sts\.yaml, a StatefulSet; expected a Service in template service$/,
      );
    });

    it("a template that renders another kind or none", async () => {
      await refuses(
        "kind: Pod\n",
        "templates/service.yaml:1: found kind: Pod; expected kind: Service in template service",
      );
      await refuses("a: 1\n", "templates/service.yaml:1: found no kind; expected kind: Service in template service");
      await refuses("kind: Service\n", "templates/service.yaml:1: found no apiVersion; expected one for kind: Service");
      await refuses("- 1\n", /^templates\/service\.yaml:1: found no YAML/);
    });

    it("a template that calls fail", () =>
      refuses('{{ fail "no plan" }}', "templates/service.yaml: the template says: no plan"));
  });
});
