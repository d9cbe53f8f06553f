import { InvalidArgumentError } from "commander";
import { isLabel } from "../../kubernetes/objects/names";

/** Parses a whole number from 1. */
export function positive(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError("Expected a whole number from 1.");
  }
  return value;
}

/** Parses a whole number from 0. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError("Expected a whole number from 0.");
  }
  return value;
}

/** Parses a number; the schema checks its range. */
export function number(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError("Expected a number.");
  return value;
}

/** Parses a text that is not empty. */
export function filled(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("Expected a text that is not empty.");
  return text;
}

/** Parses a Kubernetes version and completes it: `v1.36.0` for `1.36`. */
export function kubeVersion(text: string): string {
  const [, minor, patch = "0"] = /^v?1\.(\d{1,3})(?:\.(\d{1,3})\S*)?$/.exec(text) ?? [];
  if (minor === undefined) throw new InvalidArgumentError("Expected a version of Kubernetes, such as 1.36.");
  return `v1.${Number(minor)}.${Number(patch)}`;
}

/** Parses the name of a namespace, or another name of one label, which becomes part of an API path. */
export function label(text: string): string {
  if (!isLabel(text)) {
    throw new InvalidArgumentError("Expected a legal name: a-z, 0-9 and inner -, 63 characters at most.");
  }
  return text;
}

/** Adds one `key=value` to the previous ones; `key=` removes an annotation. */
export function keyValue(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Expected key=value, or key= to remove the annotation.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Collects the values of a repeated option. */
export const repeated = (text: string, before: readonly string[] = []): string[] => [...before, filled(text)];

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/**
 * Parses a duration such as `90s`, `30m` or `8h`, from ten minutes to a day: Gardener's limits for credentials. Returns
 * seconds.
 */
export function lifetime(text: string): number {
  const [, amount = "", unit = ""] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(amount) * (UNITS[unit] ?? 0);
  if (seconds < 600 || seconds > 86_400) throw new InvalidArgumentError("Expected 10m to 24h, such as 30m or 8h.");
  return seconds;
}
