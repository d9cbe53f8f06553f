import * as z from "zod";
import { flag, matching, oneOf, strict, list } from "../../../foundation/schema/fields";
import { chartsSchema } from "../../charts/config/charts";
import { FEATURES } from "../../features";
import type { Feature, Keys } from "../../feature";

/**
 * Schema of a platform stack's config. The decoder, `stackyard.schema.json` and `docs/config.md` are derived from it,
 * so every field describes its meaning, unit and default.
 */

const registry = () =>
  matching(
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?(\/[a-z0-9._-]+)*$/,
    "host[:port][/path], without https://",
  ).optional();

/** Schema of the key `images`. */
const imagesSchema = strict("an object with mirror, lock", {
  lock: oneOf(["off", "warn", "required"])
    .default("off")
    .describe(
      "`warn` and `required`: images run by the digests that `stackyard charts lock --stack` recorded in `charts.lockFile`. An image without a digest is a warning, or an error; use `required` in production.",
    ),
  mirror: registry().describe(
    "Registry that replaces the registry of every image: `quay.io/a/b:1` becomes `<mirror>/a/b:1`. Default: the upstream registries.",
  ),
}).describe("Where container images come from.");

/** Keys that concern all features. */
export const baseKeys = {
  allowDataLoss: list(
    matching(
      /^[a-z0-9]([-a-z0-9]*[a-z0-9])?\/([a-z0-9]([-a-z0-9.]*[a-z0-9])?|\*)$/,
      "<namespace>/<claim> or <namespace>/*, such as jupyterhub/claim-ann",
    ),
    'claims, such as ["jupyterhub/claim-ann"]',
  ).describe(
    "PersistentVolumeClaims that an update or destroy may delete with their data: `<namespace>/<claim>`, or `<namespace>/*` for all in a namespace.",
  ),
  allowLeftovers: flag()
    .default(false)
    .describe(
      "`true`: delete a cluster that the platform created even if Services and Ingresses that it did not create have load balancers.",
    ),
  charts: chartsSchema.prefault({}),
  images: imagesSchema.prefault({}),
  mirror: registry().describe(
    "Registry with all images and charts, for a platform without internet: sets `images.mirror`, and `charts.mirror` to `oci://<mirror>/charts`.",
  ),
};

/** The keys of features, and those that concern all. */
export const shapeOf = (features: readonly Feature[]): Keys =>
  Object.assign({}, ...features.map(({ keys }) => keys), baseKeys) as Keys;

/** All keys in the `stackyard:` namespace, those of each feature together. */
export const platformShape: Keys = shapeOf(FEATURES);

export const platformSchema = z.strictObject(platformShape);

/** Keys whose value is text. The values of other keys are JSON. */
export const TEXT_KEYS: ReadonlySet<string> = new Set(
  Object.entries(platformShape).flatMap(([key, schema]) => (isText(schema) ? [key] : [])),
);

function isText(schema: z.ZodType): boolean {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  return inner instanceof z.ZodString;
}
