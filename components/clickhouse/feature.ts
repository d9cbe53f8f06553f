import { serverOf } from "../cluster/clusterConfig";
import { feature } from "../feature";
import { clickHouseRevisions } from "../runtime/clickhouse/revision";
import type { ClickHouseConfig } from "../runtime/clickhouse/settings";
import { decodeClickHouse } from "./config/decode";
import { clickhouseSchema } from "./config/schema";

export interface ClickHousePart {
  /** ClickHouse provisioners by name. Secret, because their URLs are. */
  readonly clickhouse: Readonly<Record<string, ClickHouseConfig>>;
}

/** Databases in ClickHouse for deployments. */
export const clickhouse = feature({
  name: "clickhouse",
  keys: { clickhouse: clickhouseSchema },
  component: {
    name: "ClickHouse",
    description:
      "ClickHouse provisioners: how deployments get a database. Runtime stacks read its outputs as those of the stack.",
    cluster: "optional",
    places: [{ at: ["clickhouse"], argument: "provisioners" }],
    outputs: {
      clickhouse: { at: ["clickhouse"], type: "object", secret: true, description: "The provisioners by name." },
      clickhouseRevisions: {
        at: ["clickhouseRevisions"],
        type: "object",
        description: "Digest of the settings of each provisioner.",
      },
    },
  },
  reference: [
    {
      title: "ClickHouse",
      intro:
        "[More about databases in ClickHouse](clickhouse.md). A name is that of a provisioner; `default` and `none` are taken.",
      at: ["clickhouse", "<name>"],
      variant: "ClickHouse",
    },
  ],
  resources: ["clickHouseDatabase"],
  outputs: [
    {
      name: "clickhouse",
      secret: true,
      sometimes: true,
      description: "ClickHouse provisioners by name. Absent if there are none.",
    },
    {
      name: "clickhouseRevisions",
      secret: false,
      sometimes: true,
      description: "Digest of the settings of each ClickHouse provisioner.",
    },
  ],

  decode: (read, context): ClickHousePart => ({ clickhouse: decodeClickHouse(read("clickhouse"), context) }),

  async create({ cluster: config, clickhouse: provisioners }, { guarded, named, parent, provided: { cluster } }) {
    if (Object.keys(provisioners).length === 0) return undefined;
    const { ClickHouseSet } = await import("./clickHouseSet.js");
    const clusterServer = serverOf(config);
    const args = { clickhouse: provisioners, cluster, clusterServer, guarded };
    const set = new ClickHouseSet(named("clickhouse"), args, { parent });
    return {
      guards: [set],
      outputs: { clickhouse: set.provisioners, clickhouseRevisions: clickHouseRevisions(provisioners) },
    };
  },
});
