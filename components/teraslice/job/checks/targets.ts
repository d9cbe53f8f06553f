import { didYouMean } from "../../../../foundation/text/nearest";
import type { Findings } from "./findings";

const KNOWN = ["key", "value", "constraint"];

/** Checks that a node can match all required targets at once. */
export function checkTargets(findings: Findings): void {
  const { job, settings } = findings;
  const required = new Map<string, { readonly value: string; readonly whose: string }>();
  for (const { key, value } of settings.teraslice.execution_controller_targets ?? []) {
    required.set(key, { value, whose: "teraslice.execution_controller_targets" });
  }
  for (const [index, target] of (job.targets ?? []).entries()) {
    for (const key of Object.keys(target).filter((each) => !KNOWN.includes(each))) {
      const expected = `one of ${KNOWN.join(", ")}`;
      const found = "an unknown key, of which a master takes no notice";
      findings.warning(["targets", index, key], found, expected, didYouMean(key, KNOWN));
    }
    if ((target.constraint ?? "required") !== "required") continue;
    const other = required.get(target.key);
    if (other !== undefined && other.value !== target.value) {
      const expected = `${JSON.stringify(other.value)}, as in ${other.whose}`;
      const hint = "no node has both; to allow either, make them preferred, or use pod_spec_override";
      findings.error(["targets", index, "value"], expected, hint);
    }
    if (other === undefined) required.set(target.key, { value: target.value, whose: `targets[${index}]` });
  }
}
