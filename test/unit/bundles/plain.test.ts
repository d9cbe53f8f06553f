import assert from "node:assert/strict";
import fc from "fast-check";
import { dump, load } from "js-yaml";
import { FormatError } from "../../../bundles/errors";
import { compareFiles } from "../../../bundles/format/manifests";
import { newReadLimits, readDocuments } from "../../../bundles/format/documents";
import { indented } from "../../../bundles/format/indentation";
import { readPlain } from "../../../bundles/format/plain";
import { crd } from "./crds";
import { configMap, faultsIn, treeOf } from "./samples";

const names = (files: Readonly<Record<string, string | Buffer>>): string[] =>
  readPlain(treeOf(files)).map(({ object }) => object.metadata.name);

/** The faults of a bundle that is none, as `place: what`. */
function faults(files: Readonly<Record<string, string | Buffer>>, folders: string[] = []): string[] {
  try {
    readPlain(treeOf(files, folders));
  } catch (error) {
    return faultsIn(error);
  }
  assert.fail("expected faults");
}

const refused = (files: Readonly<Record<string, string | Buffer>>, expected: RegExp, folders: string[] = []): void => {
  const found = faults(files, folders);
  assert.equal(found.length, 1, found.join("\n"));
  assert.match(found[0] ?? "", expected);
};

/** Without numbers that are none once they are written: 2^60 is 1152921504606847000 then. */
const sendable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === "number" && Number.isInteger(each) && !Number.isSafeInteger(each) ? 0 : each,
  );

