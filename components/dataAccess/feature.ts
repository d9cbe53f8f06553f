import { rolePrefix } from "../cluster/onEks/onEks";
import { prefixedRole } from "../cluster/serviceAccountRole/plan";
import { feature } from "../feature";
import { dataAccessSchema, resolveDataAccess } from "./config";
import type { DataAccessConfig } from "./dataAccess";

export interface DataAccessPart {
  /** IAM roles for data on AWS, by name. Empty unless the cluster is on EKS. */
  readonly dataAccess: Readonly<Record<string, DataAccessConfig>>;
}

/** IAM roles that give pods access to data on AWS. */
export const dataAccess = feature({
  name: "dataAccess",
  keys: { dataAccess: dataAccessSchema },
  component: {
    name: "DataAccess",
    description: "An IAM role that gives pods with certain service accounts access to data on AWS.",
    places: [{ at: ["dataAccess", "<name>"] }],
    outputs: { roleArn: { at: ["dataAccessRoles", "<name>"], description: "ARN of the role." } },
  },
  reference: [
    { title: "Data access", intro: "[More about data access](data-access.md).", at: ["dataAccess", "<name>"] },
  ],
  outputs: [
    {
      name: "dataAccessRoles",
      secret: false,
      sometimes: true,
      description: "ARN of each role in `dataAccess`, by name. Absent if there are none.",
    },
  ],

  decode: (read, context): DataAccessPart => ({ dataAccess: resolveDataAccess(read("dataAccess") ?? {}, context) }),
  offers: ({ dataAccess: roles }) => ({ roles }),
  roles: ({ cluster, dataAccess: entries }) =>
    Object.entries(entries).flatMap(([entry, { roleName: own }]) => {
      const key = `dataAccess.${entry}.roleName`;
      return own === undefined ? prefixedRole(cluster?.eks, entry, key) : [{ name: own, isPrefixed: false, key }];
    }),

  async create({ cluster: config, dataAccess: entries }, { named, parent, provided: { cluster } }) {
    const onEks = config?.eks;
    if (!cluster?.identity || !onEks || Object.keys(entries).length === 0) return undefined;
    const { DataAccess } = await import("./dataAccess.js");
    const { identity, access, provider } = cluster;
    const args = {
      cluster: { ...identity, access, provider },
      rolePrefix: rolePrefix(onEks),
      identity: onEks.identity,
      entries,
    };
    const roles = new DataAccess(named("data-access"), args, { parent });
    const { roleArns } = roles;
    return { guarded: [roles], provides: { roles, roleArns }, outputs: { dataAccessRoles: roleArns } };
  },
});
