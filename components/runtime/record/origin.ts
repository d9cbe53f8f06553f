import { withoutUndefined } from "../../../foundation/json/withoutUndefined";
import type { Manifest } from "../templates/render";
import type { Deployment } from "../request/deployment";

/**
 * The owner of a runtime, recorded in its objects. A platform searches its clusters for it before it removes a
 * provisioner.
 */
export interface Origin {
  readonly deployment: string;
  /** Platform stack, `organization/project/stack`. */
  readonly platform: string;
  readonly provisioner: string;
  /** Set while the deployment is protected: what a lost stack leaves is not removed. */
  readonly protected?: "true";
}

export const originOf = (
  {
    deployment: { id, protected: isProtected },
    provisioner,
  }: { readonly deployment: Deployment; readonly provisioner: string },
  platform: string,
): Origin => ({ deployment: id, platform, provisioner, ...(isProtected === true && { protected: "true" }) });

/** Adds the annotations of the owner to each object, instead of those that it has. */
export function withOrigin(manifests: readonly Manifest[], origin: Origin): Manifest[] {
  const own = Object.fromEntries(
    Object.entries({ protected: undefined, ...origin }).map(([key, value]) => [`stackyard.dev/${key}`, value]),
  );
  return manifests.map((manifest) => {
    const metadata = manifest["metadata"] as { readonly annotations?: Readonly<Record<string, unknown>> };
    return {
      ...manifest,
      metadata: { ...metadata, annotations: withoutUndefined({ ...metadata.annotations, ...own }) },
    };
  });
}
