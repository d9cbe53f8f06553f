import type { Path } from "../../foundation/schema/faults";

/** Levels of the Pod Security Standards, the strictest first. */
export const POD_SECURITY_LEVELS = ["restricted", "baseline", "privileged"] as const;
export type PodSecurityLevel = (typeof POD_SECURITY_LEVELS)[number];

/** Network access to and from the pods of a namespace. */
interface NamespaceNetwork {
  readonly enabled: boolean;
  /** Namespaces whose pods have access. Empty: all except those of runtimes, on the ports that its users open. */
  readonly clientNamespaces: readonly string[];
  /** Addresses with access: load balancers and controllers outside of pods. */
  readonly clientCidrs: readonly string[];
  /** Whether its pods have access to the cloud's metadata address, and with it to the role of their node. */
  readonly cloudMetadata: boolean;
}

/** Resources and quantities, as in a ResourceQuota. */
type Quantities = Readonly<Record<string, string | number>>;

/** Defaults and bounds of container resources, as in a LimitRange. */
interface ContainerLimits {
  readonly default?: Quantities;
  readonly defaultRequest?: Quantities;
  readonly min?: Quantities;
  readonly max?: Quantities;
}

/** Config of a namespace that the platform creates. Fields that are not set have defaults. */
export interface NamespaceConfig {
  readonly podSecurity?: PodSecurityLevel;
  readonly networkPolicy?: NamespaceNetwork;
  readonly quota?: Quantities;
  readonly limits?: ContainerLimits;
}

export const NAMESPACE_KEYS = ["podSecurity", "networkPolicy", "quota", "limits"] as const;

/** Selects the fields of the namespace that are set, from an object with other fields. */
export const namespaceConfig = (input: NamespaceConfig): NamespaceConfig =>
  Object.fromEntries(NAMESPACE_KEYS.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])));

/** What a namespace contains. Determines its default policies. */
export type NamespaceKind = "runtimes" | "ray" | "bundles" | "teraslice" | "jupyterhub" | "service" | "team";

/** A component that uses a namespace, and its requirements. */
export interface NamespaceUser {
  readonly kind: NamespaceKind;
  readonly config: NamespaceConfig;
  /** The strictest Pod Security level that its pods are known to meet. */
  readonly passes: PodSecurityLevel;
  /** Ports that other namespaces may connect to by default, such as that of metrics. Default: all. */
  readonly openPorts?: readonly number[];
}

/** What a component configures for a namespace. */
export interface NamespaceClaim {
  /** Path of the keys. */
  readonly base: Path;
  readonly createNamespace: boolean;
  /** Whether nothing else may create the namespace. Default: all users of it create it together. */
  readonly isOnly?: boolean;
  /** Server URL of a cluster other than the platform's. */
  readonly server?: string | undefined;
  readonly namespace: string;
  readonly config: NamespaceConfig;
}