describe("a plain+v0 bundle", () => {
  it("orders objects by the number of their file, then its name, then the document", () => {
    const files = {
      "manifests/z.yaml": configMap("without-a-number"),
      "manifests/10_ten.yaml": configMap("ten"),
      "manifests/02_two.yaml": `${configMap("two")}---\n${configMap("two-b")}`,
      "manifests/010_ten.yaml": configMap("ten-first-by-name"),
      "manifests/00_zero.json": JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: "zero" } }),
    };
    assert.deepEqual(names(files), ["zero", "two", "two-b", "ten-first-by-name", "ten", "without-a-number"]);
  });

  it("orders files the same way for any input order", () => {
    const file = fc
      .tuple(fc.option(fc.nat(200)), fc.stringMatching(/^[a-z0-9.]{1,5}$/))
      .map(([n, s]) => (n === null ? s : `0${n}_${s}`));
    fc.assert(
      fc.property(fc.uniqueArray(file, { maxLength: 12 }), (files) => {
        const sorted = [...files].sort(compareFiles);
        assert.deepEqual(files.toReversed().toSorted(compareFiles), sorted);
        const waves = sorted.map((name) => Number(/^(\d+)_/.exec(name)?.[1] ?? Infinity));
        assert.deepEqual(
          waves,
          waves.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
        );
      }),
    );
  });

  it("reports file, document and line of each object", () => {
    const text = `# a comment\n---\n---\n# another\n\n${configMap("a")}---\n# only a comment\n---\n${configMap("b")}...\n---\n`;
    const found = readPlain(treeOf({ "manifests/01_a.yaml": text }));
    assert.deepEqual(
      found.map(({ file, document, line, wave }) => [file, document, line, wave]),
      [
        ["manifests/01_a.yaml", 1, 6, 1],
        ["manifests/01_a.yaml", 2, 13, 1],
      ],
    );
  });

  it("splits lists, including nested lists and lists of one kind", () => {
    const item = (name: string): object => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    const list = {
      apiVersion: "v1",
      kind: "List",
      items: [
        item("a"),
        { apiVersion: "v1", kind: "List", items: [item("b")] },
        { apiVersion: "v1", kind: "ConfigMapList", items: [item("c")] },
      ],
    };
    assert.deepEqual(names({ "manifests/a.yaml": dump(list) }), ["a", "b", "c"]);
    refused(
      { "manifests/a.yaml": dump({ ...list, items: [item("a"), { kind: "x" }] }) },
      /^manifests\/a\.yaml:1 \(document 1\): items\[1\]: found an object with kind; expected apiVersion as/,
    );
  });

  it("infers the kind of items from their list, and rejects a Kustomization", () => {
    const items = [{ metadata: { name: "a" } }, { metadata: { name: "b" }, kind: "Secret" }];
    const text = JSON.stringify({ apiVersion: "v1", kind: "ConfigMapList", items });
    const found = readPlain(treeOf({ "manifests/a.json": text })).map(({ object }) => [object.apiVersion, object.kind]);
    assert.deepEqual(found, [
      ["v1", "ConfigMap"],
      ["v1", "Secret"],
    ]);
    refused(
      { "manifests/a.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n" },
      /found a Kustomization, which is no object of a cluster; expected what kustomize builds/,
    );
  });

  it("reads every file as manifests, whatever its name", () => {
    assert.deepEqual(names({ "manifests/a": configMap("a"), "manifests/.b": configMap("b") }), ["b", "a"]);
    refused(
      { "manifests/README.md": "Read me\n", "manifests/a.yaml": configMap("a") },
      /^manifests\/README\.md:1 \(document 1\): found the text "Read me"; expected an object: every file in manifests\/ is/,
    );
  });

  it("reads CRLF, a byte order mark, tabs in JSON, aliases and merges", () => {
    const text = `\ufeffx: &x\r\n  app: one\r\napiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: a\r\n  labels:\r\n    <<: *x\r\n`;
    const [first] = readPlain(treeOf({ "manifests/a.yaml": text }));
    assert.deepEqual(first?.object.metadata.labels, { app: "one" });
    assert.deepEqual(
      names({ "manifests/a.json": '{\n\t"apiVersion": "v1",\n\t"kind": "A",\n\t"metadata":\t{"name": "a"}\n}' }),
      ["a"],
    );
  });

  it("ignores indentation within brackets and quotes, as kubectl does", () => {
    const data = (text: string): unknown =>
      readPlain(treeOf({ "manifests/a.yaml": configMap("a", text) }))[0]?.object["data"];
    const cases: Record<string, unknown> = {
      "data:\n  args: [\n    a,\n  ]\n  b: c\n": { args: ["a"], b: "c" },
      "data:\n  list:\n  - command: [sh, -c,\n    x\n  ]\n  - next\n": {
        list: [{ command: ["sh", "-c", "x"] }, "next"],
      },
      "data:\n  a: {b: c,\nd: [e,\nf\ng]\n}\n  h: i\n": { a: { b: "c", d: ["e", "f g"] }, h: "i" },
      "data:\n  a: \"one\n  two\n\nthree\\\n four\"\n  b: 'five\n\n six'\n": {
        a: "one two\nthreefour",
        b: "five\nsix",
      },
      "data:\n  a: [x\t, z]\n  b: {c:\td}\n": { a: ["x", "z"], b: { c: "d" } },
      "data:\r\n  a: [\r\n  x\r\n]\r\n  b: c\r\n": { a: ["x"], b: "c" },
      "data:\n  a: |\n    [\n    ]\n  b: [\n  ]\n": { a: "[\n]\n", b: [] },
    };
    for (const [text, expected] of Object.entries(cases)) assert.deepEqual(data(text), expected, text);
    // As operators have it: each text goes on at the column of its key.
    const texts = Array.from(
      { length: 2000 },
      (_, at) => `  k${at}:\n    a: "It's [x\n    or 'y\n\n    z ${at}"\n    b: |\n      "q\n`,
    );
    const long = data(`data:\n${texts.join("")}`) as Record<string, unknown>;
    assert.deepEqual(long["k1999"], { a: "It's [x or 'y\nz 1999", b: '"q\n' });
    refused({ "manifests/a.yaml": configMap("a", "data:\n  a: [\nb: c\n") }, /manifests\/a\.yaml:8 .*flow collection/);
  });

  it("keeps the meaning of any YAML when it changes indentation", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab \n\t'\"[]{},:#-|>&*!?") });
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(text, fc.array(tie("tree"), { maxLength: 4 }), fc.dictionary(text, tie("tree"), { maxKeys: 4 })),
    }));
    fc.assert(
      fc.property(tree, fc.integer({ min: -1, max: 3 }), fc.boolean(), (value, flowLevel, quoted) => {
        const yaml = dump(value, { flowLevel, lineWidth: 20, ...(quoted ? { quoteStyle: "double" } : {}) });
        assert.deepEqual(load(indented(yaml, 1e6) ?? ""), load(yaml), yaml);
      }),
      { numRuns: 300 },
    );
  });

  it("ignores unknown tags, and decodes binary values", () => {
    const [found] = readPlain(
      treeOf({
        "manifests/a.yaml": configMap("a", "data: !x\n  a: !y 1\n  b: !!binary aGk=\n  c: !z [!!str 2, !!int 3]\n"),
      }),
    );
    assert.deepEqual(found?.object["data"], { a: "1", b: "hi", c: ["2", 3] });
  });

  it("reads texts with line breaks that only JavaScript recognizes", () => {
    const data = { x: "one\u2028--- two\u2029--- three\u0085--- four" };
    const text = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data });
    assert.deepEqual(readPlain(treeOf({ "manifests/a.json": text }))[0]?.object["data"], data);
  });

  it("reads JSON objects without separators, as kubectl does", () => {
    const object = (name: string): string =>
      JSON.stringify({ apiVersion: "v1", kind: "A", metadata: { name }, text: 'a } \\" { b' }, undefined, 1);
    const found = readPlain(treeOf({ "manifests/a.json": `${object("a")}\n\n${object("b")}${object("c")}\n` }));
    assert.deepEqual(
      found.map(({ object: { metadata }, document, line }) => [metadata.name, document, line]),
      [
        ["a", 1, 1],
        ["b", 2, 10],
        ["c", 3, 17],
      ],
    );
    refused(
      { "manifests/a.json": `${object("a")}\n{"kind": ]}` },
      /^manifests\/a\.json:9 \(document 1\): found text that/,
    );
    refused(
      { "manifests/a.json": `${object("a")}\n{"kind": 1}` },
      /^manifests\/a\.json:9 \(document 2\): found an object/,
    );
  });

  it("treats an empty or null namespace as none, as kubectl does", () => {
    for (const none of ["", " null", ' ""']) {
      const [first] = readPlain(treeOf({ "manifests/a.yaml": configMap("a", `  namespace:${none}\n`) }));
      assert.deepEqual(first?.object.metadata, { name: "a" });
    }
    refused(
      { "manifests/a.yaml": `${configMap("a", "  namespace:\n")}---\n${configMap("a")}` },
      /found ConfigMap a a second time/,
    );
  });

  it("reads limits in schemas of CRDs as floating-point numbers, as the API server does", () => {
    const limits = { maximum: 1, minimum: 2 };
    const made = crd([{ spec: { type: "integer", ...limits, properties: { a: { items: { multipleOf: 1 } } } } }]);
    const text = JSON.stringify(made)
      .replace('"maximum":1', '"maximum":9223372036854775807')
      .replace('"multipleOf":1', '"multipleOf":9223372036854775807');
    for (const written of [text, `{"apiVersion": "v1", "kind": "List", "items": [${text}]}`]) {
      const [found] = readPlain(treeOf({ "manifests/a.yaml": written }));
      assert.match(JSON.stringify(found?.object), /"maximum":9223372036854776000,"minimum":2/);
    }
    const inDefault = JSON.stringify(crd([{ spec: { default: { maximum: 1 } } }])).replace(
      '"maximum":1',
      '"maximum":9223372036854775807',
    );
    refused({ "manifests/a.yaml": inDefault }, /the number 9223372036854775807 is too large to be kept exactly/);
  });

  it("treats empty labels and annotations as none, as the API server does", () => {
    const text = configMap("a", "  labels:\n  annotations: { empty: null, full: x }\n");
    const [found] = readPlain(treeOf({ "manifests/a.yaml": text }));
    assert.deepEqual(found?.object.metadata, { name: "a", annotations: { empty: "", full: "x" } });
    refused(
      { "manifests/a.yaml": configMap("a", "  labels: { version: 1 }\n") },
      /ConfigMap a: metadata\.labels\["version"\]: found the value 1; expected a text, in quotes/,
    );
    refused(
      { "manifests/a.yaml": configMap("a", "  annotations: [a]\n") },
      /metadata\.annotations: found a list; expected an object of texts/,
    );
  });

  it("does not change templates in texts", () => {
    const text = configMap("a", 'data:\n  rule: "{{ $labels.pod }} {{ template }}"\n');
    const [first] = readPlain(treeOf({ "manifests/a.yaml": text }));
    assert.deepEqual(first?.object["data"], { rule: "{{ $labels.pod }} {{ template }}" });
  });

  it("requires at least one object", () => {
    refused({}, /^manifests: found no such folder at the bundle's root but nothing; expected manifests\/$/);
    refused({}, /^manifests: found an empty folder/, ["manifests"]);
    refused({ "manifests/a.yaml": "---\n# nothing\n---\n" }, /^manifests: found no object in any file/);
    assert.deepEqual(names({ "manifests/a.yaml": "null\n", "manifests/b.yaml": configMap("b") }), ["b"]);
  });

  it("rejects folders in manifests/", () => {
    refused({ "manifests/a.yaml": configMap("a"), "manifests/b/c.yaml": "" }, /^manifests\/b: found a folder/);
    refused({ "manifests/a.yaml": configMap("a") }, /^manifests\/b: found a folder/, ["manifests/b"]);
  });

  it("rejects anything but an object, with file, document and line", () => {
    const after = (text: string): Record<string, string> => ({ "manifests/a.yaml": `${configMap("a")}---\n\n${text}` });
    const place = /^manifests\/a\.yaml:7 \(document 2\): /;
    for (const [text, expected] of [
      ["- a\n", /found a list; expected an object/],
      ["42\n", /found the value 42/],
      ["kind: A\n", /found an object with kind; expected apiVersion as the API spells/],
      ["apiVersion: v1\nkind: 7\n", /expected kind as the API spells/],
      ["apiVersion: v1\nkind: A\n", /A: metadata: found nothing; expected an object with a name/],
      [
        "apiVersion: v1\nkind: A\nmetadata: {generateName: x-}\n",
        /A: metadata\.name: found nothing; .* a generated name would be/,
      ],
      ["apiVersion: v1\nkind: A\nmetadata: {name: '../x'}\n", /metadata\.name: found the text "\.\.\/x"/],
      ['apiVersion: v1\nkind: A\nmetadata: {name: "a\\u001b[2J"}\n', /metadata\.name: found the text "a\\u001b\[2J"/],
      ["apiVersion: v1\nkind: A\nmetadata: {name: 1}\n", /metadata\.name: found the value 1/],
      ["apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: A}\n", /A a: metadata\.namespace: found the text "A"/],
    ] as const) {
      refused(after(text), expected);
      refused(after(text), place);
    }
  });

  it("rejects invalid YAML, with the line of the error", () => {
    const after = (text: string): Record<string, string> => ({ "manifests/a.yaml": `${configMap("a")}---\n${text}` });
    refused(
      after("apiVersion: v1\nkind: A\nkind: B\n"),
      /^manifests\/a\.yaml:8 \(document 2\): found text that is no YAML or JSON: duplicated/,
    );
    refused(after("apiVersion: v1\n\tkind: A\n"), /^manifests\/a\.yaml:7 \(document 2\): found text/);
    refused(after("a: *nobody\n"), /^manifests\/a\.yaml:6 \(document 2\): .*unidentified alias/);
    refused(after("a: 9007199254740993\n"), /the number 9007199254740993 is too large to be kept exactly/);
    refused(
      after("apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec: {maximum: 9223372036854775807}\n"),
      /the number 9223372036854775807 is too large/,
    );
    refused(after("a: .inf\n"), /JSON has no number \.inf/);
    refused({ "manifests/a.yaml": Buffer.from([0x61, 0xff]) }, /^manifests\/a\.yaml: found bytes that are no UTF-8/);
    refused({ "manifests/a.yaml": Buffer.from("a: b", "utf16le") }, /^manifests\/a\.yaml:1: found a zero byte/);
    refused({ "manifests/a.yaml": Buffer.from("\ufeffa: b", "utf16le") }, /^manifests\/a\.yaml: found text in UTF-16/);
  });

  it("reports all faults at once, up to a limit", () => {
    const wrong = { "manifests/a.yaml": "a: [\n---\n- 1\n", "manifests/b.yaml": "x", "manifests/c/d": "" };
    assert.deepEqual(
      faults(wrong).map((line) => line.replace(/: .*/, "")),
      [
        "manifests/c",
        "manifests/a.yaml:2 (document 1)",
        "manifests/a.yaml:3 (document 2)",
        "manifests/b.yaml:1 (document 1)",
      ],
    );
    const many = faults({ "manifests/a.yaml": "- 1\n---\n".repeat(80) });
    assert.equal(many.length, 51);
    assert.equal(many.at(-1), "and 30 more");
  });

  it("rejects an object that occurs twice, regardless of its API version", () => {
    const deployment = (version: string): string =>
      `apiVersion: apps/${version}\nkind: Deployment\nmetadata: {name: a, namespace: ns}\n`;
    refused(
      { "manifests/a.yaml": deployment("v1"), "manifests/b.yaml": `---\n${deployment("v1beta1")}` },
      /^manifests\/b\.yaml:2 \(document 1\): found Deployment ns\/a a second time, it is in manifests\/a\.yaml:1 already/,
    );
    assert.deepEqual(names({ "manifests/a.yaml": `${configMap("a")}---\n${configMap("a", "  namespace: other\n")}` }), [
      "a",
      "a",
    ]);
  });

  it("rejects nested aliases before they are expanded", () => {
    const layers = Array.from(
      { length: 12 },
      (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(", ")}]`,
    );
    refused(
      { "manifests/a.yaml": `${configMap("a")}a0: &a0 [x]\n${layers.join("\n")}\n` },
      /found more than 1000000 values once its aliases are written out/,
    );
    refused(
      { "manifests/a.yaml": `${configMap("a")}a: &a [*a]\n` },
      /more than 200 deep, or an alias of itself|unidentified alias/,
    );
    refused({ "manifests/a.yaml": "[".repeat(100_000) }, /no YAML/);
  });

  it("limits the number of values in all documents together", () => {
    const effort = { ...newReadLimits(), values: 6 };
    const [first, second] = ["a.yaml", "b.yaml"].map((file) =>
      readDocuments(file, Buffer.from("a: [1, 2, 3]"), effort),
    );
    assert.deepEqual(first?.faults, []);
    assert.match(
      second?.faults.map(({ what }) => what).join("\n") ?? "",
      /more than \d+ values in all documents together; split the bundle/,
    );
  });

  it("may have ten thousand documents", () => {
    const text = Array.from({ length: 10_000 }, (_, i) => configMap(`a-${i}`)).join("---\n");
    const found = readPlain(treeOf({ "manifests/a.yaml": text }));
    assert.deepEqual([found.length, found.at(-1)?.document, found.at(-1)?.line], [10_000, 10_000, 49_996]);
  });

  it("reads back any objects that were written", () => {
    const object = fc.record({
      apiVersion: fc.constantFrom("v1", "apps/v1", "example.com/v1beta1"),
      kind: fc.constantFrom("ConfigMap", "Thing"),
      metadata: fc.record({ name: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/) }),
      data: fc.jsonValue({ maxDepth: 3 }).map(sendable),
    });
    fc.assert(
      fc.property(fc.array(object, { minLength: 1, maxLength: 5 }), (objects) => {
        const unique = [
          ...new Map(
            objects.map((each) => [`${each.apiVersion.replace(/v1.*$/, "")} ${each.kind} ${each.metadata.name}`, each]),
          ).values(),
        ];
        const text = unique.map((each) => JSON.stringify(each)).join("\n---\n");
        assert.deepEqual(
          readPlain(treeOf({ "manifests/a.yaml": text })).map(
            (each) => JSON.parse(JSON.stringify(each.object)) as unknown,
          ),
          JSON.parse(JSON.stringify(unique)),
        );
      }),
      { numRuns: 200 },
    );
  });

  it("reads or rejects any bytes, and never fails otherwise", () => {
    const piece = fc.constantFrom(
      "---\n",
      "a: ",
      "&a ",
      "*a",
      "[",
      "]",
      "{",
      "}",
      "\n",
      "  ",
      "- ",
      "!!int ",
      "|\n",
      "'",
      '"',
      "? ",
      "<<: ",
      "0x",
      "\t",
      "#",
      "%",
      "...\n",
      "v1",
      "kind: List\n",
      "items:\n",
      "apiVersion: v1\n",
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((parts) => Buffer.from(parts.join(""))),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(text, (bytes) => {
        try {
          readPlain(treeOf({ "manifests/a.yaml": bytes }));
        } catch (error) {
          assert.ok(error instanceof FormatError, (error as Error).stack);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
