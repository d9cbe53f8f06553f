import assert from "node:assert/strict";
import fc from "fast-check";
import { CHECKS, findingText, type Check } from "../../../bundles/crdSafety/checks";
import { readCrd } from "../../../bundles/crdSafety/crd";
import { crdFaults } from "../../../bundles/crdSafety/crdFaults";
import { crdProblems, type Replaced } from "../../../bundles/crdSafety/inCluster";
import { refOf, identity, type KubeObject } from "../../../kubernetes/objects/objects";
import type { Client } from "../../../kubernetes/client/client";
import { invalidObjects, invalidObjectText } from "../../../bundles/crdSafety/validate";
import { crd, fields, widget } from "./crds";
import type { Json } from "../../../foundation/json/isObject";

const faults = (old: KubeObject, next: KubeObject, allowed: readonly Check[] = []) =>
  crdFaults(readCrd(old), readCrd(next), allowed);
const texts = (old: KubeObject, next: KubeObject) =>
  faults(old, next).map((one) => findingText(one, `${one.crd}/${one.check}`));

/** What is reported when the field `f` of the spec changes so: check and path. */
const reported = (old: Json, next: Json): string[] =>
  faults(crd([{ spec: fields({ f: old }) }]), crd([{ spec: fields({ f: next }) }])).map(
    ({ check, path }) => `${check} ${path}`,
  );

const text = { type: "string" };
const whole = { type: "integer" };

