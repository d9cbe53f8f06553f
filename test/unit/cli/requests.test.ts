import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { checkFlags, parseRequests, readRequests } from "../../../cli/fleet/requests";
import { deploymentId, platformReference } from "../../../engine/stack/names";

/** The lines of the error that a file is refused with. */
function refused(text: string): string[] {
  let message = "";
  assert.throws(
    () => parseRequests(text, "x.yaml"),
    (error: Error) => {
      message = error.message;
      return error.name === "Failure";
    },
    `${JSON.stringify(text)} was taken`,
  );
  return message.split("\n");
}

describe("a file of many deployments", () => {
  it("is a map of id to fields, in YAML or JSON", () => {
    const yaml =
      'acme: {slots: 2, version: "0.50", platform: prod}\nb.c:\n  version: v1\n  annotations: {team: blue}\nd:\n';
    const expected = [
      { id: "acme", change: { deployment: { slots: 2, version: "0.50" }, platform: "organization/stackyard/prod" } },
      { id: "b.c", change: { deployment: { version: "v1", annotations: { team: "blue" } }, platform: undefined } },
      { id: "d", change: { deployment: {}, platform: undefined } },
    ];
    assert.deepEqual(parseRequests(yaml, "x.yaml"), expected);
    const json = JSON.stringify({
      acme: { slots: 2, version: "0.50", platform: "prod" },
      "b.c": { version: "v1", annotations: { team: "blue" } },
      d: null,
    });
    assert.deepEqual(parseRequests(json, "x.json"), expected);
  });

  it("accepts what the program accepts", () => {
    assert.deepEqual(parseRequests("a: {diskGb: 0.5, slots: 100000}", "x.yaml")[0]?.change.deployment, {
      diskGb: 0.5,
      slots: 100_000,
    });
  });

  it("is rejected with all faults at once, each with its path, by the program's own schema", () => {
    const text = [
      "a: {slots: 0, slotz: 2, diskGb: 0}",
      "'b/c': {version: a b, environment: x y}",
      "d: 3",
      "e: {version: 0.50, annotations: {x: 1}, state: asleep}",
      "f: {platform: 'a b', provisioner: EU_1}",
      "g: {slots: 1e30, diskGb: 1e30}",
      "h: {slots: 200000, id: other}",
      "i: {__proto__: {slots: 1}}",
      "__proto__: {slots: 1}",
    ].join("\n");
    assert.deepEqual(refused(text), [
      "x.yaml has 18 faults; nothing was started.",
      "  - a.slots: found 0; expected a whole number from 1",
      "  - a.diskGb: found 0; expected a number of GiB above 0",
      "  - a.slotz: found an unknown key; expected one of slots, version, environment, diskGb, annotations, provisioner, resources, cluster, kyma, runtime, state, protected, platform; did you mean slots",
      '  - "b/c": found this id; expected 1 to 100 of A-Z a-z 0-9 . _ -, such as acme-prod',
      '  - b/c.version: found "a b"; expected an image tag in quotes, such as "0.50.2"',
      '  - b/c.environment: found "x y"; expected a name of A-Z a-z 0-9 . _ -, 63 characters at most',
      "  - d: found a number; expected an object of fields such as {slots: 2, version: 0.50.0}",
      '  - e.version: found 0.5; expected an image tag in quotes, such as "0.50.2"',
      "  - e.annotations.x: found 1; expected a text",
      '  - e.state: found "asleep"; expected running or hibernated',
      '  - f.provisioner: found "EU_1"; expected a legal name: a-z, 0-9 and inner -, 40 characters at most',
      '  - f.platform: found "a b"; expected a platform stack such as dev or organization/stackyard/dev',
      "  - g.slots: found 1e+30; expected at most 100000",
      "  - g.diskGb: found 1e+30; expected at most 1000000",
      "  - h.slots: found 200000; expected at most 100000",
      "  - h.id: found an unknown key; expected one of slots, version, environment, diskGb, annotations, provisioner, resources, cluster, kyma, runtime, state, protected, platform",
      "  - i.__proto__: found an unknown key; expected one of slots, version, environment, diskGb, annotations, provisioner, resources, cluster, kyma, runtime, state, protected, platform",
      '  - "__proto__": found this id; expected 1 to 100 of A-Z a-z 0-9 . _ -, such as acme-prod',
    ]);
  });

  it("is rejected if it is no map or no YAML", () => {
    for (const [text, expected] of [
      ["- a\n", /x\.yaml: found a list; expected deployments by id/],
      ["acme", /found a string; expected deployments by id/],
      ["", /x\.yaml is empty; expected deployments by id/],
      ["# nothing\n", /is empty/],
      ["{}", /is empty/],
      ["a: [\n", /is not YAML or JSON:\n {2}- Flow sequence .* at line \d+, column \d+$/],
      ["a: {version: x}\na: {version: y}\n", /Map keys must be unique at line 2, column 1$/],
      ["a: *nobody\n", /Unresolved alias .*nobody/],
      ["a: {}\n---\nb: {}\n", /multiple documents/],
      [
        [
          "a0: &a0 {x: y}",
          ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`),
        ].join("\n"),
        /alias/,
      ],
    ] as const) {
      assert.match(refused(text).join("\n"), expected, text);
    }
  });

  it("is rejected if it is not UTF-8 or cannot be read", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "stackyard-test-"));
    try {
      const file = path.join(folder, "x.yaml");
      await writeFile(file, Buffer.from("a: {version: caf\u00e9}", "latin1"));
      await assert.rejects(readRequests(file), { name: "Failure", message: /is not text in UTF-8/ });
      await writeFile(file, "\ufeffa: {version: v1}");
      assert.equal((await readRequests(file))[0]?.id, "a");
      await assert.rejects(readRequests(folder), { name: "Failure", message: /cannot be read: EISDIR/ });
      await assert.rejects(readRequests(`${file}.not`), { name: "Failure", message: /cannot be read: ENOENT/ });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("the flags of one deployment", () => {
  it("are rejected with all faults at once, by the same schema", () => {
    checkFlags({ deployment: { slots: 2, diskGb: 0.5, version: undefined, annotations: { team: "" } } });
    const wrong = { slots: 200_000, version: "a b", environment: "x y", diskGb: -1, provisioner: "EU_1" };
    assert.throws(
      () => checkFlags({ deployment: wrong }),
      (error: Error) => {
        assert.equal(error.name, "UsageError");
        assert.deepEqual(
          error.message.split("\n").map((line) => line.split(":")[0]),
          ["--slots", "--version", "--environment", "--disk-gb", "--provisioner"],
        );
        return true;
      },
    );
  });
});

describe("a name on the command line", () => {
  it("is rejected as a deployment id if it would leave its folder", () => {
    for (const bad of ["", "a/b", "..", ".", "a b", "ü", "a".repeat(101), "../x", "__proto__"]) {
      assert.throws(() => deploymentId(bad), /deployment id: found/, bad);
    }
    assert.equal(deploymentId("Acme_1.prod-x"), "Acme_1.prod-x");
  });

  it("is completed to the name of a platform stack", () => {
    assert.equal(platformReference("dev"), "organization/stackyard/dev");
    assert.equal(platformReference("other/dev"), "organization/other/dev");
    assert.equal(platformReference("acme/other/dev"), "acme/other/dev");
    for (const bad of ["", "a/b/c/d", "a//b", "a b"]) assert.throws(() => platformReference(bad), /platform: found/);
  });
});
