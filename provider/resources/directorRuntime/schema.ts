/** What the package schema says of a DirectorRuntime. */

import { directorFields } from "../../director/fields";
import { ANY_OBJECT, once, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A runtime registered in a Director, which keeps the runtimes of Compass.",
  inputs: {
    ...directorFields,
    tenant: once(directorFields.tenant),
    name: text("Name of the runtime, unique in the tenant: a-z, 0-9, - and ., 36 characters, no digit first."),
    description: text("What it is for. At most 2000 characters."),
    labels: { ...ANY_OBJECT, description: "Labels; keys of letters, digits and _. Others that it has are kept." },
    owner: text(
      "Whose the runtime is, such as organization/stackyard/dev/acme. A registration of the same owner is taken over. Optional.",
    ),
  },
  required: ["url", "tokenUrl", "clientId", "clientSecret", "tenant", "name"],
  outputs: { runtimeId: text("Id that the Director gave it.") },
} satisfies ResourceSchema;
