/** Checks inputs and collects every fault with its path. Unknown values pass; the update checks them again. */

import { UNKNOWN, type InputFailure, type Properties } from "./resource";

/** Longer values are truncated. */
const MOST_SHOWN = 200;

export class InputCheck {
  readonly failures: InputFailure[] = [];

  /** `secrets`: top-level properties whose values are not printed. */
  constructor(private readonly secrets: readonly string[]) {}

  /** Adds a fault at `path`. `found` is printed as JSON if it is not secret. */
  fail(path: string, found: unknown, expected: string): void {
    let text = found === undefined || found === null ? "nothing" : JSON.stringify(found);
    const [property = ""] = path.split(/[.[]/, 1);
    if (text !== "nothing" && this.secrets.includes(property)) text = "something else (hidden, it is a secret)";
    const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
    this.failures.push({ property: path, reason: `found ${shown}; expected ${expected}` });
  }

  /** Adds a fault for every key that is not in `known`. */
  keys(path: string, object: Properties, known: readonly string[]): void {
    for (const key of Object.keys(object).filter((name) => !known.includes(name) && object[name] !== null)) {
      const property = path === "" ? key : `${path}.${key}`;
      this.failures.push({ property, reason: `found an unknown property; known are ${known.join(", ")}` });
    }
  }

  /** Expects a string that `accepts` returns true for. By default any non-empty string. */
  text(path: string, value: unknown, expected: string, accepts = (text: string) => text !== ""): void {
    if (value === UNKNOWN) return;
    if (typeof value !== "string" || !accepts(value)) this.fail(path, value, expected);
  }

  /** Expects an integer from 1 to the maximum of a PostgreSQL `integer`. */
  count(path: string, value: unknown): void {
    if (value === UNKNOWN) return;
    if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > 2_147_483_647) {
      this.fail(path, value, "a whole number, 1 or more");
    }
  }

  /** Expects a number greater than zero. */
  positive(path: string, value: unknown): void {
    if (value !== UNKNOWN && !(typeof value === "number" && value > 0)) this.fail(path, value, "a number above 0");
  }

  flag(path: string, value: unknown): void {
    if (value !== UNKNOWN && typeof value !== "boolean") this.fail(path, value, "true or false");
  }
}
