/** What the package schema says of a StaticPool. */

import { count, flag, ledgerUrl, listOf, once, plain, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A pool of slots in the ledger. Destroying it fails while slots are taken.",
  inputs: {
    ledgerUrl,
    pool: plain(
      once(text("Name of the pool in the ledger: `<platform stack>/<provisioner>`. Changing it replaces the pool.")),
    ),
    hosts: plain(
      listOf(
        "PoolHost",
        "The hosts. Removing one that has deployments, or shrinking it below what is used, is an error.",
      ),
    ),
  },
  required: ["ledgerUrl", "pool", "hosts"],
  types: {
    PoolHost: {
      type: "object",
      description: "One pre-provisioned runtime of a pool.",
      properties: {
        host: plain(text("URL of the runtime; identifies it in the whole ledger.")),
        slots: plain(count("How many slots it has.")),
        dataDir: plain(text("Directory for data on that host.")),
        audienceUrl: plain(text("Audience (JWT) of the runtime.")),
        weight: plain({
          type: "number",
          description: "Relative share of load; a host of weight 2 counts as half as full. Default: 1.",
        }),
        drain: plain(flag("True keeps what it has and gives it nothing new. Default: false.")),
      },
      required: ["host", "slots", "dataDir", "audienceUrl"],
    },
  },
} satisfies ResourceSchema;
