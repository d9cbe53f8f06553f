import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { nearest } from "../../foundation/text/nearest";
import type { Variable } from "./variable";
import { ALIASES, VARIABLES, type VariableName } from "./variables";
import { isMissing } from "../../foundation/errorCode";

type ValueOf<V> = V extends { readonly field: { readonly _output: infer T } }
  ? V extends { readonly fallback: string }
    ? T
    : T | undefined
  : never;

/** The checked values of all variables. */
export type Values = { readonly [Name in VariableName]: ValueOf<(typeof VARIABLES)[Name]> };

/** All faults of the environment in one error. It contains no secret values. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";

  constructor(
    readonly faults: readonly string[],
    program = "the service",
  ) {
    const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
    super(`The environment has ${count}; ${program} was not started.\n${faults.map((one) => `  - ${one}`).join("\n")}`);
  }
}

export type Env = Readonly<Record<string, string | undefined>>;

/** Reads all variables, for the service. An empty variable counts as missing. Throws one error with all faults. */
export function readEnvironment(env: Env): Values {
  const { values, faults } = readVariables(env, Object.keys(VARIABLES) as VariableName[]);
  const all = [...faults, ...contradictions(values, (name) => textOf(env, name) !== undefined)];
  if (all.length > 0) throw new EnvironmentError(all);
  return values;
}

/** Reads the named variables and returns their faults. Other variables of the environment are not checked. */
export function readVariables<Name extends VariableName>(
  env: Env,
  names: readonly Name[],
): { readonly values: Pick<Values, Name>; readonly faults: readonly string[] } {
  const faults = misspelt(env, names);
  const values = Object.fromEntries(
    names.map((name) => {
      const variable: Variable = VARIABLES[name];
      const text = textOf(env, name) ?? variable.fallback;
      if (text === undefined) return [name, undefined];
      const result = variable.field.safeParse(text);
      if (result.success) return [name, result.data];
      const found = variable.secret === true ? "a value that is not shown" : JSON.stringify(withoutUser(text));
      faults.push(`${name}: found ${found}; expected ${result.error.issues[0]?.message ?? "another value"}`);
      return [name, undefined];
    }),
  ) as Pick<Values, Name>;
  return { values, faults };
}

/** Removes user and password from a URL, for messages. */
const withoutUser = (text: string): string => text.replace(/\/\/[^/]*@/, "//…@");

const textOf = (env: Env, name: VariableName): string | undefined =>
  [name, ...aliasesOf(name)].map((each) => env[each]).find(Boolean);

const aliasesOf = (name: string): string[] => Object.keys(ALIASES).filter((alias) => ALIASES[alias] === name);

/** Returns faults for misspelled names of these variables. Other variables that begin with APP_ may belong to another program. */
function misspelt(env: Env, names: readonly VariableName[]): string[] {
  const known = [...Object.keys(VARIABLES), ...Object.keys(ALIASES)];
  return Object.keys(env)
    .filter((name) => name.startsWith("APP_") && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(
        name.slice(4),
        known.map((each) => each.slice(4)).filter((each) => near(name.slice(4), each)),
      );
      const isOurs = names.some((each) => [each, ...aliasesOf(each)].includes(`APP_${meant}`));
      return isOurs ? [`${name}: found an unknown variable; did you mean APP_${meant}`] : [];
    });
}

/** Many known names differ by a whole word; a typo differs by a letter or two. */
const near = (name: string, known: string): boolean => Math.abs(name.length - known.length) <= 2;

/** Faults of variables together. One with a fault of its own has no value, but is not missing. */
function contradictions(values: Values, isGiven: (name: VariableName) => boolean): string[] {
  const faults: string[] = [];
  if (values.APP_STATIC_TOKENS !== undefined && values.APP_ALLOW_STATIC_TOKENS === false) {
    faults.push(
      "APP_STATIC_TOKENS: found tokens, but static tokens are not allowed; set APP_ALLOW_STATIC_TOKENS=true on a machine for development, or use APP_OIDC_ISSUER",
    );
  }
  if (!isGiven("APP_STATIC_TOKENS") && !isGiven("APP_OIDC_ISSUER")) {
    faults.push(
      "APP_OIDC_ISSUER: found nothing; expected the URL of the issuer of accepted tokens; without it, no caller could be authenticated",
    );
  }
  if (isGiven("APP_WEBHOOK_URL") && !isGiven("APP_WEBHOOK_SECRET")) {
    faults.push("APP_WEBHOOK_SECRET: found nothing; expected a key, because messages to APP_WEBHOOK_URL are signed");
  }
  return faults;
}

/** Merges the process environment over the variables of an `.env` file, which may be missing. */
export function withFile(file: string, env: Env): Record<string, string | undefined> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return { ...env };
    throw new EnvironmentError([`${file}: cannot be read: ${(error as Error).message}`]);
  }
  return { ...parseEnv(text), ...env };
}
