/** Arguments of the database resource. */
export interface DatabaseSettings {
  readonly url: string;
  /** URL for runtimes, if it differs. */
  readonly runtimeUrl?: string;
  /** URL to which runtimes write, if it differs. */
  readonly runtimeWriterUrl?: string;
  readonly cluster?: string;
  /** Name of its provisioner, recorded in the comment, so that the platform finds the deployments that use it. */
  readonly provisioner?: string;
  readonly database: string;
  readonly user: string;
  /** Platform stack and deployment, recorded in the comment of the database for users. */
  readonly owner: string;
  readonly sources: readonly string[];
  /** Whether a user with access exists. */
  readonly access: boolean;
  readonly passwordVersion: string;
  readonly whenDeleted: "Retain" | "Delete";
}
