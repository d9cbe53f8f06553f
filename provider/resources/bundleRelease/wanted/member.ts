import type { Path } from "../../../../bundles/format/format";
import type { Ref, KubeObject } from "../../../../kubernetes/client/objects";

export interface Member {
  readonly ref: Ref;
  readonly key: string;
  /** Complete: namespace and ownership. */
  readonly object: KubeObject;
  /** `manifests/01_app.yaml:14`. */
  readonly place: string;
  readonly wave: number | undefined;
  /** Its kind or namespace comes with this very bundle, so nothing can be asked about it before that is there. */
  readonly needs: "kind" | "namespace" | undefined;
  /** What it is made from; empty if nothing may be kept of it. */
  readonly fingerprint: string;
  /** Paths of what would be something else each time. */
  readonly madeUp: readonly Path[];
  /** Not changed when it is there. */
  readonly once: boolean;
  /** Derived from other members. */
  readonly isGenerated: boolean;
}
