import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");
const folder = join(root, "test/doubles");

describe("the doubles of other projects' programs", () => {
  const page = readFileSync(join(root, "docs/doubles.md"), "utf8");
  const entries = readdirSync(folder).filter((name) => name !== "README.md");
  const isFolder = (name: string): boolean => statSync(join(folder, name)).isDirectory();

  it("are all in docs/doubles.md, with a version and their omissions", () => {
    const names = entries.flatMap((name) =>
      name === "charts"
        ? readdirSync(join(folder, name))
            .filter((each) => !each.endsWith(".md"))
            .map((each) => `charts/${each}`)
        : [name],
    );
    const rows = page.split("\n").filter((line) => line.startsWith("|"));
    for (const name of names) {
      const row = rows.find((line) => line.includes(`\`test/doubles/${name}\``));
      assert.ok(row, `docs/doubles.md has no row for test/doubles/${name}`);
      const cells = row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      assert.deepEqual([cells.length, cells.every((cell) => cell !== "")], [4, true], row);
    }
  });

  it("have a README in each folder", () => {
    const without = entries.filter((name) => isFolder(name) && !existsSync(join(folder, name, "README.md")));
    assert.deepEqual(without, []);
  });
});
