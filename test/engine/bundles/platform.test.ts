import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { Project } from "../cli/project";
import { bundleFolder } from "./bundleFolder";
import { claim } from "../manifests/allowed";
import { testYard } from "../runtime/yard";

/** Bundles as a platform's stack config has them: engine, provider and Kubernetes are real. */
describe("Bundles of a platform", function () {
  this.timeout(90_000);
  const tag = randomBytes(3).toString("hex");
  const namespace = `bundles-${tag}`;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-bundles-"));
  let project: Project;
  let client: Client;
  let config: Record<string, unknown>;

  /** A folder that is a bundle. Answers the source. */
  const bundle = (name: string, ...objects: object[]): object => bundleFolder(folder, name, ...objects);
  const configMap = (name: string, data: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });
  const group = `${tag}.example.com`;
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
            },
          },
        },
      ],
    },
  };
  const widget = { apiVersion: `${group}/v1`, kind: "Widget", metadata: { name: "one" }, spec: { size: 1 } };

  const describeBundles = (more: Record<string, unknown>): void => project.describe({ ...config, ...more });
  const pulumi = (...args: string[]) => project.must("pulumi", ...args, "-s", "here", "--non-interactive");
  const up = () => pulumi("up", "--yes", "--skip-preview");
  const get = (apiVersion: string, kind: string, name: string, where: string | undefined = namespace) =>
    client.get({ apiVersion, kind, name, ...(where !== "" && { namespace: where }) });

  let bundles: Record<string, { versions: Record<string, object> }>;
  const instances = {
    web: { bundle: "shop", namespace, timeoutSeconds: 30 },
    base: {
      bundle: "widgets",
      namespace,
      createNamespace: true,
      allowDeletion: ["CustomResourceDefinition"],
      timeoutSeconds: 30,
    },
  };

  before(async () => {
    const place = await testYard();
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    project = new Project(place);
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    config = {
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
    };
    await project.platform(config);
    const requires = [`widgets@^1`, `${group}/v1/Widget`];
    bundles = {
      shop: {
        versions: {
          "1.0.0": {
            sources: [bundle("shop-1", configMap("shop", { version: "1" }), configMap("old", {}), widget)],
            requires,
          },
        },
      },
      widgets: { versions: { "1.2.0": { sources: [bundle("widgets", crd)] } } },
    };
  });
  after(async () => {
    await project.remove();
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
    rmSync(folder, { recursive: true, force: true });
  });

  it("are previewed together without creating anything", async () => {
    describeBundles({ bundles, instances });
    const text = await pulumi("preview");
    assert.match(text, /stackyard:index:Bundle +bundles-web +create/);
    assert.doesNotMatch(text, /namespace \S+ does not exist/, "it comes with the first instance in it");
    assert.equal(await get("apiextensions.k8s.io/v1", "CustomResourceDefinition", `widgets.${group}`, ""), undefined);
  });

  it("are applied in dependency order and show no changes afterwards", async () => {
    await up();
    assert.equal((await get(`${group}/v1`, "Widget", "one"))?.metadata.name, "one");
    const outputs = JSON.parse(await pulumi("stack", "output", "--json")) as {
      bundles: Record<string, { version: string; namespace: string; digest: string }>;
    };
    assert.equal(outputs.bundles["web"]?.version, "1.0.0");
    assert.match(outputs.bundles["web"]?.digest ?? "", /^sha256:[0-9a-f]{64}$/);
    await pulumi("preview", "--expect-no-changes", "--diff");
  });

  it("are updated to a new version; removed objects are deleted", async () => {
    const two = bundle("shop-2", configMap("shop", { version: "2" }), widget);
    bundles["shop"] = { versions: { ...bundles["shop"]?.versions, "2.0.0": { sources: [two] } } };
    describeBundles({ bundles, instances });
    assert.match(await pulumi("preview", "--diff"), /digest *: "sha256:[0-9a-f]+" => "sha256:[0-9a-f]+"/);
    await up();
    assert.deepEqual((await get("v1", "ConfigMap", "shop"))?.["data"], { version: "2" });
    assert.equal(await get("v1", "ConfigMap", "old"), undefined);
    await pulumi("preview", "--expect-no-changes", "--diff");
  });

  it("are rolled back when a new version does not become ready, and updated once it is fixed", async () => {
    const labels = { app: "shop" };
    const web = (image: string) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image }] } },
      },
    });
    const version = (name: string, image: string) => ({
      sources: [bundle(name, configMap("shop", { version: "3" }), widget, web(image))],
    });
    const careful = { ...instances, web: { ...instances.web, rollback: "auto", timeoutSeconds: 5 } };
    bundles["shop"] = {
      versions: { ...bundles["shop"]?.versions, "3.0.0": version("shop-3", "example/shop:missing") },
    };
    describeBundles({ bundles, instances: careful });
    await assert.rejects(up(), /ImagePullBackOff[^]*It was rolled back to sha256:/);
    assert.deepEqual((await get("v1", "ConfigMap", "shop"))?.["data"], { version: "2" });
    assert.equal(await get("apps/v1", "Deployment", "web"), undefined);
    bundles["shop"] = { versions: { ...bundles["shop"]?.versions, "3.0.1": version("shop-4", "example/shop:1") } };
    describeBundles({ bundles, instances: careful });
    await up();
    assert.deepEqual((await get("v1", "ConfigMap", "shop"))?.["data"], { version: "3" });
    await pulumi("preview", "--expect-no-changes", "--diff");
  });

  it("wait for an approval when configured to", async () => {
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: `reader-${tag}` },
      rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
    };
    const asking = { versions: { "1.0.0": { sources: [bundle("asking", configMap("asking", {}), role)] } } };
    const more = { asking: { bundle: "asking", namespace, approval: "more" } };
    describeBundles({ bundles: { ...bundles, asking }, instances: { ...instances, ...more } });
    const asked = await up().then(() => "", String);
    const [, request = "none"] = /bundle approve asking .*--request (\w+)/.exec(asked) ?? [];
    assert.equal(await get("v1", "ConfigMap", "asking"), undefined);
    const { kubeconfig } = project.place;
    const approve = await project.stackyard(
      "bundle",
      "approve",
      "asking",
      "-n",
      namespace,
      "--kubeconfig",
      kubeconfig,
      "--request",
      request,
      "--yes",
    );
    assert.equal(approve.code, 0, approve.stdout + approve.stderr);
    await up();
    assert.notEqual(await get("v1", "ConfigMap", "asking"), undefined);
  });

  it("get NetworkPolicies for declared ports without an approval, until the config disables them", async () => {
    const labels = { app: "api" };
    const container = { name: "api", image: "example/api", ports: [{ containerPort: 8080, name: "http" }] };
    const api = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "api" },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    };
    const versions = { "1.0.0": { sources: [bundle("api", api)] } };
    const instance = { bundle: "api", namespace, approval: "more", timeoutSeconds: 30 };
    const given = (more: object) =>
      describeBundles({
        bundles: { ...bundles, api: { versions } },
        instances: { ...instances, base: { ...instances.base, ...more }, api: instance },
      });
    given({});
    await up();
    const items = await client.list({ apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", namespace });
    assert.deepEqual(
      items.map((one) => one["spec"]),
      [
        {
          podSelector: { matchLabels: labels },
          policyTypes: ["Ingress"],
          ingress: [{ from: [{ podSelector: {} }] }, { ports: [{ protocol: "TCP", port: 8080 }] }],
        },
      ],
    );
    await pulumi("preview", "--expect-no-changes", "--diff");
    given({ networkPolicy: { enabled: false } });
    await up();
    const left = await client.list({ apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", namespace });
    assert.deepEqual(left, []);
  });

  it("are rejected before anything is created if one of them is invalid", async () => {
    describeBundles({ bundles, instances: { ...instances, more: { bundle: "shop", version: "9.0.0" } } });
    await assert.rejects(up(), /stackyard:instances\.more\.version: found "9\.0\.0"; expected one of 1\.0\.0, 2\.0\.0/);
    const needy = {
      versions: {
        "1.0.0": { sources: [bundle("needy", configMap("needy", {}))], requires: ["none.example.com/v1/Gadget"] },
      },
    };
    const more = { needy: { bundle: "needy", namespace } };
    describeBundles({ bundles: { ...bundles, needy }, instances: { ...instances, ...more } });
    await assert.rejects(up(), /requires none\.example\.com\/v1\/Gadget, which the cluster does not have/);
    assert.equal(await get("v1", "ConfigMap", "needy"), undefined);
    describeBundles({ bundles, instances });
  });

  it("keep their claims on removal or destroy until the claims are allowed by name", async () => {
    const disk = { versions: { "1.0.0": { sources: [bundle("disk", claim("disk"))] } } };
    const more = { disk: { bundle: "disk", namespace } };
    describeBundles({ bundles: { ...bundles, disk }, instances: { ...instances, ...more } });
    await up();
    const named = new RegExp(`deleting [^]*would delete a claim[^]*- ${namespace}/disk \\(1 GiB`);
    await assert.rejects(pulumi("destroy", "--yes", "--skip-preview"), named);
    assert.notEqual(await get("v1", "ConfigMap", "shop"), undefined, "it was destroyed in part");
    describeBundles({ bundles, instances });
    await assert.rejects(pulumi("preview"), named);
    await assert.rejects(up(), named);
    assert.equal((await get("v1", "PersistentVolumeClaim", "disk"))?.metadata.deletionTimestamp, undefined);
    describeBundles({ bundles, instances, allowDataLoss: [`${namespace}/disk`] });
    await up();
    assert.equal(await get("v1", "PersistentVolumeClaim", "disk"), undefined);
    assert.match(await pulumi("preview"), /allowDataLoss: \S+\/disk names no claim; correct it, or remove it/);
  });

  it("are deleted with their objects when disabled, dependents first", async () => {
    describeBundles({ bundles });
    await up();
    assert.equal(await get("v1", "ConfigMap", "shop"), undefined);
    assert.equal(await get("apiextensions.k8s.io/v1", "CustomResourceDefinition", `widgets.${group}`, ""), undefined);
    assert.notEqual(await get("v1", "Namespace", namespace, ""), undefined);
  });
});
