/** What the package schema says of a SlotAllocation. */

import { count, flag, ledgerUrl, once, record, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "Slots of one pool taken for one deployment. The host is sticky.",
  inputs: {
    ledgerUrl,
    pool: once(
      text("Pool to take from: `<platform stack>/<provisioner>`. Changing it replaces the allocation, new one first."),
    ),
    deployment: once(text("Deployment that the slots are for. Changing it replaces the allocation.")),
    slots: count("Number of slots, 1 or more. A change is made in place where the host has room."),
    allowMove: flag(
      "Whether it may move to another host, where its own has no room for a change or is drained. Default: false.",
    ),
    record,
  },
  required: ["ledgerUrl", "pool", "deployment", "slots"],
  outputs: {
    host: text("URL of the runtime that was chosen."),
    audienceUrl: text("Audience (JWT) of that runtime."),
    dataDir: text("Directory for data on that runtime."),
  },
} satisfies ResourceSchema;
