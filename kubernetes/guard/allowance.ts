/** Reads which claims a stack allows to be deleted: the key `stackyard:allowDataLoss` of its config. */

import { jsonOrText } from "../../foundation/json/isObject";
import { textInConfig } from "../../foundation/pulumi/stackConfig";
import { isList } from "../objects/objects";

const KEY = "stackyard:allowDataLoss";
/** The same key in the config of the project's own namespace. */
const SHORT_KEY = "allowDataLoss";
/** `<namespace>/<claim>` or `<namespace>/*`. An entry can't cover several namespaces. */
const ENTRY = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?\/([a-z0-9]([-a-z0-9.]*[a-z0-9])?|\*)$/;

export interface Allowance {
  /** The entries of the config, including invalid ones. */
  readonly entries: readonly unknown[];
  /** Faults in the entries. During a destroy no program runs that would report them. */
  readonly faults: readonly string[];
}

/** A claim or `*`, as in an entry. */
export interface ClaimName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Reads the current config from the provider's environment, also during a destroy. The provider's own configuration
 * would be that of the last update, so a new allowance would require an update first.
 */
export function readAllowance(environment: NodeJS.ProcessEnv = process.env): Allowance {
  const value = jsonOrText(textInConfig(SHORT_KEY, environment) ?? "");
  if (value === "") return { entries: [], faults: [] };
  if (!isList(value)) return { entries: [], faults: [fault(KEY, value, 'a list such as ["jupyterhub/claim-ann"]')] };
  const faults = value.flatMap((entry, index) =>
    isEntry(entry) ? [] : [fault(`${KEY}[${index}]`, entry, "<namespace>/<claim> or <namespace>/*")],
  );
  return { entries: value, faults };
}

export const isLossAllowed = ({ entries }: Allowance, { namespace, name }: ClaimName): boolean =>
  entries.includes(`${namespace}/${name}`) || entries.includes(`${namespace}/*`);

/** The valid entries, split. `*` is every claim of the namespace. */
export const allowedNames = ({ entries }: Allowance): ClaimName[] =>
  entries.filter(isEntry).map((entry) => {
    const [namespace = "", name = ""] = entry.split("/");
    return { namespace, name };
  });

/** The commands that add these entries. */
export function allowCommands({ entries }: Allowance, stack: string | undefined, names: readonly string[]): string[] {
  const flags = stack === undefined ? "" : ` --stack ${stack}`;
  return names.map((name, index) => {
    const quoted = name.includes("*") ? `'${name}'` : name;
    return `pulumi config set${flags} --path '${KEY}[${entries.length + index}]' ${quoted}`;
  });
}

const isEntry = (entry: unknown): entry is string => typeof entry === "string" && ENTRY.test(entry);

const fault = (path: string, found: unknown, expected: string): string =>
  `${path}: found ${JSON.stringify(found)}; expected ${expected}`;
