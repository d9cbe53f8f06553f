/** Package schema of SlotAllocation. */

import { countField, flagField, generation, ledgerUrl, once, ownerId, record, textField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "Slots of one pool, allocated to one deployment. The host stays the same across updates.",
  inputs: {
    ledgerUrl,
    pool: once(
      textField(
        "Pool: `<platform stack>/<provisioner>`. Changing it replaces the allocation; the new one is created first.",
      ),
    ),
    deployment: once(textField("Deployment that the slots are for. Changing it replaces the allocation.")),
    slots: countField("Number of slots, 1 or more. A change is made in place if the host has enough free slots."),
    allowMove: flagField(
      "`true`: it may move to another host if its own host has too few free slots or is drained. Default: false.",
    ),
    record,
  },
  required: ["ledgerUrl", "pool", "deployment", "slots"],
  outputs: {
    host: textField("URL of the chosen runtime."),
    audienceUrl: textField("Audience (JWT) of that runtime."),
    dataDir: textField("Directory for data on that runtime."),
    ownerId,
    generation,
  },
  optional: ["ownerId", "generation"],
} as const satisfies ResourceSchema;
