/** Package schema of StaticPool. */

import { count, flag, generation, ledgerUrl, listOf, once, ownerId, plain, text } from "../../framework/fields";
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
  outputs: { ownerId, generation },
  optional: ["ownerId", "generation"],
  types: {
    PoolHost: {
      type: "object",
      description: "One pre-provisioned runtime of a pool.",
      properties: {
        host: plain(text("URL of the runtime. It identifies the runtime in the ledger, across all pools.")),
        slots: plain(count("Number of slots of the runtime.")),
        dataDir: plain(text("Directory for data on that host.")),
        audienceUrl: plain(text("Audience (JWT) of the runtime.")),
        weight: plain({
          type: "number",
          description:
            "Share of the load: a host of weight 2 counts as half as full as one of weight 1 with the same slots in use. Default: 1.",
        }),
        drain: plain(flag("`true`: the host keeps its deployments and gets no new ones. Default: false.")),
      },
      required: ["host", "slots", "dataDir", "audienceUrl"],
    },
  },
} satisfies ResourceSchema;
