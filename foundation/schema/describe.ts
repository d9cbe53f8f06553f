import type { Path } from "./faults";
import { isSecretField } from "./secretFields";

const LONGEST = 80;

/** The value at `path`; undefined if there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as Record<string | number, unknown>)[step];
  }, root);
}

/**
 * Whether the value at `path` may hold a secret. The path of a kubeconfig file is not secret. Any other key beside it
 * might contain the kubeconfig itself by mistake.
 */
export function isSecretPath(path: Path): boolean {
  if (path[0] === "clickhouse" && path.at(-1) === "url") return true;
  if (path[0] === "ledger" || isSecretField(path.at(-1))) return true;
  const kubeconfig = path.lastIndexOf("kubeconfig");
  return kubeconfig >= 0 && path[kubeconfig + 1] !== "path" && path[kubeconfig + 1] !== "inCluster";
}

/** Describes a value for the "found" part of a fault. With `secret`, reports only its kind. */
export function describe(value: unknown, secret: boolean): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object") return Object.keys(value).length === 0 ? "an empty object" : "an object";
  if (secret) return typeof value === "string" ? (value === "" ? "an empty text" : "a text") : `a ${typeof value}`;
  if (typeof value === "string") return quote(value);
  return JSON.stringify(value);
}

function quote(text: string): string {
  // Messages must not contain a password in a URL, or a whole document in place of a name.
  if (/[\n{]/.test(text)) return "a text that looks like a document";
  const masked = text
    .replace(/\/\/[^/@\s]*@/g, "//…@")
    .replace(/^[^/@\s]*:[^/@\s]*@(?!sha\d+:)/, "…@")
    .replace(/([?&][^=&\s]*=)[^&\s]+/g, "$1…");
  return JSON.stringify(masked.length > LONGEST ? `${masked.slice(0, LONGEST)}…` : masked);
}
