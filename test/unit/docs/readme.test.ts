import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fleetTable } from "../../../cli/fleet/text/table";
import { blocksOf } from "../../fixtures/pages";

const root = path.join(__dirname, "../../..");
const [{ text: output } = { text: "" }] = blocksOf("README.md").filter(({ language }) => language === "text");

describe("the output of `make up` in README.md", () => {
  it("has resources of the stack dev, and their number with the stack itself", () => {
    const graph = JSON.parse(readFileSync(path.join(root, "test/fixtures/graphs/dev.json"), "utf8")) as {
      type: string;
      name: string;
    }[];
    const known = new Set(["pulumi:pulumi:Stack stackyard-dev", ...graph.map(({ type, name }) => `${type} ${name}`)]);
    const shown = [...output.matchAll(/^ \+ {2}(\S+ \S+) creat/gm)].map(([, resource = ""]) => resource);
    assert.ok(shown.length > 3);
    assert.deepEqual(
      shown.filter((resource) => !known.has(resource)),
      [],
    );
    assert.match(output, new RegExp(`^ {4}\\+ ${known.size} created$`, "m"));
  });

  it("has the columns of the list of runtimes", () => {
    const [titles = ""] = fleetTable([]).split("\n");
    assert.ok(titles.length > 20);
    const shown = output.split("\n").find((line) => line.startsWith("ID ")) ?? "";
    assert.deepEqual(shown.split(/\s+/), titles.trim().split(/\s+/));
  });
});
