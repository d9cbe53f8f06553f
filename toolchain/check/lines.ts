/** Prints the lines of TypeScript and JavaScript by top folder, without tests, benchmarks, docs with their examples, and generated files. */

import { projectRoot } from "../root";
import { isGenerated, readSources } from "./importGraph";

const EXCLUDED = /^(test|bench|docs|examples)\//;

const lines = new Map<string, number>();
for (const [file, text] of readSources(projectRoot())) {
  if (EXCLUDED.test(file) || isGenerated(text)) continue;
  const [folder = "", ...below] = file.split("/");
  const top = below.length === 0 ? "." : folder;
  lines.set(top, (lines.get(top) ?? 0) + text.split("\n").length - 1);
}
const total = [...lines.values()].reduce((sum, count) => sum + count, 0);
for (const [name, count] of [...lines].sort(([a], [b]) => a.localeCompare(b)).concat([["total", total]])) {
  console.log(name.padEnd(12), String(count).padStart(7));
}
