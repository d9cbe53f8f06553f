import { scalarText } from "../../../foundation/json/scalars";
import { isUnchanged, type Result } from "../../../engine/runtime/result";
import { operationText } from "../../service/text";
import type { RunResult } from "../target/target";
import { bytes, seconds } from "../../../foundation/text/numbers";
import type { Colours } from "../../terminal/colours";

/** `2 CPU, 8 GB memory, 80 GiB disk`. */
export function size(outputs: Readonly<Record<string, unknown>>): string {
  const { cpu, memoryGb, storageBytes, cluster } = outputs;
  // A Gardener cluster only has values that Gardener reports: those of its machines, and of requested disks.
  const isKnown = (amount: unknown): amount is number => typeof amount === "number" && (!cluster || amount > 0);
  return [
    isKnown(cpu) ? `${cpu} CPU` : "",
    isKnown(memoryGb) ? `${memoryGb} GB memory` : "",
    isKnown(storageBytes) ? `${bytes(storageBytes)} disk` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** Formats outputs as lines of name and value, most important first. */
export function outputLines(outputs: Readonly<Record<string, unknown>>): string[] {
  const rows: [string, string][] = [
    ["host", scalarText(outputs.host)],
    ["audience", scalarText(outputs.audienceUrl)],
    ["provisioner", scalarText(outputs.provisioner)],
    ["size", size(outputs)],
    ["data", scalarText(outputs.dataDir)],
  ];
  return rows.filter(([, value]) => value !== "").map(([name, value]) => `  ${name.padEnd(11)}  ${value}`);
}

/** The headline of a successful operation, such as `acme is ready (0.8 s)`, or of one that has only begun. */
export function headline(result: RunResult, done: string, colours: Colours): string {
  if (result.operation) return operationText(result.operation, colours);
  const unchanged = isUnchanged(result) ? `${done}, nothing changed` : done;
  return `${colours.good(colours.bold(result.id))} ${unchanged} ${colours.dim(`(${seconds(result.milliseconds)})`)}`;
}

/** Formats a failed operation: its runtime, then each reason indented. */
export function failureText(result: Pick<Result, "id" | "errors">, verb: string, colours: Colours): string {
  const reasons = result.errors.map((reason) => `  ${reason.replace(/\n/g, "\n  ")}`);
  return [`${colours.bad(colours.bold(result.id))} could not be ${verb}:`, ...reasons].join("\n");
}

/** Lists what a deletion kept in the cluster: the stack is gone, but the runtime is not. */
export function remainingText({ id, remaining = [] }: Pick<Result, "id" | "remaining">, colours: Colours): string {
  const lines = remaining.map((reason) => `  ${reason}`);
  const again = `Their owner can destroy them. If its stack is lost, take them over: stackyard runtime adopt ${id}`;
  return [`${colours.bad(colours.bold(id))} is destroyed, but objects of another owner remain:`, ...lines, again].join(
    "\n",
  );
}
