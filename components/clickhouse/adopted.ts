/** What already exists of a deployment's database, after the state of its stack was lost. */
export interface AdoptedDatabase {
  /** Owner ids that objects in Kubernetes have, by the name of their set. */
  readonly sets: Readonly<Record<string, string>>;
  /** Id that the comment of the database has, where it is on a server. */
  readonly instance?: string;
  /** Its password; undefined if unknown it any more. */
  readonly password?: string;
}

/** The argument of a set that takes its objects over. */
export const adoptedSet = (adopted: AdoptedDatabase | undefined, set: string): { readonly adopt?: string } =>
  adopted?.sets[set] === undefined ? {} : { adopt: adopted.sets[set] };
