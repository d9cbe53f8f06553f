/**
 * The declaration of a resource. Its check, the secrets in its state, the package schema and the class are derived from
 * this.
 */

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
