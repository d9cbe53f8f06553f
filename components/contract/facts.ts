import type { ChartsConfig } from "../charts/charts";
import type { ImagePlace } from "../charts/images";
import type { ClusterConfig } from "../cluster/clusterConfig";

/** What every feature may read of a platform's config, besides its own part. */
export interface PlatformBase {
  /** Not set if it is not configured and no provisioner uses it. */
  readonly cluster?: ClusterConfig;
  /** Sources of upstream charts, and the charts that the configured components need. */
  readonly charts: ChartsConfig;
  /** Place of all images. Images in this config are already there. `lock`: what an image without a digest is. */
  readonly images: ImagePlace & { readonly lock: "off" | "warn" | "required" };
}

/** Documentation of a stack output. */
export interface OutputDoc {
  readonly name: string;
  readonly secret: boolean;
  readonly description: string;
  /** Whether a typical stack lacks it. */
  readonly sometimes?: boolean;
}

/** A section of the reference: fields of a key of the stack config. */
export interface ReferenceSection {
  /** Default: none, for variants of the section before. */
  readonly title?: string;
  /** Whether it belongs to the section before. Default: false. */
  readonly isNested?: boolean;
  /** Markdown before the table. Default: none. */
  readonly intro?: string;
  /** The key, then fields; `<name>` for the entries of an object, `[]` for those of a list. */
  readonly at: readonly string[];
  /** Fields that have sections of their own. Default: none. */
  readonly omit?: readonly string[];
  /** Name of one of several variants, each with a table of its own. Default: the field has no variants. */
  readonly variant?: string;
}

/** A component of the Pulumi package: one thing of a feature, for programs in any language. */
export interface ComponentDoc {
  /** Its name in the package. */
  readonly name: string;
  readonly description: string;
  /** Where the arguments are in the config, besides `cluster`. An argument belongs to the first place that knows it. */
  readonly places: readonly ComponentPlace[];
  /** Whether `cluster` may be missing, or is no argument. Default: required. A component whose arguments are those of `cluster` has no such argument. */
  readonly cluster?: "optional" | "none";
  /** Its outputs by name. */
  readonly outputs: Readonly<Record<string, ComponentOutput>>;
}

interface ComponentPlace {
  /** A key, then `<name>` for the entry with the name of the component. */
  readonly at: readonly string[];
  /** The argument that has the whole place. Default: each field is an argument. */
  readonly argument?: string;
  /** Fields that have the name of the component, and fields that mean nothing in it. They are no arguments. */
  readonly named?: readonly string[];
  readonly omit?: readonly string[];
}

interface ComponentOutput {
  /** The stack output, then `<name>` for the entry with the name of the component. */
  readonly at: readonly string[];
  /** Default: a text. */
  readonly type?: "object" | "number";
  readonly description: string;
  readonly secret?: boolean;
  /** Whether some lack it. Default: all have it. */
  readonly sometimes?: boolean;
}
