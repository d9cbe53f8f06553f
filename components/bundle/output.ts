/** What there is of an instance, for people. */
export interface BundleOutput {
  readonly bundle: string;
  readonly version: string;
  readonly namespace: string;
  /** Of what is there; empty where nothing ever was. */
  readonly digest: string;
  /** Why the last update did not come to its end. */
  readonly failure?: string;
}
