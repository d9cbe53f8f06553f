import { labelWithHash } from "../../../foundation/text/legalName";
import type { JsonMap } from "./merge";

/** Key of a job's `labels` by which its resource finds it again at the master. */
export const OWNER_LABEL = "stackyard";

const LONGEST = 63;
const HASH_LENGTH = 10;

/** Owner of a job: a legal label, unique for each stack and key. */
export function jobOwner(stack: string, key: string): string {
  const whole = JSON.stringify([stack, key]);
  return labelWithHash({ text: `${stack}-${key}`, whole, hashLength: HASH_LENGTH, longest: LONGEST, empty: "job" });
}

/** The job with the label by which it is found again. */
export const withOwner = (job: JsonMap, owner: string): JsonMap => ({
  ...job,
  labels: { ...(job["labels"] as object | undefined), [OWNER_LABEL]: owner },
});
