import assert from "node:assert/strict";
import { parseRequests } from "../../../cli/runtime/requests";
import { deploymentId, platformReference } from "../../../cli/stack/names";

describe("file of many deployments", () => {
  it("is a map of id to fields, in YAML or JSON", () => {
    const yaml =
      'acme: {slots: 2, version: "0.50", platform: prod}\nb.c:\n  version: v1\n  annotations: {team: blue}\n';
    const expected = [
      { id: "acme", change: { deployment: { slots: 2, version: "0.50" }, platform: "organization/stackyard/prod" } },
      { id: "b.c", change: { deployment: { version: "v1", annotations: { team: "blue" } }, platform: undefined } },
    ];
    assert.deepEqual(parseRequests(yaml, "x.yaml"), expected);
    const json = JSON.stringify({
      acme: { slots: 2, version: "0.50", platform: "prod" },
      "b.c": { version: "v1", annotations: { team: "blue" } },
    });
    assert.deepEqual(parseRequests(json, "x.json"), expected);
  });

  it("tells all faults at once, each with its path", () => {
    const text =
      "a: {slots: 0, size: 2}\n'b/c': {}\nd: 3\ne: {version: 0.50, annotations: {x: 1}}\nf: {platform: 'a b'}\n";
    assert.throws(
      () => parseRequests(text, "x.yaml"),
      (error: Error) => {
        const lines = error.message.split("\n");
        assert.equal(lines[0], "x.yaml cannot be used:");
        const paths = lines.slice(1).map((line) => line.trim().split(":")[0]);
        assert.deepEqual(paths, [
          "a.slots",
          "a.size",
          "deployment id",
          "d",
          "e.version",
          "e.annotations",
          "f.platform",
        ]);
        assert.match(error.message, /a\.slots: found 0; expected a whole number from 1/);
        assert.match(error.message, /a\.size: found an unknown field; expected one of slots, version, /);
        assert.match(error.message, /e\.version: found 0\.5; expected a text, in quotes/);
        return true;
      },
    );
  });

  it("refuses what is no map, and what is no YAML", () => {
    assert.throws(
      () => parseRequests("- a\n", "x.yaml"),
      /x\.yaml cannot be used:\n {2}found something else than a map/,
    );
    assert.throws(() => parseRequests("a: [\n", "x.yaml"), /x\.yaml cannot be used:/);
    assert.throws(() => parseRequests("a: {version: x}\na: {version: y}\n", "x.yaml"), /unique/);
  });
});

describe("names on the command line", () => {
  it("lets a deployment id never leave its folder", () => {
    for (const bad of ["", "a/b", "..", ".", "a b", "ü", "a".repeat(101), "../x"]) {
      assert.throws(() => deploymentId(bad), /deployment id: found/, bad);
    }
    assert.equal(deploymentId("Acme_1.prod-x"), "Acme_1.prod-x");
  });

  it("completes the name of a platform stack", () => {
    assert.equal(platformReference("dev"), "organization/stackyard/dev");
    assert.equal(platformReference("other/dev"), "organization/other/dev");
    assert.equal(platformReference("acme/other/dev"), "acme/other/dev");
    for (const bad of ["", "a/b/c/d", "a//b", "a b"]) assert.throws(() => platformReference(bad), /platform: found/);
  });
});
