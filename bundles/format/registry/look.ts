/** Reads third-party objects field by field. */

import type { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { at, isList } from "../../../kubernetes/objects/objects";
import { isObject, type Json } from "../../../foundation/json/isObject";

/** A field of the wrong type is a fault, and is treated as missing. */
export class Look {
  constructor(
    readonly object: unknown,
    readonly check: InputCheck,
    /** Path of the object itself. */
    private readonly base = "",
  ) {}

  #at = (path: string): unknown => at(this.object, ...path.split(".")) ?? undefined;
  #full = (path: string): string => (this.base === "" ? path : `${this.base}.${path}`);

  list(path: string): readonly unknown[] {
    const found = this.#at(path);
    if (found === undefined || isList(found)) return found ?? [];
    this.check.fail(this.#full(path), found, "a list");
    return [];
  }

  /** Returns the objects in a list, with their full paths. */
  objects(path: string): { readonly path: string; readonly json: Json }[] {
    return this.list(path).flatMap((json, index) => {
      const own = `${this.#full(path)}[${index}]`;
      if (isObject(json)) return [{ path: own, json }];
      this.check.fail(own, json, "an object");
      return [];
    });
  }
}
