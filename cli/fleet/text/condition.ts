import type { SetCondition } from "../../../engine/runtime/contents";
import type { ObjectStatus } from "../../../kubernetes/ready/status";
import type { Colours } from "../../terminal/colours";
import { restoredBy } from "./problems";

function sign(state: ObjectStatus["state"], colours: Colours): string {
  if (state === "ready") return colours.good("✓");
  return state === "waiting" ? colours.warn("…") : colours.bad("✗");
}

/** One line per object, followed by its pods, claims and problems. */
export function conditionLines(condition: SetCondition, id: string, colours: Colours): string[] {
  if ("elsewhere" in condition) return [`  ${colours.bad("✗")} ${condition.elsewhere}`];
  if ("unknown" in condition) return [`  ${colours.bad("?")} the cluster did not answer: ${condition.unknown}`];
  const lines = condition.objects.flatMap(({ object, state, detail, lines: more }) => {
    return [`  ${sign(state, colours)} ${object}  ${colours.dim(detail)}`, ...more.map((line) => `      ${line}`)];
  });
  return [...lines, ...restoredBy(condition.objects, id)];
}
