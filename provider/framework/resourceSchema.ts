/**
 * The declaration of a resource. Its check, the secrets in its state, the package schema and the class are derived from
 * this.
 */

import { withoutNulls } from "../../foundation/json/withoutUndefined";
import { InputCheck } from "../../foundation/pulumi/inputCheck";
import { UNKNOWN, type InputFailure, type Properties } from "../../foundation/pulumi/resource";

/** As in the package schema, plus options for the generated class. */
export interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly items?: Property;
  readonly additionalProperties?: Property;
  readonly $ref?: string;
  readonly secret?: boolean;
  /** Known when the program runs: a plain value of the class, not an input. */
  readonly plain?: boolean;
  readonly willReplaceOnChanges?: boolean;
  /** Options for the class; not in the package schema. */
  readonly class?: {
    /** Name of a hand-written type. */
    readonly type?: string;
    /** The class does not have this output. */
    readonly hidden?: boolean;
    /** The class has this input as an output, too. */
    readonly exposed?: boolean;
    /** Programs may rely on this output, although states may lack it. */
    readonly always?: boolean;
    /** The output is null if there is none. */
    readonly nullable?: boolean;
  };
}

/** A type of the package, for objects in inputs. */
export interface TypeSchema {
  readonly type: "object";
  readonly description: string;
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

export interface ResourceSchema {
  readonly description: string;
  readonly inputs: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
  /** Current names of inputs, by former name. */
  readonly former?: Readonly<Record<string, string>>;
  /** Properties of the state besides the inputs. */
  readonly outputs?: Readonly<Record<string, Property>>;
  /** Outputs that a state may lack. */
  readonly optional?: readonly string[];
  /** Types of objects in the inputs, by name. */
  readonly types?: Readonly<Record<string, TypeSchema>>;
}

/** The value of a property; unknown if only a type of the package describes it. */
type ValueOf<P> = P extends { readonly type: "string" }
  ? string
  : P extends { readonly type: "integer" | "number" }
    ? number
    : P extends { readonly type: "boolean" }
      ? boolean
      : P extends { readonly type: "array"; readonly items: infer Item }
        ? readonly ValueOf<Item>[]
        : P extends { readonly type: "object"; readonly additionalProperties: infer Value }
          ? Readonly<Record<string, ValueOf<Value>>>
          : unknown;

type Values<I, Known extends keyof I> = { readonly [K in Known]: ValueOf<I[K]> };

/** Inputs that only contained.ts sees. */
type Marks = "outcome" | "blockedBy";

/**
 * Checked inputs of a resource, which the schema describes. `Narrowed`: what it says less exactly; `Defaulted`: optional
 * ones that the check sets.
 */
export type InputsOf<
  S extends ResourceSchema,
  Defaulted extends keyof S["inputs"] = never,
  Narrowed extends object = object,
> = Omit<
  Values<S["inputs"], (S["required"][number] & keyof S["inputs"]) | Defaulted> &
    Partial<Values<S["inputs"], Exclude<keyof S["inputs"], S["required"][number] | Defaulted | Marks>>>,
  keyof Narrowed
> &
  Narrowed;

/** Top-level properties that the engine must encrypt, whatever their source. */
export const secretsOf = ({ inputs, outputs = {} }: ResourceSchema): string[] =>
  Object.entries({ ...inputs, ...outputs }).flatMap(([name, { secret }]) => (secret === true ? name : []));

/** Names of the inputs that a check accepts. */
export const inputsOf = ({ inputs }: ResourceSchema): string[] => Object.keys(inputs);

/** Converts a resource to the package schema. */
export const packaged = ({
  description,
  inputs,
  required,
  former = {},
  outputs = {},
  optional = [],
}: ResourceSchema) => ({
  description,
  inputProperties: packagedAll({ ...inputs, ...deprecated(inputs, former) }),
  // A program may still use the former name instead.
  requiredInputs: required.filter((name) => !Object.values(former).includes(name)),
  properties: packagedAll({ ...inputs, ...outputs }),
  required: [...required, ...Object.keys(outputs).filter((name) => !optional.includes(name))],
});

/** Converts a type to the package schema. */
export const packagedType = ({ properties, ...type }: TypeSchema) => ({ ...type, properties: packagedAll(properties) });

const packagedAll = (properties: Readonly<Record<string, Property>>): Record<string, Property> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      Object.fromEntries(Object.entries(property).filter(([key]) => key !== "class")),
    ]),
  );

const deprecated = (inputs: ResourceSchema["inputs"], former: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(former).map(([was, name]) => [
      was,
      { ...inputs[name], description: `Former name of ${name}.`, deprecationMessage: `Use ${name}.` },
    ]),
  );

// The check of the inputs, which reports every fault with its path. Unknown values pass.

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

export const aboveZero: InputRule = (check, value, _inputs, path) => check.positive(path, value);

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
  number: aboveZero,
};

const ruleOf = ({ type = "" }: Property): InputRule | undefined => BY_TYPE[type];
