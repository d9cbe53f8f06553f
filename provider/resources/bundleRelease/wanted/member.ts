import type { Path } from "../../../../bundles/format/format";
import type { Ref, KubeObject } from "../../../../kubernetes/objects/objects";

export interface Member {
  readonly ref: Ref;
  readonly key: string;
  /** The complete object, with namespace and ownership labels. */
  readonly object: KubeObject;
  /** Position in the bundle, such as `manifests/01_app.yaml:14`. */
  readonly place: string;
  readonly wave: number | undefined;
  /** Set if this bundle contains the object's kind or namespace, so that nothing can be queried before they exist. */
  readonly needs: "kind" | "namespace" | undefined;
  /** Hash of its source; empty if it must always be applied. */
  readonly fingerprint: string;
  /** Paths of values that the format generates randomly. */
  readonly madeUp: readonly Path[];
  /** If true, an existing object is not changed. */
  readonly once: boolean;
  /** Derived from other members. */
  readonly isGenerated: boolean;
}
