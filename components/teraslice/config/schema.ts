import * as z from "zod";
import { matching, strict } from "../../../foundation/schema/fields";
import { clusterFields } from "../schema/cluster";
import { CLUSTER_NAME } from "../schema/sections";
import { SINGLE } from "../settings";
import { jobsSchema } from "./jobs";

/** Schema of the key `teraslice`. */
export const terasliceSchema = strict("an object", {
  ...clusterFields,
  jobs: jobsSchema.describe("Jobs by name. The name may differ from the job's own name."),
}).describe("Teraslice.");

/** Schema of the key `terasliceClusters`. */
export const terasliceClustersSchema = z
  .record(
    matching(CLUSTER_NAME, "a name of a-z, 0-9 and inner -, a letter first, 40 characters at most").refine(
      (name) => name !== SINGLE,
      { error: `another name, because ${SINGLE} is the master at stackyard:teraslice` },
    ),
    terasliceSchema,
    { error: "an object of Teraslice clusters by name" },
  )
  .describe(
    "Additional Teraslice clusters by name, each with the fields of `teraslice`. Default of `settings.name`: that name.",
  );

export type TerasliceInput = z.output<typeof terasliceSchema>;
