import assert from "node:assert/strict";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { minVersion, satisfies } from "semver";
import { load } from "js-yaml";
import { dependencies, version } from "../../../package.json";
import { pages, pageText } from "../../fixtures/pages";

const root = join(__dirname, "../../..");
const textOf = (...names: string[]): string => readFileSync(join(root, ...names), "utf8");

describe("the programs in examples/", () => {
  const names = readdirSync(join(root, "examples"));
  const tests = globSync("test/engine/library/*.test.ts", { cwd: root }).map((file) => textOf(file));
  const docs = pages().map(pageText).join("\n");

  it("are in TypeScript, JavaScript, Python, Go and YAML", () => {
    const runtimes = names.map(
      (name) => (load(textOf("examples", name, "Pulumi.yaml")) as { runtime: string }).runtime,
    );
    assert.deepEqual([...new Set(runtimes)].sort(), ["go", "nodejs", "python", "yaml"]);
    assert.ok(names.length >= 12 && names.some((name) => existsSync(join(root, "examples", name, "index.ts"))));
  });

  for (const name of names) {
    it(`are explained, have a stack file, are run by a test and linked from a page: ${name}`, () => {
      assert.match(textOf("examples", name, "README.md"), /^# \S[^]*^```sh\nnpm install[^]*pulumi up/m);
      const { config } = load(textOf("examples", name, "Pulumi.dev.yaml")) as { config: object };
      assert.ok(Object.keys(config).length > 0);
      assert.ok(
        tests.some((text) => text.includes(`"${name}"`)),
        "no test in test/engine/library/ names it",
      );
      assert.ok(docs.includes(`](../examples/${name}/README.md)`), "no page links its README.md");
    });
  }

  for (const file of globSync("examples/*/package.json", { cwd: root })) {
    it(`need packages of this version: ${file}`, () => {
      const { dependencies: own } = JSON.parse(textOf(file)) as { dependencies: Record<string, string> };
      assert.ok(satisfies(version, own["stackyard"] ?? ""));
      assert.equal(minVersion(own["@pulumi/pulumi"] ?? "")?.version, dependencies["@pulumi/pulumi"]);
    });
  }
});
