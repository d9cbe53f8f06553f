import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { dump } from "js-yaml";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { requestId } from "../../../bundles/approvals/approval";
import { DEFINITION, POLICY, POLICY_BINDING } from "../../../bundles/approvals/definition";
import { findApprovals, writeApproval } from "../../../bundles/approvals/store";
import { pushImage } from "../../../bundles/image/push";
import { parseReference } from "../../../foundation/registry/reference";
import { contentDigest, makeTree, type FileTree } from "../../../bundles/tree/tree";
import type { Properties } from "../../../foundation/pulumi/resource";
import { at, type KubeObject } from "../../../kubernetes/objects/objects";
import { projectRoot } from "../../../toolchain/root";
import { crd, operator, webhook } from "../../unit/bundles/registry/operators";
import { write } from "../../unit/bundles/samples";
import { testKubeconfig } from "../manifests/yard";
import { layerOf, TestRegistry } from "./registry";
import { messageOf, World, type Release } from "./world";
import type { Json } from "../../../foundation/json/isObject";

const EXAMPLE = path.join(projectRoot(), "docs", "examples", "memcached-operator");
const RBAC = "rbac.authorization.k8s.io/v1";
const GROUP = "cache.example.com";

/** The files of the example, each text changed. */
function example(change: (text: string) => string = (text) => text): Record<string, string> {
  const names = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [path.relative(EXAMPLE, file), change(readFileSync(file, "utf8"))];
    }),
  );
}

/** A version with another image, one right more, and without the Service. */
function next(version = "1.1.0"): Record<string, string> {
  const files = example((text) =>
    text
      .replaceAll("1.0.0", version)
      .replace("resources: [tokenreviews]", "resources: [tokenreviews, selfsubjectreviews]"),
  );
  return Object.fromEntries(Object.entries(files).filter(([file]) => !file.includes("service.yaml")));
}

const treeOf = (files: Readonly<Record<string, string>>): FileTree =>
  makeTree(Object.entries(files).map(([file, text]) => [file, Buffer.from(text)] as const));

