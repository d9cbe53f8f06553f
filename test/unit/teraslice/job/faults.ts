import assert from "node:assert/strict";
import { renderPath } from "../../../../foundation/schema/faults";
import { jobFaults } from "../../../../components/teraslice/job/validate";
import { settingsOf } from "../samples";
import { LEAST } from "./samples";

/** All faults of the least job with other fields, `warning: path: …` where it is one. */
export function linesOf(job: object, ...settings: Parameters<typeof settingsOf>): string[] {
  return jobFaults({ ...LEAST, ...job }, settingsOf(...settings)).map(
    ({ level, path, message }) => `${level === "error" ? "" : `${level}: `}${renderPath(path)}: ${message}`,
  );
}

/** The one fault of that job. */
export function fault(expected: RegExp, ...args: Parameters<typeof linesOf>): void {
  const lines = linesOf(...args);
  assert.equal(lines.length, 1, lines.join("\n"));
  assert.match(lines[0] ?? "", expected);
}
/** No fault at all. */
export const fine = (...args: Parameters<typeof linesOf>): void => assert.deepEqual(linesOf(...args), []);
