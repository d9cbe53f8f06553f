/** Hides the secret values of a release in all output. */

import type { Context } from "../../../foundation/pulumi/resource";
import type { ReleaseInputs } from "./inputs";

const SHOWN = "[secret]";

/** Shorter secrets occur by chance, so they are hidden only as whole words. */
const LONG = 4;

/** Returns all texts to hide, including their encodings in Secrets and manifests. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value, ...value.split("\n")];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const forms = (text: string): string[] => [
  text,
  JSON.stringify(text).slice(1, -1),
  Buffer.from(text).toString("base64"),
  encodeURIComponent(text),
];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

type Holder = Pick<ReleaseInputs, "secretValues"> | undefined;

/** Returns a function that hides the secrets in a text. */
export function secretMask(...releases: readonly Holder[]): (text: string) => string {
  const all = releases.flatMap((release) => textsOf(release?.secretValues));
  const texts = new Set(all.map((text) => text.trim()).filter((text) => text !== ""));
  if (texts.size === 0) return (text) => text;
  const shapes = [...new Set([...texts].flatMap(forms))].sort((a, b) => b.length - a.length);
  const patterns = shapes.map((text) =>
    text.length >= LONG ? escaped(text) : `(?<![\\w.-])${escaped(text)}(?![\\w.-])`,
  );
  const pattern = new RegExp(patterns.join("|"), "g");
  return (text) => text.replace(pattern, SHOWN);
}

/** Runs work with a context whose log hides secrets, and hides them in errors. */
export async function withSecretsMasked<T>(
  context: Context,
  releases: readonly Holder[],
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const hide = secretMask(...releases);
  try {
    return await work({ ...context, log: (severity, message) => context.log(severity, hide(message)) });
  } catch (error) {
    if (error instanceof Error) error.message = hide(error.message);
    throw error;
  }
}
