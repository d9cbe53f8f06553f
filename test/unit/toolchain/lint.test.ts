import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parse } from "jsonc-parser";
import { projectRoot } from "../../../toolchain/root";
import { VIOLATIONS } from "./lintViolations";

interface Report {
  readonly diagnostics: readonly { readonly code?: string; readonly filename: string }[];
}

describe("the lint rules", () => {
  const root = projectRoot();
  const config = path.join(root, ".oxlintrc.jsonc");
  let folder: string;

  /** Rules that reported something, by file. A sorted list, in which a rule appears once. */
  async function reported(files: Readonly<Record<string, string>>): Promise<Record<string, string[]>> {
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), `${text}\n`);
    const printed = await new Promise<string>((resolve) =>
      execFile(
        process.execPath,
        [path.join(root, "node_modules", "oxlint", "bin", "oxlint"), "-c", config, "-f", "json", folder],
        { cwd: root, maxBuffer: 1e8 },
        // It fails when it reports something; what it could not do is no JSON.
        (_, stdout, stderr) => resolve(stdout || stderr),
      ),
    );
    const rules: Record<string, Set<string>> = {};
    for (const { code = "no rule", filename } of (JSON.parse(printed) as Report).diagnostics)
      (rules[path.basename(filename)] ??= new Set()).add(
        code.replace(/^(?:eslint\()?(.*?)\)?$/, "$1").replace("(", "/"),
      );
    return Object.fromEntries(Object.entries(rules).map(([name, found]) => [name, [...found].toSorted()]));
  }

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-lint-")));
    const compilerOptions = { target: "es2023", lib: ["es2024"], types: [], strict: true };
    fs.writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it("each report a violation", async () => {
    const { rules } = parse(fs.readFileSync(config, "utf8"), [], { allowTrailingComma: true }) as { rules: object };
    assert.deepEqual(Object.keys(rules).toSorted(), Object.keys(VIOLATIONS).toSorted());
    const files = Object.fromEntries(Object.entries(VIOLATIONS).map(([rule, text]) => [fileOf(rule), text]));
    const found = await reported(files);
    for (const rule of Object.keys(rules))
      assert.ok(
        found[fileOf(rule)]?.includes(rule),
        `${rule} reports nothing; others: ${found[fileOf(rule)]?.join(", ")}`,
      );
  });

  it("report unused names that begin with an underscore, and directives that disable nothing", async () => {
    const found = await reported({
      "variable.ts": "const _a = 1; export {};",
      "argument.ts": "export const a = (_b: number): number => 1;",
      "error.ts": "export const a = (): number => { try { return 1; } catch (_error) { return 2; } };",
      "directive.ts": "// eslint-disable-next-line @typescript-eslint/no-explicit-any\nexport const a = 1;",
    });
    const unused = ["no-unused-vars"];
    assert.deepEqual(found, {
      "variable.ts": unused,
      "argument.ts": unused,
      "error.ts": unused,
      "directive.ts": ["no rule"],
    });
  });

  it("accept zod as a namespace, and code that a directive allows", async () => {
    const found = await reported({
      "zod.ts": 'import * as z from "zod"; export const a: unknown = z;',
      "disabled.ts":
        "// eslint-disable-next-line @typescript-eslint/no-explicit-any -- rendered\nexport const a = (b: any): unknown => b;",
    });
    assert.deepEqual(found, {});
  });
});

function fileOf(rule: string): string {
  return `${rule.replace("/", "-")}.ts`;
}
