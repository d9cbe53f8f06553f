/** How objects that are taken over differ from what their new owner would apply. Pure. */

import { FOREIGN_SECRET } from "../../foundation/schema/describe";
import { refOf, describe, type KubeObject } from "../objects/objects";
import { withoutShrinking } from "../claims/claimPlan";
import { project } from "./project";
import { fieldChanges } from "./fieldChanges";

/** `StatefulSet runtimes/acme: spec.replicas: 1 → 2`, a line for each field. Values of secrets are hidden. */
export function differenceLines(live: KubeObject, given: KubeObject): string[] {
  // A disk that is larger than requested is no difference.
  const wanted = withoutShrinking(given, live);
  return fieldChanges(project(live, wanted) as KubeObject, wanted).map(
    ({ path, words }) => `${describe(refOf(live))}: ${path}: ${FOREIGN_SECRET.test(path) ? "another value" : words}`,
  );
}
