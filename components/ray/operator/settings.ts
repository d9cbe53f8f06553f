/** Decoded config of the KubeRay operator. Fields that are not set have the chart's defaults. */
export interface OperatorSettings {
  /** Image with its tag or digest. */
  readonly image?: string;
  /** Names of Secrets in its namespace. */
  readonly imagePullSecrets: readonly string[];
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Readonly<Record<string, unknown>>[];
  readonly resources?: { readonly cpu: number; readonly memoryMb: number };
  /** Namespaces whose Ray clusters it manages. Empty: all. */
  readonly watchNamespaces: readonly string[];
  readonly allowCrdChanges: readonly string[];
  readonly timeoutSeconds: number;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}
