/** What a rule found, as it is reported. */

import type { KubeObject } from "../../kubernetes/client/objects";

const LONGEST = 200;

/** Empty is nothing. What a Secret holds is not shown. */
export function shown({ kind }: Pick<KubeObject, "kind">, text: string): string {
  if (text === "") return "nothing";
  if (kind === "Secret") return "something (hidden)";
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
