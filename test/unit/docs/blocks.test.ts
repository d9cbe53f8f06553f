import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { load } from "js-yaml";
import { scripts } from "../../../package.json";
import { blocksOf, pages, type Block } from "../../fixtures/pages";

const root = join(__dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** Tests that run blocks of a language on a page. */
const RUN: Readonly<Record<string, string>> = {
  "docs/cluster.md js": "test/engine/eks/pulumiEks.test.ts",
  "docs/clickhouse.md yaml": "test/engine/clickhouse/templated.test.ts",
  "docs/components.md js": "test/engine/library/components.test.ts",
  "docs/components.md yaml": "test/engine/library/yaml.test.ts",
  "docs/eks-operations.md sh": "test/engine/eks/operations.test.ts",
  "docs/library.md js": "test/engine/library/platform.test.ts",
  "docs/manifest-set.md ts": "test/engine/docs/examples.test.ts",
  "docs/ray-jobs.md ts": "test/unit/ray/job.test.ts",
  "docs/runtime-resources.md yaml": "test/service/gardener/resources.test.ts",
  "docs/service-api.md graphql": "test/unit/service/api/examples.test.ts",
  "docs/service-operations.md graphql": "test/unit/service/api/examples.test.ts",
  "docs/service-runtimes.md graphql": "test/unit/service/api/runtimes/api.test.ts",
};

const validate = new Ajv({ strict: false }).compile(JSON.parse(read("stackyard.schema.json")) as object);
const targets = new Set([...read("Makefile").matchAll(/^([a-z-]+):/gm)].map(([, target]) => target));

/** Whether a line is a comment or a command that a test parses. */
function isChecked(line: string): boolean {
  const [, target] = /^make ([a-z-]+)/.exec(line) ?? [];
  const [, script = ""] = /^npm run (\S+)/.exec(line) ?? [];
  return /^(?:#|stackyard [a-z])/.test(line) || targets.has(target) || Object.hasOwn(scripts, script);
}

const linesOf = (text: string): string[] =>
  text
    .replace(/\\\n/g, " ")
    .split("\n")
    .map((line) => line.trim().replace(/^\$ /, ""))
    .filter((line) => line !== "");

/** Whether something checks a block, by its language. pages.test.ts decodes stack files and parses our commands. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  sh: (text) => linesOf(text).every(isChecked),
  json: (text) => [JSON.parse(`[${text.trim().replaceAll("}\n{", "},{")}]`)].length === 1,
  yaml: (text) => {
    if (/^config:$/m.test(text)) return true;
    const value = load(text) as object;
    return Object.keys(value).every((key) => key.startsWith("stackyard:")) && validate({ config: value });
  },
};

/** Output, or a block that is marked as `unchecked`. */
const isMarked = ({ language, mark }: Block): boolean => language === "text" || mark === "unchecked";

const isRun = (page: string, { language, text }: Block): boolean =>
  `${page} ${language}` in RUN || (CHECKS[language]?.(text) ?? false);

describe("the code blocks of the documentation", () => {
  for (const page of pages()) {
    it(`are run or checked by a test, or marked: ${page}`, () => {
      const others = blocksOf(page).filter((block) => !isMarked(block) && !isRun(page, block));
      assert.deepEqual(others, [], "mark them as text if they are output, else as unchecked");
    });
  }

  it("are read by the tests that run them", () => {
    for (const [block, test] of Object.entries(RUN)) {
      const [page = ""] = block.split(" ");
      assert.match(read(test), new RegExp(page.split("/").at(-1)!), test);
    }
  });

  it("are marked as unchecked only if nothing checks them", () => {
    const needless = pages().flatMap((page) =>
      blocksOf(page)
        .filter((block) => block.mark === "unchecked" && isRun(page, block))
        .map(({ text }) => `${page}: ${text}`),
    );
    assert.deepEqual(needless, []);
  });
});
