/** Decoded config of NVIDIA's device plugin, with all defaults. */
export interface GpuPluginSettings {
  /** Names of the node pools to run on. Default: all nodes with the GPU label. */
  readonly pools?: readonly string[];
  readonly timeoutSeconds: number;
  /** Values of the chart that select images on a mirror. */
  readonly imageValues: Readonly<Record<string, unknown>>;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}
