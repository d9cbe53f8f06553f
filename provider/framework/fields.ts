/** Properties of the package schema. */

export const text = (description: string) => ({ type: "string", description });
export const count = (description: string) => ({ type: "integer", description });
export const flag = (description: string) => ({ type: "boolean", description });
export const secret = (description: string) => ({ ...text(description), secret: true });

export const ANY_OBJECT = { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } };

/** A change of it replaces the resource. */
export const once = <T extends object>(property: T) => ({ ...property, willReplaceOnChanges: true });

/** Of a resource whose failure may stop no other, see contained.ts. */
export const outcome = {
  ...ANY_OBJECT,
  description:
    "Given, a failure stops no other resource, and the output says how it went: failure, because, settledAt.",
};

export const kept = {
  ...ANY_OBJECT,
  secret: true,
  description: "While the last update was refused as a whole: the inputs of before.",
};

export const record = { ...ANY_OBJECT, description: "Kept in the state with the resource; applied nowhere." };

export const ledgerUrl = secret("PostgreSQL URL of the ledger.");
