import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { Context } from "../../../cli/context";
import { program } from "../../../cli/program";
import { schema } from "../../../provider/packageSchema";
import { projectRoot } from "../../../toolchain/root";
import { codeText } from "../../fixtures/codeTerms";
import { pages, pageText } from "../../fixtures/pages";
import { retiredForUsers, retiredTerms } from "../../fixtures/terms";

/** Lines that keep a retired word, and why. */
const ALLOWED: readonly (readonly [RegExp, string])[] = [
  [/misfits/, "a name that configs may still have"],
  [
    /^ {2}wish: JSON!|`wish` stays|\bwish\b.*values|set wish =|^(?:wish|#)$/,
    "names that the database and the API still have",
  ],
];

const check = (text: string): void => {
  const lines = text.split("\n").filter((line) => !ALLOWED.some(([allowed]) => allowed.test(line)));
  assert.deepEqual(retiredForUsers(lines.join("\n")), []);
};

/** Help of a command and of all below it. */
const helpOf = (command: Command): string[] => [command.helpInformation(), ...command.commands.flatMap(helpOf)];

/** Every description in a JSON document, at any depth. */
function descriptionsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === "description" && typeof inner === "string" ? [inner] : descriptionsIn(inner),
  );
}

describe("the terms of user-facing text", () => {
  for (const page of [...pages(), "CONTRIBUTING.md", "SECURITY.md"]) {
    it(`are those of Pulumi, Kubernetes and AWS in ${page}`, () => check(pageText(page)));
  }

  it("are used in the help of every command", () => {
    const help = helpOf(program({} as Context));
    assert.ok(help.length > 50);
    check(help.join("\n"));
  });

  for (const file of ["stackyard.schema.json", "runtime/stackyard-runtime.schema.json"]) {
    it(`are used in the descriptions of ${file}`, () => {
      const descriptions = descriptionsIn(JSON.parse(readFileSync(join(projectRoot(), file), "utf8")));
      assert.ok(descriptions.length > 5);
      check(descriptions.join("\n"));
    });
  }

  it("are used in the schemas of the service's API", () => {
    for (const file of ["service/api/schema.graphql", "service/api/runtimes/schema.graphql"]) {
      check(readFileSync(join(projectRoot(), file), "utf8"));
    }
  });

  it("are used in the help of make", () => {
    const help = readFileSync(join(projectRoot(), "Makefile"), "utf8").match(/## .*/g) ?? [];
    assert.ok(help.length > 10);
    check(help.join("\n"));
  });

  it("are used in the descriptions of the provider's resources", () => {
    const descriptions = descriptionsIn(JSON.parse(schema));
    assert.ok(descriptions.length > 50);
    check(descriptions.join("\n"));
  });

  it("replace retired terms, which the check rejects", () => {
    const old = [
      "It tells the reason.",
      "The set is brought up.",
      "Without it, the key is left out.",
      "A cluster half made",
    ];
    assert.deepEqual(
      old.map((text) => retiredTerms(text).length),
      [1, 1, 1, 1],
    );
    assert.equal(retiredForUsers("Nobody can read it.").length, 1);
  });
});

/** Files whose texts are those of others, or the terms themselves. */
const FOREIGN = [/^test\/fixtures\/(?:codeTerms|terms)\.ts$/, /^test\/unit\/docs\/terms\.test\.ts$/, /\.types\.ts$/];

const files = execFileSync("git", ["ls-files", "*.ts"], { cwd: projectRoot(), encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => !FOREIGN.some((foreign) => foreign.test(file)))
  .filter((file) => existsSync(join(projectRoot(), file)));

describe("the terms of the code", () => {
  it("are those of the documentation in names, comments and texts", () => {
    assert.ok(files.length > 500);
    const found = files.flatMap((file) => {
      const { names, prose } = codeText(file, readFileSync(join(projectRoot(), file), "utf8"));
      const lines = prose.split("\n").filter((line) => !ALLOWED.some(([allowed]) => allowed.test(line)));
      return [...names, ...retiredTerms(lines.join("\n"))].map((each) => `${file}: ${each}`);
    });
    assert.deepEqual(found, []);
  });

  it("replace retired terms, which the check rejects in a name, a comment or a text", () => {
    const { names, prose } = codeText(
      "a.ts",
      '/** Tells it. */ const isTurnedOff = 1, MOST_TOLD = "is made anew"; tell();',
    );
    assert.deepEqual(names, ["isTurnedOff", "MOST_TOLD"]);
    assert.equal(retiredTerms(prose).length, 2);
  });

  it("allow other words that contain a retired term", () => {
    assert.deepEqual(codeText("a.ts", "const recommended = 1, intellect = 2, leftTop = 3;").names, []);
  });
});
