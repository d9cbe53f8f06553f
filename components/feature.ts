import type * as z from "zod";
import type { ListedImage } from "./charts/images";
import type { PlannedRelease } from "./charts/plannedRelease";
import type { PlacedPod } from "./cluster/nodePool/placedPods";
import type { PlannedRole } from "./cluster/serviceAccountRole/plan";
import type { DecodeContext, Offers } from "./contract/decoding";
import type { ComponentDoc, OutputDoc, PlatformBase, ReferenceSection } from "./contract/facts";
import type { ClusterNeed } from "./contract/needs";
import type { Created, Site } from "./contract/site";
import type { NamespaceClaim } from "./namespaces/settings";
import type { BalancerOwner } from "./resources/guard/loadBalancerGuard";
import type { StateResources } from "./resources/ownState";

/** Config keys with their schemas. */
export type Keys = Readonly<Record<string, z.ZodType>>;

/** Parses a key of the feature. Undefined if it is not set or has faults, which are reported. */
export type Read<K extends Keys> = <Name extends keyof K>(key: Name) => z.output<K[Name]> | undefined;

/**
 * The contract of a feature: all that the platform knows of it. A feature is a folder whose `feature.ts` exports this,
 * and one line in `features.ts`. It omits what it does not have. `Part` is its part of the decoded config.
 */
export interface Feature<K extends Keys = Keys, Part extends object = object> {
  /** Name of its folder in `components/`. */
  readonly name: string;
  /** Its keys in the stack config. They are checked, described and completed by their schemas. */
  readonly keys: K;
  /** Sections of the reference about its keys. Default: only their descriptions in the overview. */
  readonly reference?: readonly ReferenceSection[];
  /** Its stack outputs, for the reference. */
  readonly outputs?: readonly OutputDoc[];
  /** The component of the package for one thing of the feature. Default: programs of others can't use it by itself. */
  readonly component?: ComponentDoc;
  /** Whether a stack with these values, by key, uses it. Default: whether one of its keys is set. */
  isUsed?(values: Readonly<Record<string, unknown>>): boolean;
  /** Files in its folder that only stacks run that use it. Default: all. */
  readonly code?: readonly string[];
  /** Resources of our provider that only such stacks have, and folders in `charts/` that only they install. */
  readonly resources?: readonly string[];
  readonly ownCharts?: readonly string[];

  /** Checks what schemas can't, reads files, and completes the settings. With faults, the result is not used. */
  decode(read: Read<K>, context: DecodeContext): Part;
  /** What the features after it may refer to in their config. */
  offers?(config: Part, context: DecodeContext, read: Read<K>): Partial<Offers>;
  /** The parts of its config that name images, with these on the mirror. */
  mirrored?(config: Part & PlatformBase): Partial<Part>;
  /** Node pools whose taints its pods tolerate, besides those at keys `nodePool`. From values that were not checked. */
  usedPools?(values: Readonly<Record<string, unknown>>): readonly string[];

  /** Images that its pods run. */
  images?(config: Part & PlatformBase): readonly ListedImage[];
  /** Namespaces that it uses, with its settings of them. */
  namespaces?(config: Part): readonly NamespaceClaim[];
  /** Pods with their sizes, and the nodes that they may run on. */
  pods?(config: Part): readonly PlacedPod[];
  /** Helm releases, and their names that must be unique in a cluster. */
  releases?(config: Part & PlatformBase): readonly PlannedRelease[];
  /** IAM roles that it creates. */
  roles?(config: Part & PlatformBase): readonly PlannedRole[];
  /** Owners of Services and Ingresses with load balancers, besides components with data. */
  balancers?(config: Part): readonly BalancerOwner[];

  /** What it needs of an existing cluster, besides its namespaces and releases. */
  needs?(config: Part & PlatformBase): readonly ClusterNeed[];

  /** Asks the cluster or cloud what has to be known before anything is registered. Changes nothing; throws a RunError. */
  look?(config: Part & PlatformBase, state: Promise<StateResources>): Promise<void>;
  /** Registers its components. Loads their modules here, because most stacks have only some features. */
  create?(config: Part & PlatformBase, site: Site): Promise<Created | undefined>;
}

/** Checks a feature against the contract, and infers its types. */
export const feature = <K extends Keys, Part extends object>(one: Feature<K, Part>): Feature<K, Part> => one;
