/** Formats the values that a rule found. */

import type { KubeObject } from "../../kubernetes/objects/objects";

const LONGEST = 200;

/** Empty texts are omitted, and the content of a Secret is hidden. */
export function shownText({ kind }: Pick<KubeObject, "kind">, text: string): string {
  if (text === "") return "nothing";
  if (kind === "Secret") return "something (hidden)";
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
