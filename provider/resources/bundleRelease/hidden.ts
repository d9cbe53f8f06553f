/** Keeps what is secret of a release's values out of all that it says. */

import type { Context } from "../../../foundation/pulumi/resource";
import type { ReleaseInputs } from "./inputs";

const SHOWN = "[secret]";

/** Shorter ones are in everything: they are hidden where they stand alone. */
const LONG = 4;

/** Every text that must not be seen; with what Secrets and manifests make of it. */
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

/** Says the same without what is secret. */
export function hiding(...releases: readonly Holder[]): (text: string) => string {
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

/** Does the work with a context, and with errors, that say nothing secret. */
export async function hidden<T>(
  context: Context,
  releases: readonly Holder[],
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const hide = hiding(...releases);
  try {
    return await work({ ...context, log: (severity, message) => context.log(severity, hide(message)) });
  } catch (error) {
    if (error instanceof Error) error.message = hide(error.message);
    throw error;
  }
}
