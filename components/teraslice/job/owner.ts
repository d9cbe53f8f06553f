import { labelWithHash } from "../../../foundation/text/legalName";
import type { JsonMap } from "./merge";

/** Key in a job's `labels` by which its resource finds it at the master. */
export const OWNER_LABEL = "stackyard";

const LONGEST = 63;
const HASH_LENGTH = 10;

/** Value of that label: legal, and unique for each stack and key. */
export function jobOwner(stack: string, key: string): string {
  const whole = JSON.stringify([stack, key]);
  return labelWithHash({ text: `${stack}-${key}`, whole, hashLength: HASH_LENGTH, longest: LONGEST, empty: "job" });
}

/** Adds the label to a job. */
export const withOwner = (job: JsonMap, owner: string): JsonMap => ({
  ...job,
  labels: { ...(job["labels"] as object | undefined), [OWNER_LABEL]: owner },
});
