import type { Manifest } from "../templates/render";

/** Whose a runtime is. Its objects say so, for a platform asks its clusters before it removes a provisioner. */
export interface Origin {
  readonly deployment: string;
  /** Platform stack, `organization/project/stack`. */
  readonly platform: string;
  readonly provisioner: string;
}

/** The objects, each with the annotations that say whose it is. */
export function withOrigin(manifests: readonly Manifest[], origin: Origin): Manifest[] {
  const own = Object.fromEntries(
    Object.entries(origin).map(([key, value]) => [`stackyard.dev/${key}`, value as string]),
  );
  return manifests.map((manifest) => {
    const metadata = manifest["metadata"] as { readonly annotations?: Readonly<Record<string, unknown>> };
    return { ...manifest, metadata: { ...metadata, annotations: { ...metadata.annotations, ...own } } };
  });
}
