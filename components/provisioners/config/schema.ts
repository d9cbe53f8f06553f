import * as z from "zod";
import {
  count,
  matching,
  positive,
  PROVISIONER_NAME,
  REMOVABLE,
  strict,
  list,
} from "../../../foundation/schema/fields";
import { secret } from "../../../foundation/schema/secretValues";
import { hasNoPassword, isPostgresUrl } from "../../../foundation/schema/urls";
import { provisionerSchema } from "../../runtime/types/registry";

/** Schemas of the keys for provisioners. */

export const provisionerName = matching(PROVISIONER_NAME, "a legal name: a-z, 0-9 and inner -, 40 characters at most");

const environment = strict("an object with provisioner", {
  provisioner: matching(/\S/, "the name of a provisioner").describe(
    "Default provisioner of deployments in this environment.",
  ),
});

const environmentName = matching(/^[A-Za-z0-9._-]{1,63}$/, "a name of A-Z a-z 0-9 . _ -, 63 characters at most");

const slotSchema = strict("an object with cpu, memoryGb, diskGb", {
  cpu: positive("a number of CPUs above 0").default(1).describe("Number of CPUs."),
  memoryGb: positive("a number of GB above 0").default(4).describe("Memory in GB."),
  diskGb: count("a whole number of GiB from 1").default(40).describe("Disk in GiB."),
});

const LEDGER = "a PostgreSQL URL such as postgres://user:password@host:5432/database";

export const provisionersSchema = z.record(provisionerName, provisionerSchema, {
  error: "an object of provisioners by name",
});
export const defaultSchema = matching(/\S/, "the name of a provisioner");

/** Keys of the stack config. */
export const provisionerKeys = {
  provisioners: provisionersSchema
    .optional()
    .describe("The provisioner set: provisioners by name. Optional if there is a cluster."),
  defaultProvisioner: defaultSchema
    .optional()
    .describe("Provisioner of deployments that name none and whose environment has no default."),
  allowRemoval: list(
    matching(REMOVABLE, "a provisioner, or one of ClickHouse as clickhouse.NAME"),
    'provisioners, such as ["shared"]',
  ).describe(
    "Provisioners that may be removed, or destroyed with the platform, although they have deployments. ClickHouse provisioners are written as `clickhouse.NAME`.",
  ),
  environments: z
    .record(environmentName, environment, { error: "an object of environments by name" })
    .default({})
    .describe("Default provisioner of each environment."),
  slot: slotSchema.prefault({ cpu: 1, memoryGb: 4, diskGb: 40 }).describe("Size of one slot."),
  ledger: secret(z.string({ error: LEDGER }).refine(isPostgresUrl, { error: LEDGER }), { mayBePlain: hasNoPassword })
    .optional()
    .describe(
      "PostgreSQL URL of the ledger of slots; a secret. Needed when a provisioner is static. Default: the one in `.yard/ledger-url`, which the local yard writes.",
    ),
};
