/** What a resource is, said once: its check, the secrets in its state, the package schema and the class follow from this. */

/** As in the package schema, and what only the generated class needs. */
export interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly items?: Property;
  readonly additionalProperties?: Property;
  readonly $ref?: string;
  readonly secret?: boolean;
  /** Known when the program runs: no input of the class. */
  readonly plain?: boolean;
  readonly willReplaceOnChanges?: boolean;
  /** Not in the package schema. */
  readonly class?: {
    /** Name of a type that is written manually. */
    readonly type?: string;
    /** An output that the class does not have. */
    readonly hidden?: boolean;
    /** An input that the class has as an output too. */
    readonly exposed?: boolean;
    /** An output that programs may rely on, although states may lack it. */
    readonly always?: boolean;
    /** An output that is null if there is none. */
    readonly nullable?: boolean;
  };
}

/** A type of the package, for objects within inputs. */
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
  /** Names that inputs had before, with their present ones. */
  readonly former?: Readonly<Record<string, string>>;
  /** What the state has besides the inputs. */
  readonly outputs?: Readonly<Record<string, Property>>;
  /** Outputs that a state may lack. */
  readonly optional?: readonly string[];
  /** Types of objects within its inputs, by name. */
  readonly types?: Readonly<Record<string, TypeSchema>>;
}

/** Top-level properties that the engine must keep encrypted wherever they come from. */
export const secretsOf = ({ inputs, outputs = {} }: ResourceSchema): string[] =>
  Object.entries({ ...inputs, ...outputs }).flatMap(([name, { secret }]) => (secret === true ? name : []));

/** Inputs that a check accepts. */
export const inputsOf = ({ inputs }: ResourceSchema): string[] => Object.keys(inputs);

/** The resource as the package schema has it. */
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

/** A type as the package schema has it. */
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
