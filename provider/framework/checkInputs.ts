/** Checks the inputs of a resource by its schema, and reports every fault with its path. Unknown values pass. */

import { withoutNulls } from "../../foundation/json/withoutUndefined";
import { InputCheck } from "../../foundation/pulumi/inputCheck";
import { UNKNOWN, type InputFailure, type Properties } from "../../foundation/pulumi/resource";
import { inputsOf, secretsOf, type Property, type ResourceSchema } from "./resourceSchema";

/** What a text must be, for errors, and what accepts it. Default: any text that is not empty. */
export type TextRule = readonly [expected: string, accepts?: (text: string) => boolean];

/** Checks a value that is no text, or that depends on other inputs. */
export type InputRule = (check: InputCheck, value: unknown, inputs: Properties, path: string) => void;

/** By name of the input. Flags, counts and other numbers need none. */
export type InputRules = Readonly<Record<string, TextRule | InputRule>>;

export interface CheckedInputs {
  readonly inputs: Properties;
  readonly failures: InputFailure[];
}

export const positive: InputRule = (check, value, _inputs, path) => check.positive(path, value);

/** One of these words. */
export const oneWordOf = (...words: readonly string[]): TextRule => [
  words.length > 2 ? `one of ${words.join(", ")}` : words.join(" or "),
  (text) => words.includes(text),
];

/** Adds the defaults, and checks all inputs that are required or given. `also`: names that the schema does not have. */
export function checkInputs(
  schema: ResourceSchema,
  given: Properties,
  rules: InputRules,
  { defaults = {}, also = [] }: { readonly defaults?: Properties; readonly also?: readonly string[] } = {},
): CheckedInputs {
  const inputs: Properties = { ...defaults, ...withoutNulls(given) };
  const check = new InputCheck(secretsOf(schema));
  check.keys("", inputs, [...inputsOf(schema), ...also]);
  for (const [name, property] of Object.entries(schema.inputs)) {
    const value = inputs[name];
    if (value === UNKNOWN || (value === undefined && !schema.required.includes(name))) continue;
    checkInput(check, name, value, inputs, rules[name] ?? ruleOf(property));
  }
  return { inputs, failures: check.failures };
}

function checkInput(
  check: InputCheck,
  name: string,
  value: unknown,
  inputs: Properties,
  rule: TextRule | InputRule | undefined,
): void {
  if (typeof rule === "function") rule(check, value, inputs, name);
  else if (rule) check.text(name, value, ...rule);
}

const BY_TYPE: Readonly<Record<string, InputRule>> = {
  boolean: (check, value, _inputs, path) => check.flag(path, value),
  integer: (check, value, _inputs, path) => check.count(path, value),
  number: positive,
};

const ruleOf = ({ type = "" }: Property): InputRule | undefined => BY_TYPE[type];
