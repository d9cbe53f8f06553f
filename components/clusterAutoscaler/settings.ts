/** Decoded config of the cluster-autoscaler, with all defaults. */
export interface AutoscalerSettings {
  readonly cluster: ScaledCluster;
  readonly image: { readonly repository: string; readonly tag: string };
  readonly replicas: number;
  /** Expanders in order: each one chooses among the groups that the previous one rates equal. */
  readonly expander: readonly string[];
  /** Regular expressions of group names by priority, for the expander `priority`. The highest number wins. */
  readonly priorities: Readonly<Record<string, readonly string[]>>;
  readonly balanceSimilarGroups: boolean;
  readonly scaleDown: {
    readonly enabled: boolean;
    /** Durations such as `10m`. */
    readonly unneededFor: string;
    readonly delayAfterAdd: string;
    /** A node below this utilization (requested share, 0 to 1) is a candidate for removal. */
    readonly utilizationThreshold: number;
    readonly nodesWithLocalStorage: boolean;
    readonly nodesWithSystemPods: boolean;
    readonly maxGracefulTerminationSeconds: number;
  };
  readonly maxNodeProvisionTime: string;
  readonly scanInterval: string;
  readonly resources: { readonly cpu: number; readonly memoryMb: number };
  /** Labels of a ServiceMonitor for the Prometheus operator. Default: none is created. */
  readonly serviceMonitor?: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The EKS cluster whose nodes are scaled. */
export interface ScaledCluster {
  readonly name: string;
  readonly region: string;
  /** ARN of an existing role. Default: one is created, or an existing cluster assigns it through Pod Identity. */
  readonly roleArn?: string;
}
