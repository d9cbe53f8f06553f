import { isObject } from "../foundation/json/isObject";
/** A resource as a rule sees it: what the program asks for, before anything is made. */
export interface Asked {
  /** Type token, such as `aws:eks/cluster:Cluster`. */
  readonly type: string;
  /** Its name in the program. */
  readonly name: string;
  readonly stack: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** Whether the engine refuses to delete or replace it. */
  readonly isProtected: boolean;
}

/** What is wrong with a resource. */
export interface Finding {
  /** The part of it: an object in a set, a statement in a document. Empty for the resource itself. */
  readonly part: string;
  /** What was found and what is expected instead. */
  readonly message: string;
}

/** One mistake that is stopped. Pure. */
export interface Rule {
  readonly name: string;
  readonly description: string;
  readonly check: (asked: Asked) => Finding[];
}

/** What a resource lacks as a whole. */
export const whole = (message: string): Finding[] => [{ part: "", message }];

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export const recordsOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  listOf(value).filter(isObject);

/** The value at a path of keys; undefined where there is none. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

/** A text or a number as it is reported; `otherwise` for anything else. */
export const textOr = (value: unknown, otherwise: string): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : otherwise;
