import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeConfig } from "../../../components/platform/config/decodeConfig";
import { valueAt } from "../../../foundation/schema/describe";
import { ConfigError, type Path } from "../../../foundation/schema/faults";
import { platformShape } from "../../../components/platform/config/schema";
import { isHostname, LONGEST_PROVISION_ID } from "../../../foundation/schema/urls";
import { ofType } from "../../../components/runtime/types/registry";
import { kubernetesType } from "../../../components/runtime/types/kubernetes/type";
import { staticType } from "../../../components/runtime/types/static/type";
import { planNamespaces, poolName } from "../../../components/provisioners/plan";
import { provisionId, runtimeNames } from "../../../components/runtime/names";
import { accessOf, decode, faultsOf, FILES, GOOD, goodWith, kubernetesIn } from "./fixtures";

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Words that the schema knows, so that random objects get past the first level. */
const words = fc.constantFrom(
  ...Object.keys(platformShape),
  "type",
  "spec",
  "static",
  "kubernetes",
  "runtimes",
  "host",
  "slots",
  "kubeconfig",
  "path",
  "content",
  "inCluster",
  "templates",
  "existing",
  "constructor",
  "__proto__",
  "yard/kubeconfig",
  "https://*.example.com",
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(words, fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(words, fc.string()), tie("value"), { maxKeys: 6, noNullPrototype: false }),
  ),
})).value;

/** A good config with random values put over some of its parts. */
const spoiled = fc
  .tuple(
    fc.constantFrom("cluster", "provisioners", "defaultProvisioner", "environments", "slot", "ledger"),
    words,
    json,
    fc.nat(3),
  )
  .map(([key, word, value, depth]) => {
    const copy = structuredClone(GOOD) as Record<string, unknown>;
    let place = copy;
    let step: string = key;
    for (let level = 0; level < depth; level += 1) {
      const next = place[step];
      if (typeof next !== "object" || next === null) break;
      place = next as Record<string, unknown>;
      step = Object.keys(next)[0] ?? word;
    }
    place[step] = value;
    return copy;
  });

const raws = fc.oneof(
  spoiled,
  fc.dictionary(fc.oneof(words, fc.string()), json, { maxKeys: 6, noNullPrototype: false }),
);

describe("a random config", () => {
  it("is accepted or rejected with one ConfigError, whatever its JSON is", () => {
    fc.assert(
      fc.property(raws, (values) => {
        try {
          decodeConfig({ values }, FILES);
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          assert.ok(error.faults.length > 0);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("is rejected with paths to existing values or to missing ones in existing parents", () => {
    fc.assert(
      fc.property(raws, (values) => {
        const present = (path: Path) => path.length === 0 || valueAt(values, path) !== undefined;
        for (const { path } of faultsOf(values))
          assert.ok(present(path) || present(path.slice(0, -1)), JSON.stringify(path));
      }),
      { numRuns: 2000 },
    );
  });
});

/** Mostly what is accepted, and often something at its border. */
const name = fc.oneof(
  fc.stringMatching(/^[a-z0-9]{1,3}(-[a-z0-9]{1,20}){0,2}$/),
  fc.stringMatching(/^[a-zA-Z0-9_-]{1,45}$/),
);
const label = fc.stringMatching(/^[a-z0-9]{0,2}-?\*-?[a-z0-9]{0,30}$/);
const wildcard = fc.oneof(
  fc.tuple(label, fc.constantFrom("example.com", "x", "*.y", "-z")).map(([first, rest]) => `${first}.${rest}`),
  fc.stringMatching(/^[a-z*.-]{1,60}$/),
);
const cluster = fc.constantFrom(
  {},
  { kubeconfig: { path: "yard/kubeconfig" } },
  { context: "other" },
  { kubeconfig: { inCluster: true } },
);
const kubernetes = fc
  .tuple(cluster, name, wildcard, fc.boolean())
  .map(([access, namespace, host, createNamespace]) => ({
    type: "kubernetes",
    spec: { ...access, namespace, host: `https://${host}`, image: "a/b", createNamespace },
  }));
const pool = fc
  .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z0-9.-]{1,20}$/), fc.integer({ min: 0, max: 9 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((hosts) => ({
    type: "static",
    spec: { runtimes: hosts.map(([host, slots]) => ({ host: `http://${host}`, slots })) },
  }));
const sets = fc.dictionary(name, fc.oneof(kubernetes, pool), { minKeys: 1, maxKeys: 5, noNullPrototype: false });

describe("any accepted config", () => {
  /** The parts of a random set that are accepted alone, together: so that acceptance is common enough to prove something. */
  const accepted = (set: Record<string, unknown>) => {
    const alone = (name: string) =>
      faultsOf(goodWith({ provisioners: { [name]: set[name] }, defaultProvisioner: name, environments: {} })).length ===
      0;
    const names = Object.keys(set).filter(alone);
    const values = goodWith({
      provisioners: Object.fromEntries(names.map((name) => [name, set[name]])),
      defaultProvisioner: names[0] ?? "",
      environments: {},
    });
    return names.length > 0 && faultsOf(values).length === 0 ? decode(values) : undefined;
  };

  it("yields valid names, and no two resources with the same name", () => {
    let count = 0;
    fc.assert(
      fc.property(sets, (set) => {
        const config = accepted(set);
        if (config === undefined) return;
        count += 1;
        const { provisioners } = config;
        const pools = Object.keys(ofType(staticType, provisioners)).map((name) => poolName("dev", name));
        const namespaces = planNamespaces(provisioners, config.cluster && accessOf(config).server);
        const keys = namespaces.map(({ key }) => key);
        assert.equal(new Set([...pools, ...keys]).size, pools.length + keys.length);
        for (const name of Object.keys(provisioners)) assert.match(name, /^[a-z0-9-]{1,40}$/);
        for (const { namespace } of namespaces) assert.match(namespace, LABEL);
        const places = namespaces.map(({ access, namespace }) => `${access?.server}/${namespace}`);
        assert.equal(new Set(places).size, places.length);
      }),
      { numRuns: 1000 },
    );
    assert.ok(count > 100, `only ${count} accepted`);
  });

  it("gives every deployment a valid host of its own", () => {
    let count = 0;
    fc.assert(
      fc.property(
        sets,
        fc.stringMatching(/^[A-Za-z0-9._-]{1,100}$/),
        fc.stringMatching(/^[A-Za-z0-9._-]{1,100}$/),
        (set, one, two) => {
          const config = accepted(set);
          for (const name of Object.keys(ofType(kubernetesType, config?.provisioners ?? {}))) {
            const { settings } = kubernetesIn(config!, name);
            count += 1;
            const host = (id: string) => settings.host.replaceAll("*", provisionId(id));
            assert.ok(isHostname(new URL(host(one)).hostname), host(one));
            if (one !== two) assert.notEqual(host(one), host(two));
          }
        },
      ),
      { numRuns: 1500 },
    );
    assert.ok(count > 100, `only ${count} accepted`);
  });

  it("leaves room for the longest provision id", () => {
    const longest = provisionId("x".repeat(100));
    assert.ok(longest.length <= LONGEST_PROVISION_ID);
    for (const made of Object.values(runtimeNames("0".repeat(LONGEST_PROVISION_ID))))
      assert.match(made as string, LABEL);
  });
});
