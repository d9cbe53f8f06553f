/** What the package schema says of a SlotAllocation. */

import { count, flag, ledgerUrl, once, record, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "Slots of one pool taken for one deployment.",
  inputs: {
    ledgerUrl,
    pool: once(text("Pool to take from.")),
    deployment: once(text("Deployment that the slots are for.")),
    slots: count("Number of slots, 1 or more."),
    allowMove: flag(
      "Whether it may move to another host: a change that does not fit, or all of it off a drained host. Default: false.",
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
