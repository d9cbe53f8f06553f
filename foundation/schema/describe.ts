import type { Path } from "./faults";

const LONGEST = 80;

/** Names of fields that probably hold a secret, where no schema knows them: in Helm values and Kubernetes objects. */
export const FOREIGN_SECRET =
  /pass(word|phrase|wd)|secret|token|credential|private|api[-_]?key|access_?key|kubeconfig|docker_?config/i;

/** The value at `path`; undefined if there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as Record<string | number, unknown>)[step];
  }, root);
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
