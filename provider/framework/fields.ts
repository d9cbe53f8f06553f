/** Helpers for properties of the package schema. */

import type { Property } from "./resourceSchema";

export const textField = (description: string) => ({ type: "string", description }) as const;
export const countField = (description: string) => ({ type: "integer", description }) as const;
export const flagField = (description: string) => ({ type: "boolean", description }) as const;
export const textsField = (description: string) => ({ type: "array", items: { type: "string" }, description }) as const;
export const secret = (description: string) => ({ ...textField(description), secret: true });

export const ANY_OBJECT = { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } } as const;
export const objectField = (description: string) => ({ ...ANY_OBJECT, description });
export const objectsField = (description: string) => ({ type: "array", items: ANY_OBJECT, description }) as const;

/** Marks a property as known when the program runs. */
export const plainField = <T extends object>(property: T) => ({ ...property, plain: true });

/** A list of a type of the package. */
export const listField = (type: string, description: string) =>
  ({ type: "array", items: { $ref: `#/types/stackyard:index:${type}` }, description }) as const;

/** A change of this property replaces the resource. */
export const once = <T extends object>(property: T) => ({ ...property, willReplaceOnChanges: true });

/** Output of resources with contained failures, see contained.ts. */
export const outcome: Property = {
  ...ANY_OBJECT,
  description:
    "If set (`{}`), a failure does not stop other resources; the output of the same name has the result. Default: a failure fails the update.",
  class: { type: "Outcome", exposed: true },
};

export const kept: Property = {
  ...ANY_OBJECT,
  secret: true,
  class: { hidden: true },
  description: "The previous inputs, while the last update was refused as a whole.",
};

export const record = objectField(
  "Stored in the state with the resource and used nowhere else. A change of its member `change` alone does not cause an update.",
);

export const ledgerUrl = secret("PostgreSQL URL of the ledger; a secret.");

const hidden = { class: { hidden: true } };

export const ownerId: Property = {
  ...textField("Id of this resource. The ledger has it in the row, and no other resource changes that row."),
  ...hidden,
};

export const generation: Property = {
  ...countField("Number of the last change. The record of the owner has it too, so that an older state is noticed."),
  ...hidden,
};