describe("an operator bundle", () => {
  let world: World;
  let registry: TestRegistry;
  // Before there is a world, whose cache is empty: tools are kept in it too.
  before(async () => (registry = await TestRegistry.start()));
  after(() => registry.stop());
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  const source = async (files: Readonly<Record<string, string>>): Promise<Properties> => {
    const folder = path.join(world.folder, "operator");
    rmSync(folder, { recursive: true, force: true });
    return { format: "registry+v1", sources: [{ type: "local", path: await write(folder, files) }] };
  };
  const release = (more: Properties = {}): Release => world.release("cache", more);
  const allowing = { allowDeletion: ["CustomResourceDefinition"] };
  const definition = () =>
    world.client.get({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      name: `memcacheds.${GROUP}`,
    });
  const operatorDeployment = async (): Promise<KubeObject> => {
    const found = await world.there("Deployment", "memcached-operator", "apps/v1");
    assert.ok(found);
    return found;
  };
  const keysOf = (state: { inventory: readonly string[] }, pattern: RegExp): string[] =>
    state.inventory.filter((key) => pattern.test(key));
  const nameIn = ([key = ""]: readonly string[]): string => key.split("/").at(-1) ?? "";

  it("watches all namespaces, upgrades in place, and deletes all its objects", async () => {
    const made = release(allowing);
    const state = await made.up({}, await source(example()));
    assert.deepEqual(keysOf(state, /ServiceAccount|Service\/|Deployment/), [
      `v1/ServiceAccount/${world.namespace}/memcached-operator`,
      `v1/Service/${world.namespace}/memcached-operator-metrics`,
      `apps/v1/Deployment/${world.namespace}/memcached-operator`,
    ]);
    assert.equal(keysOf(state, /\/Role/).length, 0);
    const name = nameIn(keysOf(state, /\/ClusterRole\//));
    const role = await world.client.get({ apiVersion: RBAC, kind: "ClusterRole", name });
    const resources = (role?.["rules"] as Json[]).map((rule) => (rule["resources"] as string[]).join());
    assert.deepEqual(resources, ["tokenreviews", "memcacheds,memcacheds/status", "deployments", "namespaces"]);
    const before = await operatorDeployment();
    assert.equal(at(before, "spec", "template", "metadata", "annotations", "olm.targetNamespaces"), "");
    const conditions = at(await definition(), "status", "conditions") as Json[];
    assert.ok(conditions.some(({ type, status }) => type === "Established" && status === "True"));
    const one = {
      apiVersion: `${GROUP}/v1alpha1`,
      kind: "Memcached",
      metadata: { name: "one", namespace: world.namespace },
    };
    await world.client.apply({ ...one, spec: { size: 3 } });
    assert.match(await messageOf(world.client.apply({ ...one, spec: { size: 9 } })), /size/);

    const same = await source(example());
    assert.deepEqual(await made.changes({}, same), []);
    assert.ok(await made.refresh());
    assert.equal(made.inputs?.drift, undefined);

    const upgraded = await made.up({}, await source(next()));
    const after = await operatorDeployment();
    assert.equal(after.metadata.uid, before.metadata.uid);
    assert.match(JSON.stringify(after["spec"]), /example\/memcached-operator:1\.1\.0/);
    const roleAfter = await world.client.get({ apiVersion: RBAC, kind: "ClusterRole", name });
    assert.equal(roleAfter?.metadata.uid, role?.metadata.uid);
    assert.match(JSON.stringify(roleAfter), /selfsubjectreviews/);
    assert.deepEqual(keysOf(upgraded, /Service\//), []);
    assert.equal(await world.there("Service", "memcached-operator-metrics"), undefined);

    await world.client.remove({ apiVersion: one.apiVersion, kind: one.kind, ...one.metadata });
    await made.down();
    assert.equal(await world.client.get({ apiVersion: RBAC, kind: "ClusterRole", name }), undefined);
    assert.equal(await world.client.get({ apiVersion: RBAC, kind: "ClusterRoleBinding", name }), undefined);
    assert.equal(await world.there("ServiceAccount", "memcached-operator"), undefined);
    assert.equal(await world.there("Deployment", "memcached-operator", "apps/v1"), undefined);
    assert.equal((await definition())?.metadata.name, undefined);
  });

  type Entry = { readonly name: string; readonly [key: string]: unknown };

  /** Pushes the images of versions. Returns how to offer them in a catalog, by entries of its channel. */
  async function catalogOf(
    name: string,
    versions: Readonly<Record<string, Readonly<Record<string, string>>>>,
  ): Promise<(...entries: readonly Entry[]) => Promise<void>> {
    const images = new Map<string, string>();
    for (const [version, files] of Object.entries(versions)) {
      const image = `${registry.host}/operators/${name}:${version}`;
      const tree = treeOf(files);
      images.set(version, `${image}@${await pushImage(tree, parseReference(image), { trust: {} })}`);
    }
    return async (...entries) => {
      const bundles = entries.map(({ name }) => ({
        ...{ schema: "olm.bundle", package: "memcached-operator", name, image: images.get(name.slice(1)) },
        properties: [{ type: "olm.package", value: { packageName: "memcached-operator", version: name.slice(1) } }],
      }));
      const channel = { schema: "olm.channel", name: "stable", package: "memcached-operator", entries };
      const content = [...bundles, channel].map((one) => `---\n${dump(one)}`).join("");
      await registry.image(name, "latest", [layerOf([{ path: "configs/memcached-operator/catalog.yaml", content }])]);
    };
  }

  const wish = (name: string, version: string): Properties => ({
    format: "registry+v1",
    sources: [{ type: "catalog", ref: `${registry.host}/${name}:latest`, package: "memcached-operator", version }],
  });
  const imageOf = async (): Promise<unknown> =>
    at(await operatorDeployment(), "spec", "template", "spec", "containers", 0, "image");

  it("is found in a catalog by a range of versions, pinned, and upgraded along the edges of the catalog only", async () => {
    const versions = { "1.0.0": example(), "1.1.0": next(), "1.2.0": next("1.2.0"), "2.0.0": next("2.0.0") };
    const offer = await catalogOf("catalog", versions);
    const range = wish("catalog", ">=1 <2");

    await offer({ name: "v1.0.0" });
    const made = release(allowing);
    await made.up({}, range);
    assert.equal(await imageOf(), "example/memcached-operator:1.0.0");

    const steps = [{ name: "v1.0.0" }, { name: "v1.1.0", replaces: "v1.0.0" }, { name: "v1.2.0", replaces: "v1.1.0" }];
    await offer(...steps, { name: "v2.0.0", replaces: "v1.2.0" });
    const { inputs, state } = made;
    // What was chosen stays until an update chooses again, although the catalog has moved on.
    assert.ok(await made.refresh());
    assert.equal(made.inputs?.drift, undefined);
    assert.deepEqual(made.inputs?.sourceDigests, inputs?.sourceDigests);
    assert.deepEqual(await made.changes({}, range), ["digest"]);
    await made.preview({}, range);
    assert.match(
      world.said("info"),
      /image: "example\/memcached-operator:1\.0\.0" → "example\/memcached-operator:1\.1\.0"/,
    );
    assert.match(world.said("info"), /rules: - \{.*\["tokenreviews"\]\}, \+ \{.*selfsubjectreviews/);
    assert.equal(await imageOf(), "example/memcached-operator:1.0.0");
    assert.equal(made.state?.generation, state?.generation);

    await made.up({}, range);
    assert.equal(await imageOf(), "example/memcached-operator:1.1.0");
    await made.up({}, range);
    assert.equal(await imageOf(), "example/memcached-operator:1.2.0");
    assert.deepEqual(await made.changes({}, range), []);
    await offer(...steps, { name: "v2.0.0", replaces: "v1.1.0" });
    assert.match(
      await messageOf(made.check({}, wish("catalog", ">=2"))),
      /version 1\.2\.0 of memcached-operator is installed/,
    );
    await made.down();
    assert.equal((await definition())?.metadata.name, undefined);
  });

  it("skips versions as its catalog says, and waits for the approval of the rights that the next version gains", async () => {
    const rights = (version: string, ...more: string[]) =>
      example((text) =>
        text
          .replaceAll("1.0.0", version)
          .replace("resources: [tokenreviews]", `resources: [${["tokenreviews", ...more].join(", ")}]`),
      );
    const versions = {
      "1.0.0": rights("1.0.0"),
      "1.1.0": rights("1.1.0", "selfsubjectreviews"),
      "1.2.0": rights("1.2.0", "selfsubjectreviews"),
      "1.3.0": rights("1.3.0", "selfsubjectreviews", "tokenrequests"),
      "1.4.0": rights("1.4.0", "selfsubjectreviews", "tokenrequests"),
    };
    const offer = await catalogOf("skipping", versions);
    const digestOf = (version: keyof typeof versions): string => contentDigest(treeOf(versions[version]));
    const range = wish("skipping", "<2");
    const made = release({ ...allowing, approval: "more" });
    const approvals = () => findApprovals(world.client, { name: "cache", namespace: world.namespace });
    /** Approves what is requested, by the id that was shown. */
    const approve = async (shown: string): Promise<void> => {
      const [, id] = /approve cache -n \S+ --request (\w{12})/.exec(shown) ?? [];
      const request = (await approvals()).find((one) => one.decision === "Requested" && requestId(one) === id);
      assert.ok(request, shown);
      await writeApproval(world.client, { ...request, decision: "Approved" });
    };
    try {
      await offer({ name: "v1.0.0" });
      await approve(await made.fails({}, range));
      await made.up({}, range);
      assert.equal(await imageOf(), "example/memcached-operator:1.0.0");

      const one = { name: "v1.1.0", replaces: "v1.0.0" };
      const two = { name: "v1.2.0", replaces: "v1.1.0", skips: ["v1.0.0"] };
      await offer({ name: "v1.0.0" }, one, two);
      await made.preview({}, range);
      const said = world.said("warning");
      assert.match(
        said,
        new RegExp(`at ${digestOf("1.2.0")} must be approved\\. It requests more than what was approved so far`),
      );
      assert.match(said, new RegExp(`${digestOf("1.0.0")}.*\n( .*\n)*.*create selfsubjectreviews`));
      assert.doesNotMatch(said, / tokenreviews/);
      assert.equal((await approvals()).filter(({ digest }) => digest === digestOf("1.2.0")).length, 0);
      const shown = await made.fails({}, range);
      assert.equal(await imageOf(), "example/memcached-operator:1.0.0");

      // Between the request and the approval, the catalog offers one more.
      const three = { name: "v1.3.0", replaces: "v1.2.0", skipRange: ">=1.0.0 <1.3.0" };
      await offer({ name: "v1.0.0" }, one, two, three);
      await approve(shown);
      assert.equal((await approvals()).at(-1)?.digest, digestOf("1.2.0"));
      const other = await made.fails({}, range);
      assert.match(other, new RegExp(`at ${digestOf("1.3.0")} must be approved`));
      assert.match(other, /create tokenrequests/);
      assert.doesNotMatch(other, /selfsubjectreviews/);
      assert.equal(await imageOf(), "example/memcached-operator:1.0.0");
      await offer({ name: "v1.0.0" }, one, two);
      await made.up({}, range);
      assert.equal(await imageOf(), "example/memcached-operator:1.2.0");

      await offer({ name: "v1.0.0" }, one, two, three);
      await approve(await made.fails({}, range));
      await made.up({}, range);
      assert.equal(await imageOf(), "example/memcached-operator:1.3.0");
      // The rights of this one are approved.
      await offer({ name: "v1.0.0" }, one, two, three, { name: "v1.4.0", skipRange: ">=1.3.0-0 <1.4.0" });
      await made.up({}, range);
      assert.equal(await imageOf(), "example/memcached-operator:1.4.0");
      await made.down();
    } finally {
      for (const { apiVersion, kind, metadata } of [DEFINITION, POLICY_BINDING, POLICY])
        await world.client.remove({ apiVersion, kind, name: metadata.name });
    }
  });

  it("can be read from an image, watches one namespace, and keeps CRDs that are still in use", async () => {
    try {
      const image = `${registry.host}/operators/memcached:1.0.0`;
      await pushImage(treeOf(example()), parseReference(image), { trust: {} });
      const made = release({
        format: "registry+v1",
        sources: [{ type: "image", ref: image }],
        values: { watchNamespaces: [world.namespace] },
      });
      const state = await made.up({});
      assert.equal(keysOf(state, /\/Role\//).length, 1);
      const name = nameIn(keysOf(state, /\/Role\//));
      const inCluster = await world.client.get({ apiVersion: RBAC, kind: "ClusterRole", name });
      assert.doesNotMatch(JSON.stringify(inCluster), /memcacheds|namespaces/);
      const annotations = at(await operatorDeployment(), "spec", "template", "metadata", "annotations") as Json;
      assert.equal(annotations["olm.targetNamespaces"], world.namespace);
      assert.deepEqual(await made.changes({}), []);
      const metadata = { name: "one", namespace: world.namespace };
      const others = { apiVersion: `${GROUP}/v1alpha1`, kind: "Memcached", metadata };
      await world.client.apply({ ...others, spec: { size: 1 } });
      await made.down();
      assert.match(world.said("warning"), /memcacheds\.cache\.example\.com/);
      assert.ok(await definition());
      assert.equal(await world.there("Role", name, RBAC), undefined);
    } finally {
      await world.client.remove({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        name: `memcacheds.${GROUP}`,
      });
      // Its resources go first.
      while (await definition()) await sleep(50);
    }
  });

  it("is rejected before anything is created if a chosen mode or requirement is unavailable", async () => {
    const several = { ...(await source(example())), values: { watchNamespaces: ["a", "b"] } };
    const expected = /watchNamespaces: found 2 namespaces; expected what the operator supports: AllNamespaces/;
    assert.match(await release().fails({}, several), expected);
    assert.match(await messageOf(release().preview({}, several)), expected);
    const hooked = await source(
      operator(({ csv }) => {
        csv.spec.webhookdefinitions.push(webhook("ValidatingAdmissionWebhook", "v.cache.example.com"));
        csv.spec["minKubeVersion"] = "9.0.0";
      }),
    );
    const found = await release().fails({}, hooked);
    assert.match(found, /the operator needs Kubernetes 9\.0\.0 or newer; the cluster has v1\./);
    assert.match(found, /the cluster has no kind Certificate in cert-manager\.io\/v1: .*install cert-manager first/);
    assert.equal((await definition())?.metadata.name, undefined);
    assert.deepEqual(await world.configMaps(), []);
  });

  it("applies webhooks with certificates after their pods if an issuer is available", async () => {
    const issuing = ["Certificate", "Issuer"].map((kind) => {
      const one = crd(kind, "cert-manager.io");
      Object.assign(at(one, "spec", "versions", 0) as Json, {
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      });
      return one as KubeObject;
    });
    const [manager, made] = [world.release("cert-manager", allowing), release(allowing)];
    await manager.up({ "crds.yaml": issuing });
    const hooked = await source(
      operator(({ csv }) =>
        csv.spec.webhookdefinitions.push(
          webhook("ValidatingAdmissionWebhook", "v.cache.example.com", { failurePolicy: "Ignore" }),
          webhook("ConversionWebhook", "c.cache", { conversionCRDs: [`memcacheds.${GROUP}`], webhookPath: "/convert" }),
        ),
      ),
    );
    const state = await made.up({}, hooked);
    const kinds = state.inventory.map((key) => key.split("/").find((part) => /^[A-Z]/.test(part)));
    assert.equal(kinds[0], "CustomResourceDefinition");
    assert.equal(kinds.at(-1), "ValidatingWebhookConfiguration");
    assert.ok(kinds.includes("Certificate") && kinds.includes("Issuer") && kinds.includes("Service"), kinds.join());
    assert.equal(
      at(await definition(), "spec", "conversion", "webhook", "clientConfig", "service", "path"),
      "/convert",
    );
    const volumes = at(
      await world.there("Deployment", "cache", "apps/v1"),
      "spec",
      "template",
      "spec",
      "volumes",
    ) as Json[];
    assert.deepEqual(
      volumes.map(({ name }) => name),
      ["apiservice-cert", "webhook-cert"],
    );
    assert.deepEqual(await made.changes({}, hooked), []);
    await made.down();
    assert.equal((await definition())?.metadata.name, undefined);
    await manager.down();
  });

  it("waits for an approval and reports the requested permissions", async () => {
    const text = await release({ approval: "more" }).fails({}, await source(example()));
    const account = `ServiceAccount ${world.namespace}/memcached-operator`;
    assert.ok(text.includes(`${account}, in the whole cluster:`), text);
    assert.match(
      text,
      /get, list, watch, create, update, patch, delete memcacheds, memcacheds\/status of cache\.example\.com/,
    );
    assert.match(text, /bundle approve/);
    assert.equal((await definition())?.metadata.name, undefined);
  });
});
