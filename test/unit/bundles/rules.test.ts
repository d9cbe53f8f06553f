import assert from "node:assert/strict";
import { FormatError } from "../../../bundles/errors";
import { bounded, RuleTimeout } from "../../../bundles/rules/bounded";
import { checkRules, FAILED_WHEN, READY_WHEN, rulesOf } from "../../../bundles/rules/rule";
import { type RuleVerdict } from "../../../bundles/rules/ruleKind";
import type { KubeObject } from "../../../kubernetes/objects/objects";

const gadget = {
  apiVersion: "example.com/v1",
  kind: "Gadget",
  metadata: { name: "a", generation: 2, annotations: { "a.b/c": "x" } },
  spec: { replicas: 3, ratio: 0.5, sizes: [1, 2, 3] },
  status: {
    phase: "Starting",
    readyReplicas: 1,
    none: null,
    "a.b": ["x", { n: 3 }],
    started: "2024-01-01T00:00:00Z",
    conditions: [
      { type: "Ready", status: "True", observedGeneration: 2 },
      { type: "Synced", status: "False" },
    ],
  },
};

const withRule = (text: unknown, live: KubeObject = gadget): KubeObject => ({
  ...live,
  metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, [READY_WHEN]: text as string } },
});

async function judge(text: string, live: KubeObject = gadget): Promise<RuleVerdict> {
  const { rules, faults } = (await rulesOf(withRule(text, live)))!;
  assert.deepEqual(faults, [], text);
  return rules.ready!.judge(live);
}

const faultOf = async (text: unknown): Promise<string> => (await rulesOf(withRule(text)))!.faults.join("\n");

describe("a rule in CEL", () => {
  it("holds if it holds in Kubernetes", async () => {
    const holding = [
      "self.status.readyReplicas == self.spec.replicas - 2",
      "self.spec.replicas / 2 == 1 && self.spec.replicas > 2.5 && self.spec.ratio * 2.0 == 1.0",
      "self.spec.replicas == 3.0 && type(self.spec.replicas) == int && type(self.spec.ratio) == double",
      'self.status.conditions.exists(c, c.type == "Ready" && c.status == "True")',
      'self.status.conditions.filter(c, c.type == "Ready").all(c, c.observedGeneration == self.metadata.generation)',
      'self.status.conditions.map(c, c.type) == ["Ready", "Synced"] && size(self.spec.sizes) == 3',
      'self.status.conditions.exists_one(c, c.type == "Ready")',
      "has(self.status.phase) && !has(self.status.address)",
      '"a.b/c" in self.metadata.annotations && self.metadata.annotations["a.b/c"] == "x"',
      'self.?status.?address.orValue("none") == "none" && !self.status.?address.hasValue()',
      'self.status.address == "x" || self.status.phase == "Starting"',
      'self.status.phase.matches("^Start") && self.status.phase.contains("art") && self.status.phase.lowerAscii() == "starting"',
      'timestamp(self.status.started) + duration("1h") < timestamp("2025-01-01T00:00:00Z")',
      'cel.bind(phase, self.status.phase, phase in ["Starting", "Running"])',
      "self.status.none == null",
    ];
    for (const text of holding) assert.equal((await judge(text)).holds, true, text);
  });

  it("does not hold while a value differs or is missing, and reports the value that it found", async () => {
    const cases: [string, string][] = [
      ["self.status.readyReplicas == self.spec.replicas", "self.status.readyReplicas is 1, self.spec.replicas is 3"],
      ['self.status.address == "x"', "self.status.address is nothing"],
      ['self.missing.deep == "x"', "self.missing.deep is nothing"],
      [
        "self.spec.sizes[7] == 1",
        "(No such key: index out of bounds, index 7 >= size 3): self.spec.sizes[7] is nothing",
      ],
      ['self.?status.?address.orValue("") != ""', "self.?status.?address is nothing"],
      ["self.status.phase > 3", "(no such overload: dyn<string> > int): self.status.phase is Starting"],
      ["self.status.none", "self.status.none is nothing"],
      ["1 == 2", ""],
      ["self.constructor == self.toString", "self.constructor is nothing, self.toString is nothing"],
      [
        'self.status.conditions.exists(c, c.type == "Other")',
        'self.status.conditions is [{"type":"Ready","status":"True","observedGeneration":2},{"type":"Synced","status":"False"}]',
      ],
    ];
    for (const [text, found] of cases) {
      const verdict = await judge(text);
      assert.equal(verdict.holds, false, text);
      assert.equal(verdict.broken, undefined, text);
      const colon = found === "" ? "" : found.startsWith("(") ? " " : ": ";
      assert.equal(verdict.found, `${text} is not true${colon}${found}`);
    }
  });

  it("hides values of a Secret", async () => {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, data: { key: "aGlkZGVu" } };
    for (const text of ['self.data.key == "x"', "{.data.key}=x"]) {
      const { found } = await judge(text, secret);
      assert.match(found, /data\.key is something \(hidden\)/);
      assert.doesNotMatch(found, /aGlkZGVu/);
    }
  });

  it("is broken if its result is not true or false, or if a pattern is invalid", async () => {
    assert.match((await judge("self.spec")).broken!, /^self\.spec gives a structure; expected what is true or false$/);
    assert.match((await judge('self.status.phase.matches("(")')).broken!, /Invalid regular expression: \(/);
  });

  it("is rejected, with its annotation, if it cannot be parsed or can never be true", async () => {
    const cases: [unknown, RegExp][] = [
      [
        "self.status.phase ==",
        /^stackyard\.dev\/ready-when: found ".*": Unexpected token: EOF at character 21; expected CEL over/,
      ],
      ["status.phase=Running", /Unexpected character: = at character 13; expected CEL over .* or a JSONPath/],
      ['status.phase == "x"', /Unknown variable: status at character 1; expected self\.status: self is the object/],
      ["ready(self)", /found no matching overload for 'ready\(.*\)' at character 1/],
      ['1 + "a" == 2', /no such overload: int \+ string/],
      ["self.spec.replicas + 1", /which gives int; expected what is true or false/],
      ["", /found "": Unexpected token: EOF/],
      [7, /found 7; expected a text: CEL over/],
    ];
    for (const [text, expected] of cases) assert.match(await faultOf(text), expected);
  });

  it("is limited in length, parts and time", async function () {
    this.timeout(20_000);
    const bombs = [
      "x".repeat(5000),
      `${"(".repeat(100)}true${")".repeat(100)}`,
      `1${"+1".repeat(1500)} == 1`,
      "!".repeat(4000) + "true",
      `self${".a".repeat(100)} == 1`,
      "[".repeat(2000),
    ];
    for (const bomb of bombs) assert.match(await faultOf(bomb), /Exceeded max|at most 4096/, bomb.slice(0, 20));
    const ten = "[1,2,3,4,5,6,7,8,9,10]";
    const nested = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].reduce(
      (inner, name) => `${ten}.all(${name}, ${inner})`,
      "true",
    );
    assert.equal((await judge(nested)).broken, `${nested}: it takes more than 1 s`);
    const live = { ...gadget, status: { text: `${"a".repeat(60)}!` } };
    assert.match((await judge('self.status.text.matches("^(a+)+$")', live)).broken!, /it takes more than 1 s$/);
  });
});

