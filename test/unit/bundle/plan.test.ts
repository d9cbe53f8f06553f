import assert from "node:assert/strict";
import fc from "fast-check";
import { planInstances, type Plan } from "../../../components/bundle/plan";
import type { BundleContent, BundleSettings, InstanceSettings } from "../../../components/bundle/settings";

const content = (more: Partial<BundleContent> = {}): BundleContent => ({
  sources: [{ type: "local", path: "x" }],
  credentials: [{}],
  bundles: [],
  requiredBundles: [],
  requiredKinds: [],
  ...more,
});
const bundle = (versions: Record<string, Partial<BundleContent>>): BundleSettings => ({
  format: "plain+v0",
  versions: Object.fromEntries(Object.entries(versions).map(([version, more]) => [version, content(more)])),
});
const instance = (name: string, more: Partial<InstanceSettings> = {}): InstanceSettings => ({
  bundle: name,
  namespace: "shop",
  createNamespace: false,
  protection: {},
  server: "https://platform",
  force: false,
  adopt: [],
  replace: [],
  allowDeletion: [],
  allowCrdChanges: [],
  approval: "never",
  awaitApproval: false,
  rollback: "none",
  timeoutSeconds: 600,
  dependsOn: [],
  ...more,
});
const any = (name: string, range = "*") => ({ bundle: name, range });

