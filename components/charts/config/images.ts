import { matching, strict } from "../../../foundation/schema/fields";

/** Schema of the key `images`. */
export const imagesSchema = strict("an object with mirror", {
  mirror: matching(
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?(\/[a-z0-9._-]+)*$/,
    "host[:port][/path], without https://",
  )
    .optional()
    .describe(
      "Registry that replaces the registry of every image: `quay.io/a/b:1` becomes `<mirror>/a/b:1`. Default: the upstream registries.",
    ),
}).describe("Where container images come from.");
