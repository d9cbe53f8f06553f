/** The config of metrics-server, checked, with every default filled in. */
export interface MetricsSettings {
  readonly replicas: number;
  readonly timeoutSeconds: number;
  /** Images that come from a mirror, as values of the chart. */
  readonly imageValues: Readonly<Record<string, unknown>>;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}
