/** Converts errors of Helm to faults in the chart's files. */

import type { BundleFault } from "../../errors";
import { CHART_FILE } from "./chart";
import { SCHEMA_FILE } from "./schemas";

/** Prefixes that other layers add to the message. */
const AROUND =
  /^(failed to generate YAML for specified Helm chart|failed to create chart from template|failed to load chart from temp directory|failed to decode YAML for specified Helm chart): /;

export function helmFaults(message: string): BundleFault[] {
  let text = message.trim();
  while (AROUND.test(text)) text = text.replace(AROUND, "");
  const schema = /^values don't meet the specifications of the schema\(s\) in the following chart\(s\):\n/.exec(text);
  return schema ? ofSchemas(text.slice(schema[0].length)) : [ofTemplates(text)];
}

/** Removes the chart's name: `demo/charts/redis/templates/a.yaml` becomes `charts/redis/templates/a.yaml`. */
const inChart = (name: string): string => name.slice(name.indexOf("/") + 1);

function ofTemplates(text: string): BundleFault {
  const said = /^(?:parse|execution) error at \(([^():]+):(\d+)(?::\d+)?\): (.*)$/s.exec(text);
  if (said) return { file: inChart(said[1] ?? ""), line: Number(said[2]), what: said[3] ?? "" };
  const yaml = /^YAML parse error on ([^:]+): (.*)$/s.exec(text);
  if (yaml) {
    const why = (yaml[2] ?? "").replace(/^error (converting YAML to JSON|unmarshaling JSON): /, "");
    return { file: inChart(yaml[1] ?? ""), what: `what it renders to is no object in YAML: ${why}` };
  }
  // The last template is the innermost include, in which the error occurred.
  const places = [...text.matchAll(/template: ([^:\s]+\/[^:\s]+):(\d+)(?::\d+)?: /g)];
  const inner = places.at(-1);
  if (!inner) return { file: CHART_FILE, what: text };
  return { file: inChart(inner[1] ?? ""), line: Number(inner[2]), what: text.slice(inner.index + inner[0].length) };
}

/** Parses blocks of `chart:` with its faults, each `- at '/path': …`. */
function ofSchemas(text: string): BundleFault[] {
  let file = SCHEMA_FILE;
  let isFirst = true;
  const faults: BundleFault[] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, chart] = /^([^\s:]+):$/.exec(line) ?? [];
    if (chart === undefined) {
      const what = line.trim().replace(/^- at '([^']*)'/, (_, at: string) => `values${at.replaceAll("/", ".")}`);
      faults.push({ file, what });
    } else if (!isFirst || faults.length > 0) file = `charts/${chart}/${SCHEMA_FILE}`;
    isFirst = false;
  }
  return faults;
}
