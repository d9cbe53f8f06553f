import * as z from "zod";
import { matching, strict } from "../../../foundation/schema/fields";

/** Schema of a runtime's registration in a Director. Fields are named as in the original API. */
export const registrationSchema = strict("an object with name, description, labels", {
  name: matching(/^\S(?:.{0,126}\S)?$/, "a name of 1 to 128 characters in one line")
    .optional()
    .describe("Name in the Director. Default: the deployment's id."),
  description: z.string({ error: "a text" }).optional().describe("Description in the Director."),
  labels: z
    .record(z.string(), z.unknown(), { error: "an object of labels" })
    .optional()
    .describe("Labels in the Director; values may be any JSON."),
});

export type Registration = z.output<typeof registrationSchema>;
