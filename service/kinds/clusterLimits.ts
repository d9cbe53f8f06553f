/**
 * Time limits of the parts of an operation on a cluster, in milliseconds, named after the stages of the Kyma Runtime
 * Provisioner.
 */
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
  /** From the start of the deletion until the cluster is gone. */
  readonly gone: number;
}

/** Limits with Kyma and without. */
export interface LimitsByKyma {
  readonly kyma: ClusterLimits;
  readonly bare: ClusterLimits;
}
