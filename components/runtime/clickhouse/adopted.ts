/** Existing objects of a deployment's database, found after the state of its stack was lost. */
export interface AdoptedDatabase {
  /** Owner ids of existing Kubernetes objects, by ManifestSet name. */
  readonly sets: Readonly<Record<string, string>>;
  /** Id in the comment of the database, if it is on a shared server. */
  readonly instance?: string;
  /** Name of that database. */
  readonly database?: string;
  /** Its password; undefined if unknown. */
  readonly password?: string;
}

/** The `adopt` argument of a ManifestSet that takes over existing objects. */
export const adoptedSet = (adopted: AdoptedDatabase | undefined, set: string): { readonly adopt?: string } =>
  adopted?.sets[set] === undefined ? {} : { adopt: adopted.sets[set] };
