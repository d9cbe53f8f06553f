/** Namespaces that an operator watches: the supported modes, and the chosen one. */

import { Refused } from "../../../errors";
import type { Csv, Mode } from "../csv";
import { valuesText } from "../values";

export interface WatchScope {
  readonly mode: Mode;
  /** Empty: all namespaces. */
  readonly namespaces: readonly string[];
}

const MEANINGS: Readonly<Record<Mode, string>> = {
  AllNamespaces: "all namespaces (omit watchNamespaces)",
  OwnNamespace: "its own namespace",
  SingleNamespace: "one other namespace",
  MultiNamespace: "several namespaces",
};

/** A conversion webhook serves objects of all namespaces. */
export const supportedModes = ({ modes, webhooks }: Pick<Csv, "modes" | "webhooks">): readonly Mode[] =>
  webhooks.some(({ type }) => type === "ConversionWebhook") ? modes.filter((mode) => mode === "AllNamespaces") : modes;

/** The default mode; undefined if a choice is required. */
const defaultMode = (modes: readonly Mode[]): Mode | undefined =>
  (["AllNamespaces", "OwnNamespace"] as const).find((mode) => modes.includes(mode));

export const modesText = (modes: readonly Mode[]): string =>
  modes.map((mode) => `${mode}, ${MEANINGS[mode]}`).join("; ");

/** Resolves `wanted` for an operator in the namespace `own`. */
export function watchOf(csv: Csv, wanted: readonly string[] | undefined, own: string): WatchScope {
  const modes = supportedModes(csv);
  const refuse = (found: string): never => {
    throw new Refused(
      valuesText([`watchNamespaces: found ${found}; expected what the operator supports: ${modesText(modes)}`]),
    );
  };
  if (wanted === undefined) {
    const mode = defaultMode(modes) ?? refuse("nothing");
    return { mode, namespaces: mode === "OwnNamespace" ? [own] : [] };
  }
  const [mode, found] = modeOf(wanted, own);
  if (!modes.includes(mode)) refuse(found);
  if (wanted.includes(own) && !modes.includes("OwnNamespace")) refuse("its own namespace among others");
  return { mode, namespaces: wanted };
}

function modeOf(wanted: readonly string[], own: string): [Mode, string] {
  if (wanted.length > 1) return ["MultiNamespace", `${wanted.length} namespaces`];
  return wanted[0] === own ? ["OwnNamespace", "its own namespace"] : ["SingleNamespace", "one other namespace"];
}
