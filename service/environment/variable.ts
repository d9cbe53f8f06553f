import type { Field } from "./fields";

/** One variable of the environment. */
export interface Variable<T = unknown> {
  readonly field: Field<T>;
  /** What an empty or missing variable stands for; without one, it is optional. */
  readonly fallback?: string;
  readonly description: string;
  /** Its value is never shown. */
  readonly secret?: boolean;
  /** Says more of the fallback than its text can, for the docs. */
  readonly fallbackDescription?: string;
}

export const given = <T>(
  field: Field<T>,
  fallback: string,
  description: string,
  more: Pick<Variable, "secret" | "fallbackDescription"> = {},
) => ({ field, fallback, description, ...more });

export const optional = <T>(field: Field<T>, description: string, secret = false) => ({ field, description, secret });
