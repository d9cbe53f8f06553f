/** The cluster or Kyma as stored in a deployment, unchecked. The deployment's schema checks them. */
export type Stored = Readonly<Record<string, unknown>>;

/** Settings of new clusters from the service's environment. */
export interface ClusterDefaults {
  /** Defaults for fields that a request does not set. */
  readonly cluster?: Stored;
  /** Defaults for fields of `awsConfig`, if a request has this block. */
  readonly awsConfig?: Stored;
  /** Values that override the request. */
  readonly forced?: Stored;
}