describe("the plan of bundles", () => {
  const order = ({ instances, faults }: Plan): string[] => {
    assert.deepEqual(faults, []);
    return instances.map(({ name, version }) => `${name} ${version}`);
  };
  const reported = ({ faults }: Plan): string[] =>
    faults.map(({ instance, key, found, expected }) => `${instance}.${key}: ${found}; ${expected}`);

  it("selects the named version, otherwise the highest", () => {
    const shop = bundle({ "1.9.0": {}, "1.10.0": {}, "0.1.0": {} });
    assert.deepEqual(order(planInstances({ shop }, { a: instance("shop") })), ["a 1.10.0"]);
    assert.deepEqual(order(planInstances({ shop }, { a: instance("shop", { version: "1.9.0" }) })), ["a 1.9.0"]);
    assert.deepEqual(reported(planInstances({ shop }, { a: instance("shop", { version: "2.0.0" }) })), [
      'a.version: "2.0.0"; one of 1.9.0, 1.10.0, 0.1.0',
    ]);
    assert.match(reported(planInstances({ shop }, { a: instance("shap") }))[0] ?? "", /a\.bundle: "shap"; one of shop/);
  });

  it("takes a range of a catalog for what is in all of it", () => {
    const shop = bundle({ ">=2.1 <3": {} });
    const app = (range: string) => ({ shop, app: bundle({ "1.0.0": { requiredBundles: [any("shop", range)] } }) });
    const planned = (range: string) => planInstances(app(range), { shop: instance("shop"), app: instance("app") });
    for (const range of ["*", "^2", ">=2.1"]) assert.deepEqual(order(planned(range)), ["shop >=2.1 <3", "app 1.0.0"]);
    assert.deepEqual(reported(planned("^2.2")), [
      "app.bundle: app 1.0.0, which requires shop@^2.2; an instance of it on the same cluster; shop is shop@>=2.1 <3",
    ]);
  });

  it("selects a pre-release only if there is no release", () => {
    const shop = bundle({ "1.0.0": {}, "2.0.0-rc.1": {} });
    assert.deepEqual(order(planInstances({ shop }, { a: instance("shop") })), ["a 1.0.0"]);
    const early = bundle({ "2.0.0-rc.1": {}, "2.0.0-rc.2": {} });
    assert.deepEqual(order(planInstances({ shop: early }, { a: instance("shop") })), ["a 2.0.0-rc.2"]);
    const including = { shop: early, app: bundle({ "1.0.0": { bundles: [any("shop")] } }) };
    assert.deepEqual(order(planInstances(including, { a: instance("app") })), ["a-shop 2.0.0-rc.2", "a 1.0.0"]);
  });

  it("rejects duplicate names, and shortens long names to valid ones", () => {
    const bundles = { app: bundle({ "1.0.0": { bundles: [any("db")] } }), db: bundle({ "1.0.0": {} }) };
    const taken = { app: instance("app"), "app-db": instance("db", { namespace: "other" }) };
    assert.match(
      reported(planInstances(bundles, taken)).join(),
      /^app\.bundle: two bundles that would both be called app-db;/,
    );
    const long = { [`b${"b".repeat(39)}`]: bundle({ "1.0.0": {} }) };
    const including = { ...long, app: bundle({ "1.0.0": { bundles: [any(`b${"b".repeat(39)}`)] } }) };
    const name = `a${"a".repeat(39)}`;
    const [nested] = planInstances(including, { [name]: instance("app") }).instances;
    assert.match(nested?.name ?? "", /^a{40}-b{13}-[0-9a-f]{8}$/);
  });

  it("rejects a bundle twice in a namespace, but allows it in other namespaces and clusters", () => {
    const bundles = {
      app: bundle({ "1.0.0": { bundles: [any("db")] } }),
      api: bundle({ "1.0.0": { bundles: [any("db")] } }),
      db: bundle({ "1.0.0": {} }),
    };
    assert.deepEqual(reported(planInstances(bundles, { app: instance("app"), api: instance("api") })), [
      "api.bundle: api-db, which has db in namespace shop as app-db has already; it once; let others require it (requires)",
    ]);
    const apart = { app: instance("app"), api: instance("api", { namespace: "other" }) };
    assert.equal(order(planInstances(bundles, apart)).length, 4);
    const away = { app: instance("app"), api: instance("api", { server: "https://other" }) };
    assert.equal(order(planInstances(bundles, away)).length, 4);
  });

  it("orders instances after those that they depend on or require", () => {
    const bundles = {
      app: bundle({ "1.0.0": { requiredBundles: [any("database", "^2")] } }),
      database: bundle({ "2.1.0": {} }),
      base: bundle({ "1.0.0": {} }),
    };
    const instances = {
      app: instance("app"),
      db: instance("database", { dependsOn: ["base"] }),
      base: instance("base"),
    };
    assert.deepEqual(order(planInstances(bundles, instances)), ["base 1.0.0", "db 2.1.0", "app 1.0.0"]);
  });

  it("reports a missing requirement and the version that exists instead", () => {
    const bundles = {
      app: bundle({ "1.0.0": { requiredBundles: [any("database", "^3")] } }),
      database: bundle({ "2.1.0": {} }),
    };
    assert.deepEqual(reported(planInstances(bundles, { app: instance("app"), db: instance("database") })), [
      "app.bundle: app 1.0.0, which requires database@^3; an instance of it on the same cluster; db is database@2.1.0",
    ]);
    assert.match(reported(planInstances(bundles, { app: instance("app") }))[0] ?? "", /there is none$/);
  });

  it("rejects a requirement that is met only on another cluster", () => {
    const bundles = {
      app: bundle({ "1.0.0": { requiredBundles: [any("database")] } }),
      database: bundle({ "2.1.0": {} }),
    };
    const away = instance("database", { access: { server: "https://other" }, server: "https://other" });
    assert.match(
      reported(planInstances(bundles, { app: instance("app"), db: away })).join(),
      /; db is on another cluster$/,
    );
    const sameWay = instance("database", { access: { server: "https://platform" }, server: "https://platform" });
    assert.deepEqual(order(planInstances(bundles, { app: instance("app"), db: sameWay })), ["db 2.1.0", "app 1.0.0"]);
  });

  it("adds included bundles in the same namespace, before the bundle that includes them", () => {
    const bundles = {
      app: bundle({ "1.0.0": { bundles: [any("database", "~2.0")] } }),
      database: bundle({ "2.0.5": { bundles: [any("disk")] }, "2.1.0": {} }),
      disk: bundle({ "1.0.0": {} }),
    };
    const plan = planInstances(bundles, { app: instance("app", { namespace: "n" }) });
    assert.deepEqual(order(plan), ["app-database-disk 1.0.0", "app-database 2.0.5", "app 1.0.0"]);
    assert.deepEqual(new Set(plan.instances.map(({ settings }) => settings.namespace)), new Set(["n"]));
    const wrong = { app: bundle({ "1.0.0": { bundles: [any("database", "^9")] } }), database: bundle({ "2.0.0": {} }) };
    assert.match(
      reported(planInstances(wrong, { app: instance("app") }))[0] ?? "",
      /includes database@\^9; a version that there is: 2\.0\.0/,
    );
  });

  it("reports cycles of dependencies and of includes", () => {
    const bundles = { a: bundle({ "1.0.0": {} }), b: bundle({ "1.0.0": {} }) };
    const circle = { x: instance("a", { dependsOn: ["y"] }), y: instance("b", { dependsOn: ["x"] }) };
    assert.match(reported(planInstances(bundles, circle)).join(), /a circle: x → y → x/);
    const [v, w] = ["v", "w"].map((name) => instance("a", { namespace: name, dependsOn: [name] }));
    assert.deepEqual(
      planInstances(bundles, { ...circle, v: v!, w: w! }).faults.map(({ found }) => found),
      ["a circle: x → y → x", "a circle: v → v", "a circle: w → w"],
    );
    const nested = { a: bundle({ "1.0.0": { bundles: [any("b")] } }), b: bundle({ "1.0.0": { bundles: [any("a")] } }) };
    assert.match(reported(planInstances(nested, { x: instance("a") })).join(), /include each other: a → b → a/);
  });

  it("reports a dependency on a missing or disabled instance", () => {
    const bundles = { a: bundle({ "1.0.0": {} }) };
    assert.deepEqual(reported(planInstances(bundles, { x: instance("a", { dependsOn: ["z"] }) })), [
      'x.dependsOn: "z"; one of x',
    ]);
    assert.deepEqual(reported(planInstances(bundles, { x: instance("a", { dependsOn: ["z"] }) }, { z: "a" })), [
      'x.dependsOn: "z", which is disabled; one of x',
    ]);
    const needy = { b: bundle({ "1.0.0": { requiredBundles: [any("a")] } }), a: bundle({ "1.0.0": {} }) };
    assert.match(reported(planInstances(needy, { y: instance("b") }, { z: "a" })).join(), /; z is disabled$/);
  });

  it("never orders an instance before one that it needs", () => {
    const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 20 });
    fc.assert(
      fc.property(edges, (pairs) => {
        const bundles = { a: bundle({ "1.0.0": {} }) };
        const names = Array.from({ length: 10 }, (_, index) => `i${index}`);
        const instances = Object.fromEntries(
          names.map((name, index) => {
            // Towards smaller numbers only, so that there is an order.
            const dependsOn = pairs.flatMap(([one, other]) => (one === index && other < one ? [`i${other}`] : []));
            return [name, instance("a", { namespace: name, dependsOn })];
          }),
        );
        const { instances: ordered, faults } = planInstances(bundles, instances);
        assert.deepEqual(faults, []);
        assert.equal(ordered.length, 10);
        const place = new Map(ordered.map(({ name }, index) => [name, index]));
        for (const { name, after } of ordered) for (const one of after) assert.ok(place.get(one)! < place.get(name)!);
      }),
    );
  });
});
