/** Random values that a JSON schema permits. */

import * as fc from "fast-check";
import type * as z from "zod";

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Path = readonly string[];

/** Values of a text by the path of its key: what AWS knows, which no schema says. Default: whatever matches the pattern. */
export type Samples = (path: Path) => readonly unknown[] | undefined;

/** Share of optional keys that are set. */
const SET = 0.4;
/** Largest number, and number of items, of a list or object without a smaller maximum. */
const MOST = { number: 40, items: 3 } as const;

export class Values {
  constructor(
    private readonly random: () => number,
    private readonly samples: Samples,
  ) {}

  of(schema: JsonSchema, path: Path = []): unknown {
    const samples = this.samples(path);
    if (samples) return this.pick(samples);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return this.pick(schema.enum);
    if (schema.anyOf) return this.of(this.pick(schema.anyOf), path);
    switch (schema.type) {
      case "boolean":
        return this.random() < 0.5;
      case "integer":
      case "number":
        return this.number(schema);
      case "array":
        return this.list(schema, path);
      case "object":
        return schema.properties ? this.object(schema, path) : this.record(schema, path);
      case "string":
      case "null":
      case undefined:
        return this.text(schema.pattern);
    }
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)]!;
  }

  private number({ type, minimum: least = 0, maximum = MOST.number }: JsonSchema): number {
    const value = least + this.random() * (Math.min(maximum, least + MOST.number) - least);
    return type === "integer" ? Math.floor(value) : Math.round(value * 100) / 100;
  }

  private list({ items, minItems = 0, maxItems = MOST.items }: JsonSchema, path: Path): unknown[] {
    const length = minItems + Math.floor(this.random() * (Math.min(maxItems, MOST.items) - minItems + 1));
    const all = Array.from({ length }, () => this.of(items as JsonSchema, [...path, "*"]));
    return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  }

  private object({ properties = {}, required = [] }: JsonSchema, path: Path): Record<string, unknown> {
    const wanted = Object.entries(properties).filter(
      ([key]) => this.samples([...path, key])?.length !== 0 && (required.includes(key) || this.random() < SET),
    );
    return Object.fromEntries(wanted.map(([key, of]) => [key, this.of(of as JsonSchema, [...path, key])]));
  }

  private record({ propertyNames, additionalProperties }: JsonSchema, path: Path): Record<string, unknown> {
    const length = 1 + Math.floor(this.random() * MOST.items);
    return Object.fromEntries(
      Array.from({ length }, () => {
        const key = String(this.of(propertyNames as JsonSchema, [...path, "key"]));
        return [key, this.of(additionalProperties as JsonSchema, [...path, "*"])];
      }),
    );
  }

  private text(pattern = "^[a-z]{1,8}$"): string {
    const seed = Math.floor(this.random() * 2 ** 31);
    return fc.sample(fc.stringMatching(new RegExp(pattern)), { seed, numRuns: 1 })[0]!;
  }
}
