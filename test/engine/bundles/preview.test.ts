import assert from "node:assert/strict";
import { configMap, deployment } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { crd, gadget, messageOf, World } from "./world";

describe("the preview of a bundle release", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  const secret = (password: string) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "login" },
    stringData: { password },
  });

  it("lists new, changed and removed objects and creates nothing", async () => {
    const release = world.release();
    await release.preview({ "a.yaml": [configMap("a"), configMap("b")] });
    assert.match(
      world.said("info"),
      /2 objects new:\n\+ ConfigMap \S+\/a \(manifests\/a\.yaml:1\)\n\+ ConfigMap \S+\/b/,
    );
    assert.deepEqual(await world.configMaps(), []);

    await release.up({ "a.yaml": [configMap("a"), configMap("b"), deployment(), secret("hunter2")] });
    world.logged.length = 0;
    const image = "example/runtime:2.0.0";
    await release.preview({
      "a.yaml": [configMap("a", { a: "c", d: "e" }), deployment({ image }), secret("hunter3"), configMap("new")],
    });
    const said = world.said("info");
    assert.match(said, /content sha256:\w+ → sha256:\w+/);
    assert.match(said, /~ ConfigMap \S+\/a \(manifests\/a\.yaml:1\)\n {4}data\.a: "b" → "c"\n {4}data\.d: \+ "e"/);
    assert.ok(
      said.includes('spec.template.spec.containers[main].image: "example/runtime:1.0.0" → "example/runtime:2.0.0"'),
      said,
    );
    assert.match(said, /~ Secret \S+\/login .*\n {4}data\.password: \(hidden\) → another one/);
    assert.match(said, /1 object new:\n\+ ConfigMap \S+\/new/);
    assert.match(said, /1 object to be removed:\n- ConfigMap \S+\/b$/m);
    assert.ok(!/hunter|aHVudGVy/.test(said), "a secret is shown");
    assert.equal((await world.there("ConfigMap", "a"))?.["data"]?.["a" as never], "b");
    await release.down();
  });

  it("validates resources of the bundle's own kinds and objects in its own namespaces", async () => {
    const group = `${world.namespace}.example.com`;
    const own = `${world.namespace}-own`;
    const place = { apiVersion: "v1", kind: "Namespace", metadata: { name: own } };
    const inside = <T extends { readonly metadata: object }>(object: T) => ({
      ...object,
      metadata: { ...object.metadata, namespace: own },
    });
    const good = [crd(group), gadget(group, "good"), place, inside(configMap("a"))];
    await world.release().preview({ "a.yaml": good });
    const bad = [
      ...good,
      gadget(group, "bad", { size: "large", colour: "red" }),
      inside(deployment({ spec: { replicas: "many" } })),
      inside({ ...configMap("b"), data: { a: 1 } as never }),
    ];
    const message = await messageOf(world.release().preview({ "a.yaml": bad }));
    assert.match(message, /Gadget \S+\/bad: \^\.spec\.size: it must be integer/);
    assert.match(message, /Gadget \S+\/bad: \^\.spec\.colour: the schema does not have it/);
    assert.match(message, /Deployment \S+-own\/acme/);
    assert.match(message, /ConfigMap \S+-own\/b/);
  });

  it("shows changes in a bundle namespace that already exists", async () => {
    const own = `${world.namespace}-own`;
    const place = { apiVersion: "v1", kind: "Namespace", metadata: { name: own } };
    const inside = (value: string) => ({ ...configMap("a", { a: value }), metadata: { name: "a", namespace: own } });
    const release = world.release("shop", { allowDeletion: ["Namespace"] });
    await release.up({ "a.yaml": [place, inside("b")] });
    world.logged.length = 0;
    await release.preview({ "a.yaml": [place, inside("c")] });
    assert.match(world.said("info"), /1 object changed:\n~ ConfigMap \S+\/a .*\n {4}data\.a: "b" → "c"/);
    await release.down();
  });

  it("reports every rejected object with file and line, and the nearest kind", async () => {
    const wanted: [string, string, string][] = [
      ["apps/v1", "Deploymet", "no kind Deploymet in apps/v1; did you mean Deployment?"],
      ["apps/v1beta1", "Deployment", "it has no apps/v1beta1 at all; did you mean apps/v1?"],
      ["app/v1", "Deployment", "it has no app/v1 at all; did you mean apps/v1?"],
      ["extensions/v1beta1", "Ingress", "it has no extensions/v1beta1 at all; did you mean networking.k8s.io/v1?"],
      ["v1", "Ingress", "no kind Ingress in v1; did you mean Ingress in networking.k8s.io/v1?"],
      ["policy/v1beta1", "PodDisruptionBudget", "it has no policy/v1beta1 at all; did you mean policy/v1?"],
      ["shop.example.com/v1", "Basket", "is the operator that defines it (its CRDs) installed?"],
    ];
    const unknown = wanted.map(([apiVersion, kind]) => ({ apiVersion, kind, metadata: { name: "a" } }));
    const kinds = await messageOf(world.release().preview({ "a.yaml": unknown }));
    for (const [, , words] of wanted) assert.ok(kinds.includes(words), `${words} in ${kinds}`);
    assert.match(kinds, /manifests\/a\.yaml:1: the cluster has no kind Deploymet /);
    const faulty = [{ ...configMap("a"), dta: {} }, deployment({ spec: { replicas: -1 } })];
    const message = await messageOf(world.release().preview({ "a.yaml": faulty }));
    assert.match(message, /manifests\/a\.yaml:1: ConfigMap .*dta/);
    assert.match(message, /manifests\/a\.yaml:\d+: Deployment .*replicas/);
  });

  it("warns about a missing namespace, which fails an update", async () => {
    const release = world.release("shop", { namespace: "nowhere-at-all" });
    await release.preview({ "a.yaml": configMap("a") });
    assert.match(world.said("warning"), /namespace nowhere-at-all does not exist/);
    assert.match(
      await release.fails({ "a.yaml": configMap("a") }),
      /namespace nowhere-at-all does not exist; make it first/,
    );
  });

  it("validates all objects except those of kinds that another bundle provides", async () => {
    const group = `${world.namespace}.example.com`;
    const more = { providedBy: [`gadgets.${group}`] };
    const files = { "a.yaml": [configMap("a"), gadget(group, "later")] };
    await world.release().preview(files, more);
    assert.match(world.said("info"), /1 object new:\n\+ ConfigMap \S+\/a/);
    assert.match(world.said("info"), /not checked, because .*: 1 of Gadget\./);
    const strange = { apiVersion: "strange.example.com/v1", kind: "Thing", metadata: { name: "b" } };
    const faulty = { "a.yaml": [gadget(group, "later"), strange, { ...configMap("c"), dta: {} }] };
    const message = await messageOf(world.release().preview(faulty, more));
    assert.match(message, /no kind Thing/);
    const misspelt = { "a.yaml": [gadget(group, "later"), { ...configMap("c"), dta: {} }] };
    assert.match(await messageOf(world.release().preview(misspelt, more)), /dta/);
  });
});