describe("a bounded function", () => {
  it("returns and throws as without the bound, and fails at the bound", () => {
    assert.equal(
      bounded(1000, () => 3),
      3,
    );
    assert.throws(() => bounded(1000, () => assert.fail("so")), assert.AssertionError);
    assert.throws(
      () =>
        bounded(10, () => {
          for (;;);
        }),
      RuleTimeout,
    );
    assert.equal(
      bounded(1000, () => "again"),
      "again",
    );
  });
});

describe("a rule in JSONPath", () => {
  it("holds if it finds the expected value, or any value if none is expected", async () => {
    const cases: [string, string | true][] = [
      ["{.status.phase}=Starting", true],
      ["{.status.phase}=Running", ".status.phase is Starting, and is to be Running"],
      ["{.status.nothing}=Running", ".status.nothing is nothing, and is to be Running"],
      ["{.status.address}", ".status.address is nothing"],
      [" {.status.phase} ", true],
      ["{.status['a.b'][0]}=x", true],
      ["{.status.a\\.b[1].n}=3", true],
      ["{.status.a\\.b[-1].n}=3", true],
      ['{.status.conditions[?(@.type=="Ready")].status}=True', true],
      [
        '{.status.conditions[?(@.type=="Other")].status}=True',
        '.status.conditions[?(@.type=="Other")].status is nothing, and is to be True',
      ],
      ["{.spec.sizes[*]}=1", ".spec.sizes[*] is 1, 2, 3, and is to be 1"],
    ];
    for (const [text, expected] of cases) {
      const { holds, found } = await judge(text);
      assert.deepEqual(holds || found, expected, text);
    }
  });

  it("is rejected, with its annotation, if it cannot be parsed", async () => {
    for (const rule of ["{}=x", "{.status..phase}=x", "{.status[?(@.a>1)]}=x", "{status}", "{.status"]) {
      assert.match(await faultOf(rule), /^stackyard\.dev\/ready-when: found .*; expected CEL .* are steps too$/, rule);
    }
  });
});

describe("the check of a bundle's rules", () => {
  it("accepts objects without rules, and reports every invalid rule with its position", async () => {
    assert.equal(await rulesOf(gadget), undefined);
    const annotations = { [READY_WHEN]: "self.", [FAILED_WHEN]: "{x}" };
    const wrong = { ...gadget, metadata: { ...gadget.metadata, annotations } };
    const place = { file: "manifests/a.yaml", document: 2, line: 7, wave: undefined };
    await checkRules([{ object: gadget, ...place }], "plain+v0");
    await assert.rejects(checkRules([{ object: wrong, ...place }], "plain+v0"), (error: unknown) => {
      assert.ok(error instanceof FormatError);
      assert.deepEqual(
        error.faults.map(({ file, line, document, what }) => [file, line, document, what.split(":")[0]]),
        [
          ["manifests/a.yaml", 7, 2, READY_WHEN],
          ["manifests/a.yaml", 7, 2, FAILED_WHEN],
        ],
      );
      return true;
    });
  });
});
