/** Shortens the errors of a master, which contain stack traces and lists of issues in JSON. Pure. */

import { at, listAt, textAt } from "../../../../kubernetes/objects/objects";

/** The issues of an invalid job. */
const ISSUES = /Zod parse error:\s*(\[[\s\S]*\])\s*$/;

/** The text without stack traces, and with a path and a message for each issue. */
export function plainWords(text: string): string {
  const said = text.split(/\n\s+at /, 1)[0] ?? "";
  return said.replace(ISSUES, (all: string, list: string) => sentences(list) ?? all);
}

function sentences(list: string): string | undefined {
  try {
    const issues = listAt({ issues: JSON.parse(list) as unknown }, "issues");
    return issues.map((issue) => `${pathOf(at(issue, "path"))}: ${textAt(issue, "message") ?? ""}`).join("; ");
  } catch {
    return undefined;
  }
}

/** A key with a check of its own appears twice. */
function pathOf(path: unknown): string {
  const steps = Array.isArray(path) ? path.map(String) : [];
  return steps.filter((step, index) => step !== steps[index - 1]).join(".");
}
