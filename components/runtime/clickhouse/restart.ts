import type { Manifest } from "../templates/render";

/** Annotation of pods with the version of the database password: the provisioner's and the deployment's. */
export const PASSWORD_ANNOTATION = "stackyard.dev/clickhouse-password";

interface Template {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, unknown>> };
}

/**
 * Adds the password version to all pod templates. Pods read a Secret only at their start, so a new version restarts
 * them.
 */
export function withPasswordVersion(manifests: readonly Manifest[], version: string): Manifest[] {
  return manifests.map((manifest) => {
    const spec = manifest["spec"] as { readonly template?: Template } | undefined;
    if (!["StatefulSet", "Deployment"].includes(String(manifest["kind"])) || spec?.template === undefined)
      return manifest;
    const { metadata = {}, ...rest } = spec.template;
    const annotations = { ...metadata.annotations, [PASSWORD_ANNOTATION]: version };
    return { ...manifest, spec: { ...spec, template: { metadata: { ...metadata, annotations }, ...rest } } };
  });
}