describe("an upgrade of a CRD", () => {
  it("is reported with CRD, version, path, old and new value, and the check to allow", () => {
    assert.deepEqual(texts(crd([{ spec: fields({ f: whole }) }]), crd([{ spec: fields({ f: text }) }])), [
      "widgets.example.com v1 ^.spec.f: the type of a field changes: it was integer, it would be string (widgets.example.com/typeChanged)",
    ]);
  });

  it("must not remove a stored or served version", () => {
    const v1 = { spec: fields({}) };
    const v2 = { name: "v2", storage: true, spec: fields({}) };
    const both = crd([{ ...v1, storage: false }, v2], {}, { storedVersions: ["v1", "v2"] });
    assert.deepEqual(
      faults(both, crd([v2])).map(({ check, was }) => [check, was]),
      [["storedVersionRemoved", "v1, in which objects are stored"]],
    );
    const migrated = crd([{ ...v1, storage: false }, v2], {}, { storedVersions: ["v2"] });
    assert.deepEqual(
      faults(migrated, crd([v2])).map(({ check, becomes }) => [check, becomes]),
      [["servedVersionRemoved", "gone"]],
    );
    assert.deepEqual(
      faults(both, crd([{ ...v1, served: false, storage: false }, v2])).map(({ check, version }) => [check, version]),
      [["servedVersionRemoved", "v1"]],
    );
  });

  it("is not reported for faults that the old CRD already had", () => {
    const next = crd([{ name: "v2", spec: fields({}) }]);
    const old = crd([{ name: "v2", spec: fields({}) }], {}, { storedVersions: ["v1alpha1", "v2"] });
    assert.deepEqual(faults(old, next), []);
  });

  it("ignores the order of keys, and finds differences at any position in the text", () => {
    const paths = {
      specReplicasPath: ".spec.shards",
      statusReplicasPath: ".status.shards",
      labelSelectorPath: ".status.selector",
    };
    const scaled = (scale: object) => crd([{ spec: fields({}), subresources: { status: {}, scale } }]);
    assert.deepEqual(faults(scaled(paths), scaled(Object.fromEntries(Object.entries(paths).reverse()))), []);
    const long = { ...paths, specReplicasPath: `.spec.${"a".repeat(200)}` };
    assert.deepEqual(
      faults(scaled(long), scaled({ ...long, statusReplicasPath: ".status.n" })).map(({ was, becomes }) => [
        was,
        becomes,
      ]),
      [['with scale statusReplicasPath ".status.shards"', 'with statusReplicasPath ".status.n"']],
    );
    const keyed = (...keys: string[]) =>
      crd([
        { spec: fields({ l: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys } }) },
      ]);
    assert.deepEqual(faults(keyed("port", "protocol"), keyed("protocol", "port")), []);
  });

  it("must not change scope, names, subresources or conversion", () => {
    const old = crd([{ spec: fields({}), subresources: { status: {}, scale: { specReplicasPath: ".spec.n" } } }]);
    const checks = (next: KubeObject) => faults(old, next).map(({ check }) => check);
    assert.deepEqual(checks(crd([{ spec: fields({}) }], { scope: "Cluster" })), [
      "scopeChanged",
      "subresourceRemoved",
      "subresourceRemoved",
    ]);
    const renamed = crd([{ spec: fields({}), subresources: { status: {}, scale: { specReplicasPath: ".spec.n" } } }], {
      names: { kind: "Gadget", plural: "widgets" },
    });
    assert.deepEqual(checks(renamed), ["namesChanged"]);
    const two = [{ spec: fields({}) }, { name: "v2", storage: false, spec: fields({}) }];
    const webhook = { conversion: { strategy: "Webhook" } };
    assert.deepEqual(
      faults(crd(two, webhook), crd(two)).map(({ check }) => check),
      ["conversionChanged"],
    );
  });

  const cases: readonly (readonly [string, Json, Json, string[]])[] = [
    ["removes a field", fields({ a: text, b: text }), fields({ a: text }), ["fieldRemoved ^.spec.f.b"]],
    ["changes a type", whole, { type: "number" }, ["typeChanged ^.spec.f"]],
    [
      "changes a type to integer or string",
      whole,
      { "x-kubernetes-int-or-string": true, anyOf: [whole, text] },
      ["typeChanged ^.spec.f"],
    ],
    ["removes an enum value", { ...text, enum: ["a", "b"] }, { ...text, enum: ["b"] }, ["enumNarrowed ^.spec.f"]],
    ["adds an enum", text, { ...text, enum: ["a"] }, ["enumNarrowed ^.spec.f"]],
    ["raises a minimum", { ...whole, minimum: 1 }, { ...whole, minimum: 2 }, ["boundsNarrowed ^.spec.f"]],
    ["adds a minimum", whole, { ...whole, minimum: 0 }, ["boundsNarrowed ^.spec.f"]],
    ["lowers a maximum", { ...whole, maximum: 3 }, { ...whole, maximum: 2 }, ["boundsNarrowed ^.spec.f"]],
    [
      "excludes a limit",
      { ...whole, maximum: 3 },
      { ...whole, maximum: 3, exclusiveMaximum: true },
      ["boundsNarrowed ^.spec.f"],
    ],
    ["multiplies", { ...whole, multipleOf: 4 }, { ...whole, multipleOf: 3 }, ["boundsNarrowed ^.spec.f"]],
    ["shortens a text", text, { ...text, maxLength: 9 }, ["lengthsNarrowed ^.spec.f"]],
    ["lengthens a text", { ...text, minLength: 1 }, { ...text, minLength: 2 }, ["lengthsNarrowed ^.spec.f"]],
    [
      "shortens a list in a list",
      { type: "array", items: { type: "array", items: text } },
      { type: "array", items: { type: "array", items: text, maxItems: 1 } },
      ["lengthsNarrowed ^.spec.f[*]"],
    ],
    ["shortens a map", fields({}), fields({}, { maxProperties: 1 }), ["lengthsNarrowed ^.spec.f"]],
    ["changes a pattern", { ...text, pattern: "a" }, { ...text, pattern: "b" }, ["patternChanged ^.spec.f"]],
    ["adds a format", text, { ...text, format: "date" }, ["patternChanged ^.spec.f"]],
    [
      "requires a field",
      fields({ a: text }),
      fields({ a: text, "b.c": text }, { required: ["b.c"] }),
      ['requiredFieldAdded ^.spec.f["b.c"]'],
    ],
    ["removes null", { ...text, nullable: true }, text, ["nullableRemoved ^.spec.f"]],
    ["changes a default", { ...text, default: "a" }, { ...text, default: "b" }, ["defaultChanged ^.spec.f"]],
    ["adds a default", text, { ...text, default: "b" }, ["defaultChanged ^.spec.f"]],
    [
      "adds a rule",
      text,
      { ...text, "x-kubernetes-validations": [{ rule: "self != ''", message: "no" }] },
      ["ruleAdded ^.spec.f"],
    ],
    [
      "changes how a list is merged",
      { type: "array", items: text },
      { type: "array", items: text, "x-kubernetes-list-type": "set" },
      ["mergeChanged ^.spec.f"],
    ],
    [
      "closes a map",
      { type: "object", additionalProperties: text },
      { type: "object" },
      ["unknownFieldsDropped ^.spec.f"],
    ],
    [
      "no longer keeps unknown fields",
      { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      fields({ a: text }),
      ["typeChanged ^.spec.f.a", "unknownFieldsDropped ^.spec.f"],
    ],
    [
      "narrows the values of a map",
      { type: "object", additionalProperties: text },
      { type: "object", additionalProperties: whole },
      ["typeChanged ^.spec.f[*]"],
    ],
    ["makes an unknown change", text, { ...text, not: { enum: ["x"] } }, ["unknownChange ^.spec.f"]],
  ];
  for (const [title, old, next, expected] of cases) {
    it(`is reported when it ${title}`, () => assert.deepEqual(reported(old, next), expected));
  }

  const safe: readonly (readonly [string, Json, Json])[] = [
    ["adds an enum value", { ...text, enum: ["a"] }, { ...text, enum: ["b", "a"] }],
    ["removes an enum", { ...text, enum: ["a"] }, text],
    ["widens limits", { ...whole, minimum: 1, maximum: 2 }, { ...whole, minimum: 0, maximum: 3 }],
    ["includes a limit", { ...whole, minimum: 1, exclusiveMinimum: true }, { ...whole, minimum: 1 }],
    ["divides", { ...whole, multipleOf: 4 }, { ...whole, multipleOf: 2 }],
    ["adds a lower length of zero", text, { ...text, minLength: 0 }],
    ["removes a pattern", { ...text, pattern: "a" }, text],
    ["allows null", text, { ...text, nullable: true }],
    ["no longer requires", fields({ a: text }, { required: ["a"] }), fields({ a: text })],
    ["requires a new field with a default", fields({}), fields({ a: { ...text, default: "" } }, { required: ["a"] })],
    ["changes titles or descriptions", { ...text, description: "a" }, { ...text, title: "b", description: "c" }],
    [
      "changes the message of a rule",
      { ...text, "x-kubernetes-validations": [{ rule: "true", message: "no" }] },
      { ...text, "x-kubernetes-validations": [{ rule: "true", message: "never" }] },
    ],
    [
      "sets the default list type explicitly",
      { type: "array", items: text },
      { type: "array", items: text, "x-kubernetes-list-type": "atomic" },
    ],
    ["opens a map", { type: "object" }, { type: "object", additionalProperties: text }],
    [
      "keeps what it does not know",
      fields({ a: text }),
      { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    ],
  ];
  for (const [title, old, next] of safe) {
    it(`is safe when it ${title}`, () => assert.deepEqual(reported(old, next), []));
  }

  it("is reported when stored objects lose fields in a new version without conversion", () => {
    const old = crd([{ spec: fields({ a: text }) }]);
    const versions = [{ spec: fields({ a: text }) }, { name: "v2", storage: false, spec: fields({ b: text }) }];
    assert.deepEqual(
      faults(old, crd(versions)).map(({ check, version, path }) => [check, version, path]),
      [["fieldRemoved", "v1 → v2", "^.spec.a"]],
    );
    assert.deepEqual(faults(old, crd(versions, { conversion: { strategy: "Webhook" } })), []);
  });

  it("skips the allowed checks, and only those", () => {
    const old = crd([{ spec: fields({ a: text, b: whole }) }]);
    const next = crd([{ spec: fields({ b: text }) }]);
    assert.deepEqual(
      faults(old, next, ["fieldRemoved"]).map(({ check }) => check),
      ["typeChanged"],
    );
    assert.deepEqual(faults(old, next, Object.keys(CHECKS) as Check[]), []);
  });
});

describe("a live object under a new CRD", () => {
  const old = crd([{ spec: fields({ size: whole, note: text, list: { type: "array", items: whole } }) }]);
  const read = (next: KubeObject, ...live: KubeObject[]) =>
    invalidObjects(readCrd(old), readCrd(next), live).map(invalidObjectText);

  it("is reported with the path of each fault, without its value", () => {
    const next = crd([
      {
        spec: fields(
          {
            size: { ...whole, maximum: 3 },
            list: { type: "array", items: { ...whole, exclusiveMinimum: true, minimum: 0 } },
          },
          { required: ["size"] },
        ),
      },
    ]);
    assert.deepEqual(
      read(next, widget("a", { size: 4, note: "secret", list: [1, 0] }), widget("b", {}), widget("c", { size: 3 })),
      [
        "widgets.example.com v1: Widget shop/a ^.spec.note: the schema does not have it; it would be lost",
        "widgets.example.com v1: Widget shop/a ^.spec.size: it must be <= 3",
        "widgets.example.com v1: Widget shop/a ^.spec.list[1]: it must be > 0",
        "widgets.example.com v1: Widget shop/b ^.spec.size: found nothing; the schema requires it",
      ],
    );
  });

  it("gets the defaults of the API server", () => {
    const next = crd([{ spec: fields({ size: { ...whole, default: 1 }, note: text }, { required: ["size"] }) }]);
    assert.deepEqual(read(next, widget("a", {})), []);
  });

  it("is not reported if it was invalid before", () => {
    const next = crd([{ spec: fields({ size: whole }) }]);
    assert.deepEqual(read(next, widget("a", { size: "big", lost: 1 })), []);
  });

  it("is validated against every version if nothing converts it", () => {
    const versions = [
      { spec: fields({ size: whole, note: text, list: { type: "array", items: whole } }) },
      { name: "v2", storage: false, spec: fields({ size: text }) },
    ];
    assert.deepEqual(read(crd(versions), widget("a", { size: 1 })), [
      "widgets.example.com v2: Widget shop/a ^.spec.size: it must be string",
    ]);
    assert.deepEqual(read(crd(versions, { conversion: { strategy: "Webhook" } }), widget("a", { size: 1 })), []);
  });

  it("may hold anything that the schema leaves open", () => {
    const open = fields({
      size: { "x-kubernetes-int-or-string": true, anyOf: [whole, text], pattern: "^(?i)a$" },
      note: { ...text, nullable: true, format: "never-heard-of" },
      list: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    });
    const before = crd([{ spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } }]);
    const live = [widget("a", { size: 1, note: null, list: { any: [1] } }), widget("b", { size: "50%" })];
    assert.deepEqual(invalidObjects(readCrd(before), readCrd(crd([{ spec: open }])), live), []);
  });
});

