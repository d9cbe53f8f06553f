/** What an object of a kind does by itself, as data: one {@link KindRule} for each group of kinds. */

/** A field that names another object. */
export interface Reference {
  /** `spec.source.persistentVolumeClaimName`; `spec.volumes[].name` for each entry of a list. */
  readonly field: string;
  /** `reads`. */
  readonly verb: string;
  /** Kind of the core group, in the same namespace if it has one. */
  readonly kind: string;
  /** Requested again whenever the content changes, which decides what becomes of the other object. */
  readonly again?: true;
}

/** Sentence parts of several files. */
export const ROUTES = "receives requests of others for its hosts and paths";
export const RUNS = "runs pods with the account and the Secrets that it names";

/** A kind may have several rules. A kind without one does whatever its controller may do. */
export interface KindRule {
  /** API group; `""` for the core group. */
  readonly group: string;
  /** Default: all kinds of the group. */
  readonly kinds?: readonly string[];
  /** The rule holds only for objects that have this field, see {@link Reference.field}. Default: all. */
  readonly where?: string;
  /**
   * What happens with its content, as a part of a sentence: `creates whatever objects its chart has`. It is requested
   * again whenever the content changes. Default: nothing that pods, roles and references in it don't show.
   */
  readonly acts?: string;
  /** Fields whose values are shown with it, see {@link Reference.field}: `spec.rules[].host`. */
  readonly shows?: readonly string[];
  readonly refers?: readonly Reference[];
  /** Whether it restricts others, so that changing or removing it is a request. */
  readonly restricts?: true;
}
