/** Parts of OpenAPI schemas for CustomResourceDefinitions. */

export type Schema = Readonly<Record<string, unknown>>;

export const text: Schema = { type: "string", maxLength: 1024 };
export const flag: Schema = { type: "boolean" };
export const whole: Schema = { type: "integer", format: "int32" };
export const long: Schema = { type: "integer", format: "int64" };
export const part: Schema = { type: "number" };
export const time: Schema = { type: "string", format: "date-time" };
/** A number or a percentage. */
export const intOrString: Schema = { "x-kubernetes-int-or-string": true, maxLength: 16 };
/** Any value: only a Gardener extension knows its schema. */
export const anything: Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

export const oneOf = (...values: readonly string[]): Schema => ({ type: "string", enum: values });
export const matching = (pattern: string, maxLength = 253): Schema => ({ type: "string", pattern, maxLength });
export const listOf = (items: Schema, maxItems = 64): Schema => ({ type: "array", items, maxItems });
export const mapOf = (values: Schema): Schema => ({ type: "object", additionalProperties: values });

/** An object with exactly these fields. */
export const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
});

/** A CEL rule and its error message. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
  readonly reason?: string;
}

export const ruled = (schema: Schema, ...rules: readonly Rule[]): Schema => ({
  ...schema,
  "x-kubernetes-validations": [...((schema["x-kubernetes-validations"] as Rule[] | undefined) ?? []), ...rules],
});

export const immutable = (schema: Schema): Schema =>
  ruled(schema, { rule: "self == oldSelf", message: "field is immutable" });

export const withDefault = (schema: Schema, value: unknown): Schema => ({ ...schema, default: value });

export const cidr: Schema = ruled(
  { type: "string", maxLength: 64 },
  { rule: "isCIDR(self)", message: "invalid CIDR address" },
);

export const condition = object(
  {
    type: text,
    status: oneOf("True", "False", "Unknown", "Progressing"),
    lastTransitionTime: time,
    lastUpdateTime: time,
    reason: text,
    message: { type: "string" },
    codes: listOf(text),
  },
  ["type", "status"],
);
