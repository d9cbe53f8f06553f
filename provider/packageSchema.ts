/** The package schema of our resources, for `pulumi import`, `pulumi package` and policies. */

import { packaged, packagedType } from "./framework/resourceSchema";
import { RESOURCES, tokenOf } from "./resources/registry";
import { version } from "./version";

const all = Object.entries(RESOURCES);

/** The schema as JSON. */
export const schema: string = JSON.stringify({
  name: "stackyard",
  version,
  description:
    "What no other provider has: slots in a ledger, sets of manifests and bundles applied as one, databases in ClickHouse, clusters of Gardener, runtimes in a Director, jobs of Teraslice.",
  types: Object.fromEntries(
    all.flatMap(([, entry]) =>
      Object.entries(entry.schema.types ?? {}).map(([name, type]) => [tokenOf(name), packagedType(type)]),
    ),
  ),
  resources: Object.fromEntries(all.map(([name, entry]) => [tokenOf(name), packaged(entry.schema)])),
});
