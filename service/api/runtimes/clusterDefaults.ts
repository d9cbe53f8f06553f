/** The cluster and Kyma as a deployment has them; their own schema checks them. */
export type Stored = Readonly<Record<string, unknown>>;

/** What the environment of the service says of new clusters. */
export interface ClusterDefaults {
  /** Fields, where a request says nothing. */
  readonly cluster?: Stored;
  /** The same of the block of AWS, where a request has one. */
  readonly awsConfig?: Stored;
  /** Fields, whatever a request says. */
  readonly forced?: Stored;
}
