import * as z from "zod";
import { sourceSchema } from "../../../components/bundleSources/sources";
import { matching, strict } from "../../../foundation/schema/fields";

const text = (expected: string) => matching(/\S/, expected);

/** A reference to a secret or long value. */
const elsewhere = z.union([strict("a variable", { env: text("a name") }), strict("a file", { path: text("a path") })], {
  error: "{ env: VARIABLE } or { path: FILE }",
});

/** A file with a list of sources. */
export const sourcesSchema = strict("an object with sources", {
  sources: z.array(sourceSchema(elsewhere), { error: "a list of sources" }).min(1, { error: "at least one source" }),
});