describe("the CRD safety check of random schemas", () => {
  const leaf: fc.Arbitrary<Json> = fc.oneof(
    fc.record(
      {
        type: fc.constant("string"),
        maxLength: fc.nat(5),
        enum: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 }),
      },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      {
        type: fc.constant("integer"),
        minimum: fc.integer({ min: -3, max: 3 }),
        maximum: fc.integer({ min: -3, max: 9 }),
        exclusiveMinimum: fc.boolean(),
      },
      { requiredKeys: ["type"] },
    ),
    fc.record({ type: fc.constant("boolean"), nullable: fc.boolean() }, { requiredKeys: ["type"] }),
  );
  const name = fc.constantFrom("a", "b", "c", "d");
  const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.record(
        { type: fc.constant("array"), items: tie("schema"), maxItems: fc.nat(3) },
        { requiredKeys: ["type", "items"] },
      ),
      fc.record({ type: fc.constant("object"), additionalProperties: tie("schema") }),
      fc.constant({ type: "object", "x-kubernetes-preserve-unknown-fields": true }),
      fc
        .tuple(
          fc.dictionary(name, tie("schema"), { maxKeys: 4, noNullPrototype: true }),
          fc.uniqueArray(name, { maxLength: 2 }),
        )
        .map(([properties, required]) => fields(properties, { required: required.filter((key) => key in properties) })),
    ),
  }));
  const specs = schema.map((one) => fields({ f: one }));

  /** The schema with a new optional field in each object that has fields. */
  const extended = (one: Json, extra: Json): Json => {
    const { properties, items, additionalProperties } = one as {
      properties?: Json;
      items?: Json;
      additionalProperties?: Json;
    };
    return {
      ...one,
      ...(properties && {
        properties: {
          ...Object.fromEntries(
            Object.entries(properties).map(([key, value]) => [key, extended(value as Json, extra)]),
          ),
          brandNew: extra,
        },
      }),
      ...(items && { items: extended(items, extra) }),
      ...(additionalProperties && { additionalProperties: extended(additionalProperties, extra) }),
    };
  };

  it("finds nothing if nothing changed or optional fields were added", () => {
    fc.assert(
      fc.property(specs, schema, (spec, extra) => {
        assert.deepEqual(faults(crd([{ spec }]), crd([{ spec: structuredClone(spec) }])), []);
        assert.deepEqual(faults(crd([{ spec }]), crd([{ spec: extended(spec, extra) }])), []);
      }),
    );
  });

  it("reports the removal of the new fields as a loss", () => {
    fc.assert(
      fc.property(specs, schema, (spec, extra) => {
        const found = faults(crd([{ spec: extended(spec, extra) }]), crd([{ spec }]));
        assert.ok(found.length > 0);
        assert.ok(found.every(({ check }) => check === "fieldRemoved"));
      }),
    );
  });

  /** Two schemas that differ in one place at most. */
  const wrappers: ((one: Json) => Json)[] = [
    (one) => one,
    (items) => ({ type: "array", items }),
    (additionalProperties) => ({ type: "object", additionalProperties }),
    (a) => fields({ a }),
    (a) => fields({ a }, { required: ["a"] }),
  ];
  const pairs = fc
    .tuple(schema, schema, fc.array(fc.constantFrom(...wrappers), { maxLength: 2 }))
    .map(([before, after, wraps]) => [before, after].map((one) => wraps.reduce((inner, wrap) => wrap(inner), one)));
  const values = fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constantFrom("a", "b", "c", "abc"), fc.constant(null));
  const worlds = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      values,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;

  it("finds a fault whenever a valid object becomes invalid", function () {
    // Compiles hundreds of schemas.
    this.timeout(60_000);
    fc.assert(
      fc.property(pairs, fc.array(worlds, { minLength: 1, maxLength: 8 }), ([before, after], found) => {
        const [old, next] = [crd([{ spec: fields({ f: before }) }]), crd([{ spec: fields({ f: after }) }])];
        const broken = invalidObjects(
          readCrd(old),
          readCrd(next),
          found.map((f) => widget("w", { f })),
        );
        assert.ok(broken.length === 0 || faults(old, next).length > 0, broken.map(invalidObjectText).join("\n"));
      }),
      { numRuns: 200 },
    );
  });
});

