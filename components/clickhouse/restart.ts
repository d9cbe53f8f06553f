import type { Manifest } from "../runtime/templates/render";

/** On the pods of who enters a database: version of its password, the provisioner's and the deployment's. */
export const PASSWORD_ANNOTATION = "stackyard.dev/clickhouse-password";

interface Template {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, unknown>> };
}

/** The objects, with the version of the password on every pod: pods read a Secret when they start, so another one restarts them. */
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
