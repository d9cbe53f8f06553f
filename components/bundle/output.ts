/** What there is of an instance, for users. */
export interface BundleOutput {
  readonly bundle: string;
  readonly version: string;
  readonly namespace: string;
  /** Of what exists; empty if nothing ever was. */
  readonly digest: string;
  /** Why the last update is incomplete. */
  readonly failure?: string;
}
