import type { Manifest } from "../templates/render";

/**
 * The owner of a runtime, recorded in its objects. A platform searches its clusters for it before it removes a
 * provisioner.
 */
export interface Origin {
  readonly deployment: string;
  /** Platform stack, `organization/project/stack`. */
  readonly platform: string;
  readonly provisioner: string;
}

/** Adds the annotations of the owner to each object. */
export function withOrigin(manifests: readonly Manifest[], origin: Origin): Manifest[] {
  const own = Object.fromEntries(
    Object.entries(origin).map(([key, value]) => [`stackyard.dev/${key}`, value as string]),
  );
  return manifests.map((manifest) => {
    const metadata = manifest["metadata"] as { readonly annotations?: Readonly<Record<string, unknown>> };
    return { ...manifest, metadata: { ...metadata, annotations: { ...metadata.annotations, ...own } } };
  });
}
