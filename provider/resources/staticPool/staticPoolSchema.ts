/** Package schema of StaticPool. */

import {
  countField,
  flagField,
  generation,
  ledgerUrl,
  listField,
  once,
  ownerId,
  plainField,
  textField,
} from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A pool of slots in the ledger. Destroying it fails while slots are taken.",
  inputs: {
    ledgerUrl,
    pool: plainField(
      once(
        textField("Name of the pool in the ledger: `<platform stack>/<provisioner>`. Changing it replaces the pool."),
      ),
    ),
    hosts: plainField(
      listField(
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
        host: plainField(textField("URL of the runtime. It identifies the runtime in the ledger, across all pools.")),
        slots: plainField(countField("Number of slots of the runtime.")),
        dataDir: plainField(textField("Directory for data on that host.")),
        audienceUrl: plainField(textField("Audience (JWT) of the runtime.")),
        weight: plainField({
          type: "number",
          description:
            "Share of the load: a host of weight 2 counts as half as full as one of weight 1 with the same slots in use. Default: 1.",
        }),
        drain: plainField(flagField("`true`: the host keeps its deployments and gets no new ones. Default: false.")),
      },
      required: ["host", "slots", "dataDir", "audienceUrl"],
    },
  },
} as const satisfies ResourceSchema;
