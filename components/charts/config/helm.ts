import * as z from "zod";
import { count } from "../../../foundation/schema/fields";

/** Fields that are equal for all releases of upstream charts. */

/** Timeout in seconds until `who` is ready. */
export const readySeconds = (who: string, seconds: number) =>
  count("a whole number of seconds from 1 to 7200", 7200)
    .default(seconds)
    .describe(`Seconds until ${who} must be ready; otherwise the change is rolled back.`);

export const helmValues = () =>
  z
    .record(z.string(), z.unknown(), { error: "an object of Helm values" })
    .default({})
    .describe(
      "Values of the upstream chart, merged over the platform's own. Do not put secrets here: Helm stores values in the cluster in plain text.",
    );
