import assert from "node:assert/strict";
import { Failure, UsageError } from "../../../foundation/errors";
import { report } from "../../../cli/report";
import { colours } from "../../../cli/terminal/colours";
import { Live } from "../../../cli/terminal/live";

/** Exit code and words for something thrown. */
function reported(error: unknown): { code: number; text: string } {
  let text = "";
  const stream = { write: (more: string) => (text += more) } as unknown as NodeJS.WriteStream;
  const code = report(error, { colours: colours(false), live: new Live(stream, false) });
  return { code, text };
}

describe("an error of a command", () => {
  it("is printed as its message only", () => {
    assert.deepEqual(reported(new Failure("it is not there")), { code: 1, text: "error: it is not there\n" });
    assert.deepEqual(reported(new UsageError("expected a name")), { code: 2, text: "error: expected a name\n" });
    assert.deepEqual(reported(new Error("refused")), { code: 1, text: "error: refused\n" });
  });

  it("lists the errors of all addresses of a host", () => {
    const { text } = reported(new AggregateError([new Error("refused by ::1"), new Error("refused by 127.0.0.1")]));
    assert.equal(text, "error: refused by ::1; refused by 127.0.0.1\n");
  });

  it("is one line with a hint to STACKYARD_TRACE if it is unexpected", () => {
    const { code, text } = reported(new TypeError("Cannot read properties of undefined\n    at somewhere"));
    assert.equal(code, 1);
    assert.equal(text.trimEnd().split("\n").length, 1);
    assert.match(text, /unexpected error: Cannot read properties of undefined\. .*STACKYARD_TRACE=1/);
  });

  it("has its stack trace on request", () => {
    process.env["STACKYARD_TRACE"] = "1";
    try {
      assert.match(reported(new TypeError("odd")).text, /\n\s+at .*report\.test/);
    } finally {
      delete process.env["STACKYARD_TRACE"];
    }
  });
});
