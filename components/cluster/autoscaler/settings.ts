/** The config of the cluster-autoscaler, checked, with every default filled in. */
export interface AutoscalerSettings {
  readonly cluster: ScaledCluster;
  readonly image: { readonly repository: string; readonly tag: string };
  readonly replicas: number;
  /** How a group is chosen among several that fit; the first decides, the others where it sees no difference. */
  readonly expander: readonly string[];
  /** Regular expressions of group names by priority, the highest number first; for the expander `priority`. */
  readonly priorities: Readonly<Record<string, readonly string[]>>;
  readonly balanceSimilarGroups: boolean;
  readonly scaleDown: {
    readonly enabled: boolean;
    /** Durations such as `10m`. */
    readonly unneededFor: string;
    readonly delayAfterAdd: string;
    /** Requested share of a node below which it is a candidate. */
    readonly utilizationThreshold: number;
    readonly nodesWithLocalStorage: boolean;
    readonly nodesWithSystemPods: boolean;
    readonly maxGracefulTerminationSeconds: number;
  };
  readonly maxNodeProvisionTime: string;
  readonly scanInterval: string;
  readonly resources: { readonly cpu: number; readonly memoryMb: number };
  /** Labels of a ServiceMonitor of the Prometheus operator. Default: none is made. */
  readonly serviceMonitor?: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The cluster on EKS whose nodes it scales. */
export interface ScaledCluster {
  readonly name: string;
  readonly region: string;
  /** Role that already exists. Default: one is made, or on a cluster of type `existing` Pod Identity has it. */
  readonly roleArn?: string;
}
