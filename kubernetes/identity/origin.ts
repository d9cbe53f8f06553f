/** The owner of a runtime, as recorded in its objects. components/runtime/record/origin.ts writes it. Pure. */

import { hasUnknown } from "../../foundation/pulumi/resource";
import { isList, type KubeObject } from "../objects/objects";

export interface OriginOn {
  readonly deployment?: string;
  /** Platform stack: `organization/project/stack`. */
  readonly platform?: string;
  readonly provisioner?: string;
  readonly protected?: string;
}

/** Empty for objects that were created before this was recorded. */
export const originOn = ({ metadata: { annotations = {} } }: Pick<KubeObject, "metadata">): OriginOn => ({
  deployment: annotations["stackyard.dev/deployment"],
  platform: annotations["stackyard.dev/platform"],
  provisioner: annotations["stackyard.dev/provisioner"],
  protected: annotations["stackyard.dev/protected"],
});

/** The deployment that objects of a runtime are of, also in a preview that does not know all of them. */
export const deploymentOf = (objects: readonly KubeObject[]): string | undefined =>
  (isList(objects) ? objects : [])
    .filter((object) => !hasUnknown(object))
    .map((object) => originOn(object).deployment)
    .find((id) => id !== undefined);
