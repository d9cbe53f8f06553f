import type { Field } from "./fields";

/** One variable of the environment. */
export interface Variable<T = unknown> {
  readonly field: Field<T>;
  /** Value of an empty or missing variable. Without a fallback, the variable is optional. */
  readonly fallback?: string;
  readonly description: string;
  /** Its value is never shown. */
  readonly secret?: boolean;
  /** Describes the fallback in the docs, where its text alone is not enough. */
  readonly fallbackDescription?: string;
}

export const given = <T>(
  field: Field<T>,
  fallback: string,
  description: string,
  more: Pick<Variable, "secret" | "fallbackDescription"> = {},
) => ({ field, fallback, description, ...more });

export const optional = <T>(field: Field<T>, description: string, secret = false) => ({ field, description, secret });
