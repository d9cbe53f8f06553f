/** What a resource is, said once: its check, the secrets in its state and the package schema follow from this. */

type Property = Readonly<Record<string, unknown>>;

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
}

/** Top-level properties that the engine has to keep encrypted wherever they come from. */
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
  inputProperties: { ...inputs, ...deprecated(inputs, former) },
  // A program may still use the former name instead.
  requiredInputs: required.filter((name) => !Object.values(former).includes(name)),
  properties: { ...inputs, ...outputs },
  required: [...required, ...Object.keys(outputs).filter((name) => !optional.includes(name))],
});

const deprecated = (inputs: ResourceSchema["inputs"], former: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(former).map(([was, name]) => [
      was,
      { ...inputs[name], description: `Former name of ${name}.`, deprecationMessage: `Use ${name}.` },
    ]),
  );
