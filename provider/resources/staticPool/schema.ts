/** What the package schema says of a StaticPool. */

import { count, flag, ledgerUrl, once, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const poolHost = {
  type: "object",
  description: "One pre-provisioned runtime of a pool.",
  properties: {
    host: text("URL of the runtime; identifies it in the whole ledger."),
    slots: count("How many slots it has."),
    dataDir: text("Directory for data on that host."),
    audienceUrl: text("Audience (JWT) of the runtime."),
    weight: { type: "number", description: "Relative share of load. Default: 1." },
    drain: flag("True keeps what it has and gives it nothing new. Default: false."),
  },
  required: ["host", "slots", "dataDir", "audienceUrl"],
};

export const schema = {
  description: "A pool of slots in the ledger.",
  inputs: {
    ledgerUrl,
    pool: once(text("Name of the pool: <platform stack>/<provisioner>.")),
    hosts: { type: "array", items: { $ref: "#/types/stackyard:index:PoolHost" }, description: "The hosts." },
  },
  required: ["ledgerUrl", "pool", "hosts"],
} satisfies ResourceSchema;
