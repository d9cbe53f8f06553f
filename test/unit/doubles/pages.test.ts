import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(__dirname, "../../doubles");

/** Entries of a folder of doubles, apart from its page. */
const entriesIn = (...names: string[]) =>
  readdirSync(join(folder, ...names), { withFileTypes: true }).filter(({ name }) => name !== "README.md");

const pageOf = (...names: string[]): string => readFileSync(join(folder, ...names, "README.md"), "utf8");

/** The double has a row of its page with what it is of, what it copies and what it omits. */
function isListed(name: string, page: string): void {
  const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\``));
  assert.ok(row, `no row for ${name}`);
  const cells = row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
  assert.deepEqual([cells.length, cells.every((cell) => cell !== "")], [4, true], row);
}

describe("the doubles of other projects' programs", () => {
  it("have a page with their version and omissions in each folder", () => {
    for (const { name } of entriesIn().filter((entry) => entry.isDirectory() && entry.name !== "charts"))
      assert.match(pageOf(name), /leaves? out|omits/i, name);
  });

  it("have a row in test/doubles/README.md if they are one file", () => {
    for (const { name } of entriesIn().filter((entry) => entry.isFile())) isListed(name, pageOf());
  });

  it("have a row in test/doubles/charts/README.md if they are charts", () => {
    for (const { name } of entriesIn("charts")) isListed(name, pageOf("charts"));
  });
});
