/** How long each part of an operation on a cluster may take, in milliseconds; the names are those of the original's stages. */
export interface ClusterLimits {
  readonly domain: number;
  readonly creation: number;
  readonly bindings: number;
  readonly installation: number;
  readonly upgrade: number;
  readonly shootRefresh: number;
  readonly shootUpgrade: number;
  readonly hibernation: number;
  readonly cleanup: number;
  readonly deletion: number;
  /** From the begin of a deletion until the cluster is gone. */
  readonly gone: number;
}

/** With Kyma, and without. */
export interface LimitsByKyma {
  readonly kyma: ClusterLimits;
  readonly bare: ClusterLimits;
}
