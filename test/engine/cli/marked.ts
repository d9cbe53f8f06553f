import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { MARK } from "../../tools/warmPulumi/warmPulumi";

/** A variable by which every process that a command starts can be found, as `[name, value]`. */
export const newMark = (): [string, string] => [MARK, randomBytes(8).toString("hex")];

/** Ids of the processes that have the mark in their environment. */
export function processesWith(mark: readonly [string, string]): string[] {
  const variable = mark.join("=");
  return readdirSync("/proc").filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/environ`, "utf8").split("\0").includes(variable);
    } catch {
      return false; // Ended while we looked.
    }
  });
}
