/** Arguments of the database resource. */
export interface DatabaseSettings {
  readonly url: string;
  readonly runtimeUrl?: string;
  readonly runtimeWriterUrl?: string;
  readonly cluster?: string;
  /** Name of its provisioner. */
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