describe("an upgrade of a CRD in a cluster", () => {
  const judgedBy = async (old: KubeObject, next: KubeObject, live: readonly KubeObject[], ...allowed: string[]) => {
    const client = { get: () => Promise.resolve(old), list: () => Promise.resolve(live) } as unknown as Client;
    return crdProblems(client, [next], allowed, (names) => `--allow ${names.join(" ")}`);
  };
  const version = (f: Json, more: Json = {}) => crd([{ spec: fields({ f, ...more }) }]);
  const [old, narrower] = [version(whole), version({ type: "integer", maximum: 5 })];

  it("is safe if no object exists, and notes it", async () => {
    assert.deepEqual(await judgedBy(old, narrower, []), {
      problems: [],
      notes: ["CustomResourceDefinition widgets.example.com: 1 change that could break users, but there is no Widget"],
    });
  });

  it("is safe if all objects are valid, and notes their number", async () => {
    const { problems, notes } = await judgedBy(old, narrower, [widget("a", { f: 1 }), widget("b", {})]);
    assert.deepEqual(problems, []);
    assert.match(notes.join(), /1 change that could break users, but Widget objects that are there: 2, all fit$/);
  });

  it("is checked against the new state of objects that change with it", async () => {
    const client = {
      get: () => Promise.resolve(old),
      list: () => Promise.resolve([widget("a", { f: 9 }), widget("b", { f: 9 }), widget("c", { f: 1 })]),
    } as unknown as Client;
    const judged = async (replaced: Replaced): Promise<readonly string[]> =>
      (await crdProblems(client, [narrower], [], () => undefined, replaced)).problems;
    const key = (name: string): string => identity(refOf(widget(name, {})));
    assert.deepEqual(
      await judged(
        new Map([
          [key("a"), widget("a", { f: 1 })],
          [key("b"), undefined],
        ]),
      ),
      [],
    );
    assert.match((await judged(new Map([[key("b"), undefined]]))).join(), /Widget \S*a \^\.spec\.f: it must be <= 5/);
  });

  it("is reported with the checks to allow, for this CRD only", async () => {
    const { problems } = await judgedBy(old, narrower, [widget("a", { f: 9 })]);
    assert.deepEqual(problems, [
      "to allow what follows: --allow widgets.example.com/boundsNarrowed widgets.example.com/invalidObjects",
      "widgets.example.com v1 ^.spec.f: the range of a number is narrowed: it was no maximum, it would be maximum 5 (widgets.example.com/boundsNarrowed)",
      "widgets.example.com v1: Widget shop/a ^.spec.f: it must be <= 5",
    ]);
    for (const name of [
      "widgets.example.com/invalidObjects",
      "invalidObjects",
      "widgets.example.com/misfits",
      "misfits",
    ]) {
      const allowed = ["widgets.example.com/boundsNarrowed", name];
      assert.deepEqual((await judgedBy(old, narrower, [widget("a", { f: 9 })], ...allowed)).problems, [], name);
    }
    const others = ["gadgets.example.com/boundsNarrowed", "gadgets.example.com/invalidObjects"];
    assert.equal((await judgedBy(old, narrower, [widget("a", { f: 9 })], ...others)).problems.length, 3);
  });

  it("is unsafe if objects use a changed default, format or list type", async () => {
    const live = [widget("a", { f: 1 })];
    const troubled = async (next: KubeObject): Promise<number> => (await judgedBy(old, next, live)).problems.length;
    assert.equal(await troubled(version({ ...whole, default: 3 })), 0);
    assert.equal((await judgedBy(old, version({ ...whole, default: 3 }), [widget("a", {})])).problems.length, 2);
    const merged = (more: Json) => version(whole, { l: { type: "array", items: text, ...more } });
    const set = merged({ "x-kubernetes-list-type": "set" });
    assert.deepEqual((await judgedBy(merged({}), set, live)).problems, []);
    assert.equal((await judgedBy(merged({}), set, [widget("a", { l: ["x"] })])).problems.length, 2);
    const texts = [widget("a", { f: "a" })];
    assert.deepEqual((await judgedBy(version(text), version({ ...text, pattern: "^a$" }), texts)).problems, []);
    assert.equal((await judgedBy(version(text), version({ ...text, format: "date" }), texts)).problems.length, 2);
    assert.equal((await judgedBy(version(text), version({ ...text, pattern: "(?P<x>a)" }), texts)).problems.length, 2);
  });

  it("is safe if it adds rules that hold for all objects", async () => {
    const when = { type: "string", format: "date-time" };
    const more = { f: whole, share: { type: "number" }, when, texts: { type: "array", items: text }, mode: text };
    const ruled = (...rules: string[]) =>
      crd([{ spec: { ...fields(more), "x-kubernetes-validations": rules.map((rule) => ({ rule })) } }]);
    const live = [widget("a", { f: 1, share: 3, texts: ["x"] }), widget("b", { f: 2 })];
    const isSafe = async (rule: string, objects = live): Promise<boolean> =>
      (await judgedBy(ruled(), ruled(rule), objects)).problems.length === 0;
    for (const rule of [
      "self.f > 0",
      "!has(self.mode) || self.mode == 'fast'",
      "!has(self.share) || self.share / 2.0 == 1.5",
      "!has(self.texts) || self.texts.all(t, t.matches('^x$'))",
      "has(self.share) ? self.f == 1 : self.f == 2",
    ])
      assert.ok(await isSafe(rule), rule);
    for (const rule of [
      "self.f > 1",
      "self.mode == 'fast'",
      "self.f",
      "self.f >=",
      "self.unheardOf(1)",
      "!has(self.texts) || isURL(self.texts[0])",
      "self.f >= oldSelf.f",
      "!has(self.__if__)",
      `!has(self.mode) || self.mode == '${"x".repeat(4096)}'`,
    ])
      assert.ok(!(await isSafe(rule)), rule);
    const timed = [widget("a", { f: 1, when: "2026-01-01T00:00:00Z" })];
    assert.ok(!(await isSafe("!has(self.when) || self.when != 'never'", timed)), "there it is a time and no text");
    assert.ok(await isSafe("self.f > 5", []), "nobody is there");
  });

  it("compares lists of type set and map regardless of order, as Kubernetes does", async () => {
    const named = { type: "object", properties: { name: text, values: { type: "array", items: text } } };
    const list = (items: Json, more: Json): Json => ({ type: "array", items, ...more });
    const set = list(text, { "x-kubernetes-list-type": "set" });
    const map = list(named, { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] });
    const all = fields({ a: set, b: set, c: set, m: map, n: map, o: list(text, {}), p: list(text, {}) });
    const ruled = (...rules: string[]) =>
      crd([{ spec: { ...all, "x-kubernetes-validations": rules.map((rule) => ({ rule })) } }]);
    const item = (name: string, ...values: string[]) => ({ values, name });
    const live = [
      widget("w", {
        ...{ a: ["x", "y"], b: ["y", "x"], c: ["x"], o: ["x", "y"], p: ["y", "x"] },
        ...{
          m: [item("i", "1"), item("j")],
          n: [
            { name: "j", values: [] },
            { name: "i", values: ["1"] },
          ],
        },
      }),
    ];
    const isSafe = async (rule: string): Promise<boolean> =>
      (await judgedBy(ruled(), ruled(rule), live)).problems.length === 0;
    for (const rule of [
      "self.a == self.b",
      "self.m == self.n",
      "self.o != self.p",
      "size(self.a) == 2 && self.a.all(i, i in ['x', 'y'])",
      "self.m.exists(i, i.name == 'j')",
      "size(self.a) + 1 == 3",
    ])
      assert.ok(await isSafe(rule), rule);
    for (const rule of [
      "self.a != self.b",
      "self.m != self.n",
      "self.o == self.p",
      "size(self.a + self.b) == 4",
      "size(self.c + self.c) == 2",
      "self.a != ['y', 'x']",
      "self.a[0] == 'x'",
      "self.a[0] == 'y'",
    ])
      assert.ok(!(await isSafe(rule)), rule);
  });

  it("is unsafe if Kubernetes may find a new rule false", async () => {
    const set = { type: "array", items: text, "x-kubernetes-list-type": "set" };
    const more = { a: set, b: set, n: { ...text, nullable: true }, t: text, e: text };
    const ruled = (...rules: string[]) =>
      crd([{ spec: { ...fields(more), "x-kubernetes-validations": rules.map((rule) => ({ rule })) } }]);
    const live = [widget("w", { a: ["b", "a", "c"], b: ["c", "b", "a"], n: null, t: "a\u00a0b", e: "" })];
    const isSafe = async (rule: string): Promise<boolean> =>
      (await judgedBy(ruled(), ruled(rule), live)).problems.length === 0;
    for (const rule of ["self.a == self.b", "self.a.exists(i, i == 'a')", "!has(self.n)", "self.e == ''"])
      assert.ok(await isSafe(rule), rule);
    for (const rule of [
      "self.a[0] != 'b'",
      "self.a.join() != 'bac'",
      "self.a.map(i, i) == self.b.map(i, i)",
      "self.a.filter(i, true) == self.b",
      "has(self.n)",
      "self.n != 'x'",
      "self.t.matches('a\\\\sb')",
      "!self.e.matches('[[:digit:]]')",
      "int(self.e) == 0",
    ])
      assert.ok(!(await isSafe(rule)), rule);
  });

  it("evaluates rules after the API server's defaults are filled in", async () => {
    const rule = { "x-kubernetes-validations": [{ rule: "!has(self.h) || self.h != 'x'" }] };
    const g = (h: Json, more: Json = {}) => version(whole, { g: { type: "object", properties: { h }, ...more } });
    const live = [widget("a", { f: 1, g: {} })];
    assert.deepEqual((await judgedBy(g(text), g(text, rule), live)).problems, []);
    const filled = (await judgedBy(g(text), g({ ...text, default: "x" }, rule), live)).problems.join();
    assert.match(filled, /\^\.spec\.g: a validation rule is added or changes/);
  });

  it("cannot be allowed if the API server rejects it, even without objects", async () => {
    const both = crd(
      [
        { spec: fields({}), storage: false },
        { name: "v2", spec: fields({}) },
      ],
      {},
      { storedVersions: ["v1", "v2"] },
    );
    const { problems } = await judgedBy(both, crd([{ name: "v2", spec: fields({}) }]), [], "storedVersionRemoved");
    assert.equal(problems.length, 1);
    assert.match(
      problems.join(),
      /which the API server refuses: have all objects stored in another version, and take this one from status\.storedVersions/,
    );
  });

  it("is rejected if the check of its expressions takes too long", async () => {
    const slow = version({ ...text, pattern: "^(a+)+$" });
    const { problems } = await judgedBy(version(text), slow, [widget("a", { f: `${"a".repeat(60)}!` })]);
    assert.match(problems.join(), /Widget shop\/a \^: to hold it against the schema takes more than 2 s/);
  });
});
