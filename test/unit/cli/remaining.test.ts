import assert from "node:assert/strict";
import type { Context } from "../../../cli/context";
import { report } from "../../../cli/runtime/text/report";
import { colours } from "../../../cli/terminal/colours";
import { Live } from "../../../cli/terminal/live";
import type { Result } from "../../../engine/runtime/result";
import { isKeptObjectText, keptObjectText } from "../../../kubernetes/remove/keptObjects";

const REF = { apiVersion: "v1", kind: "Service", namespace: "runtimes", name: "acme" };
const RESULT: Result = { id: "acme", ok: true, milliseconds: 800, changes: {}, outputs: {}, errors: [], notes: [] };

/** Exit code and text of a destruction that ended so. */
function reported(result: Result): { code: unknown; text: string } {
  let text = "";
  const stream = { write: (more: string) => (text += more) } as unknown as NodeJS.WriteStream;
  const before = process.exitCode;
  try {
    process.exitCode = undefined;
    report(
      { colours: colours(false), live: new Live(stream, false) } as Context,
      result,
      "is gone",
      "destroyed",
      undefined,
    );
    return { code: process.exitCode, text };
  } finally {
    process.exitCode = before;
  }
}

describe("a destroyed runtime", () => {
  it("is reported as gone if nothing remains", () => {
    const { code, text } = reported(RESULT);
    assert.equal(code, undefined);
    assert.match(text, /^acme is gone/);
  });

  it("is not reported as gone if objects of another owner remain, and the command fails", () => {
    const reason = keptObjectText(
      REF,
      "its annotation stackyard.dev/owner names another owner of set runtimes/runtime-acme",
    );
    assert.ok(isKeptObjectText(reason));
    const { code, text } = reported({ ...RESULT, remaining: [reason] });
    assert.equal(code, 1);
    assert.doesNotMatch(text, /is gone/);
    assert.match(
      text,
      /acme is destroyed, but objects of another owner remain:\n {2}left Service runtimes\/acme alone[^]*: stackyard runtime adopt acme$/m,
    );
  });
});
