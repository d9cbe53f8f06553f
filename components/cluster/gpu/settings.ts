/** The config of NVIDIA's device plugin, checked, with every default filled in. */
export interface GpuPluginSettings {
  /** Names of the node pools that it runs on. Default: all nodes that say that they have GPUs. */
  readonly pools?: readonly string[];
  readonly timeoutSeconds: number;
  /** Images that come from a mirror, as values of the chart. */
  readonly imageValues: Readonly<Record<string, unknown>>;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}
