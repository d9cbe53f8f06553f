import assert from "node:assert/strict";
import { join } from "node:path";
import { readSources, sourceFiles } from "../../../toolchain/check/importGraph";
import { roomOf } from "./circles";

const root = join(__dirname, "..", "..", "..");

/** Where a process starts: only there is the backend found, and handed on as a value. */
const STARTS = ["cli/main.ts", "provider/framework/process.ts", "service/main.ts"];

/**
 * The only place that knows the variable; plain JavaScript where a process starts; and the local yard, which writes it for
 * other processes.
 */
const VARIABLE = ["engine/workers/entry.js", "foundation/pulumi/backend.ts", "toolchain/yard/environment.ts"];

/** As a property, an index or a key. Messages may name it. */
const USES = /(?:\.|\[["'])PULUMI_BACKEND_URL\b|(?:^\s*|[{,] )PULUMI_BACKEND_URL\b/m;

const files = readSources(
  root,
  sourceFiles(root).filter((file) => !["test", "bench", "docs"].includes(roomOf(file))),
);
const filesWith = (pattern: RegExp): string[] =>
  [...files].filter(([, text]) => pattern.test(text)).map(([file]) => file);

describe("the variable of the state backend", () => {
  it("is read and written in one place", () => {
    assert.deepEqual(filesWith(USES).sort(), VARIABLE);
  });

  it("is looked up only where a process starts", () => {
    assert.deepEqual(filesWith(/^import .*\bbackendIn\b/m).sort(), STARTS);
  });

  it("is recognized in every syntax", () => {
    const forms = [
      "process.env.PULUMI_BACKEND_URL ??= url;",
      'const url = process.env["PULUMI_BACKEND_URL"];',
      "const { PULUMI_BACKEND_URL: url } = process.env;",
      "  PULUMI_BACKEND_URL: url,",
    ];
    for (const form of forms) assert.match(form, USES);
    assert.doesNotMatch('"correct PULUMI_BACKEND_URL"', USES);
  });
});
