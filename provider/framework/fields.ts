/** Properties of the package schema. */

import type { Property } from "./resourceSchema";

export const text = (description: string) => ({ type: "string", description });
export const count = (description: string) => ({ type: "integer", description });
export const flag = (description: string) => ({ type: "boolean", description });
export const secret = (description: string) => ({ ...text(description), secret: true });

export const ANY_OBJECT = { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } };

/** Known when the program runs. */
export const plain = <T extends object>(property: T) => ({ ...property, plain: true });

/** An array of a type of the package. */
export const listOf = (type: string, description: string) => ({
  type: "array",
  items: { $ref: `#/types/stackyard:index:${type}` },
  description,
});

/** A change of it replaces the resource. */
export const once = <T extends object>(property: T) => ({ ...property, willReplaceOnChanges: true });

/** Of a resource whose failure may stop no other, see contained.ts. */
export const outcome: Property = {
  ...ANY_OBJECT,
  description:
    "Given (`{}`): a failure stops no other resource, and the output of that name says how it went. Default: it fails the update.",
  class: { type: "Outcome", exposed: true },
};

export const kept: Property = {
  ...ANY_OBJECT,
  secret: true,
  class: { hidden: true },
  description: "While the last update was refused as a whole: the inputs of before.",
};

export const record = {
  ...ANY_OBJECT,
  description:
    "Kept in the state with the resource; applied nowhere. Its member `change` never causes an update by itself.",
};

export const ledgerUrl = secret("PostgreSQL URL of the ledger; a secret.");
