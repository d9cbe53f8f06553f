/** How far pods of a namespace may go, by the Pod Security Standards; the strictest first. */
export const POD_SECURITY_LEVELS = ["restricted", "baseline", "privileged"] as const;
export type PodSecurityLevel = (typeof POD_SECURITY_LEVELS)[number];

/** Who reaches the pods of a namespace, and what they reach. */
export interface NamespaceNetwork {
  readonly enabled: boolean;
  /** Namespaces whose pods reach it. Empty: all but those of runtimes. */
  readonly clientNamespaces: readonly string[];
  /** Addresses that reach it: load balancers and controllers that do not come from a pod. */
  readonly clientCidrs: readonly string[];
  /** Whether its pods reach the cloud's metadata address, and with it the role of their node. */
  readonly cloudMetadata: boolean;
}

/** Resource to quantity, as a ResourceQuota has them. */
export type Quantities = Readonly<Record<string, string | number>>;

/** For containers that say nothing themselves, and what they may say. */
export interface ContainerLimits {
  readonly default?: Quantities;
  readonly defaultRequest?: Quantities;
  readonly min?: Quantities;
  readonly max?: Quantities;
}

/** What the config says about a namespace that the platform makes; what it omits has a default. */
export interface NamespaceConfig {
  readonly podSecurity?: PodSecurityLevel;
  readonly networkPolicy?: NamespaceNetwork;
  readonly quota?: Quantities;
  readonly limits?: ContainerLimits;
}

export const NAMESPACE_KEYS = ["podSecurity", "networkPolicy", "quota", "limits"] as const;

/** The keys about the namespace that are given, of whatever has them besides others. */
export const namespaceConfig = (input: NamespaceConfig): NamespaceConfig =>
  Object.fromEntries(NAMESPACE_KEYS.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])));

/** What is in a namespace, which decides what it is protected by. */
export type NamespaceKind = "runtimes" | "ray" | "bundles" | "teraslice" | "jupyterhub" | "service";

/** One of those who use a namespace, and what they need of it. */
export interface NamespaceUser {
  readonly kind: NamespaceKind;
  readonly config: NamespaceConfig;
  /** The strictest level that its pods pass for certain. */
  readonly passes: PodSecurityLevel;
}
