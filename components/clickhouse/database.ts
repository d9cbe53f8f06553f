/** What the database is made from, as its resource takes it. */
export interface DatabaseSettings {
  readonly url: string;
  readonly runtimeUrl?: string;
  readonly cluster?: string;
  /** Provisioner that it is with. */
  readonly provisioner?: string;
  readonly database: string;
  readonly user: string;
  /** Platform stack and deployment, for users; noted on the database. */
  readonly owner: string;
  readonly sources: readonly string[];
  /** Whether there is a user who may enter. */
  readonly access: boolean;
  readonly passwordVersion: string;
  readonly whenDeleted: "Retain" | "Delete";
}
