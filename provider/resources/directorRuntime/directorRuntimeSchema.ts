/** Package schema of DirectorRuntime. */

import { directorFields } from "../../director/fields";
import { objectField, once, textField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A runtime registered in a Director, the registry of runtimes of Compass.",
  inputs: {
    ...directorFields,
    tenant: once(directorFields.tenant),
    name: textField(
      "Name of the runtime, unique in the tenant: a-z, 0-9, - and ., at most 36 characters, not starting with a digit.",
    ),
    description: textField("Description of the runtime, at most 2000 characters."),
    labels: objectField("Labels; keys consist of letters, digits and _. Other labels of the runtime are kept."),
    owner: textField(
      "Owner of the runtime, such as organization/stackyard/dev/acme. An existing registration of the same owner is taken over. Optional.",
    ),
  },
  required: ["url", "tokenUrl", "clientId", "clientSecret", "tenant", "name"],
  outputs: { runtimeId: textField("Id of the runtime in the Director.") },
} as const satisfies ResourceSchema;
