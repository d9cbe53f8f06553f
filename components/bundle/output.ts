/** Stack output of a bundle instance. */
export interface BundleOutput {
  readonly bundle: string;
  readonly version: string;
  readonly namespace: string;
  /** Digest of the installed content; empty if nothing was ever installed. */
  readonly digest: string;
  /** Why the last update is incomplete. */
  readonly failure?: string;
}
