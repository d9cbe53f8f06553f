import type * as z from "zod";
import type { Path } from "../../foundation/schema/faults";
import type { Resolver } from "../../foundation/schema/resolver";
import type { WantedChart } from "../charts/charts";
import type { ImagePlace } from "../charts/images";
import type { ChartVersions } from "../charts/table";
import type { KubeconfigInput } from "../cluster/access/kubeconfigSchema";
import type { ClusterConfig } from "../cluster/clusterConfig";
import type { NodesMode } from "../cluster/nodePool/pools";
import type { ExistingEks } from "../cluster/onEks/onEks";

/** What a feature's `decode` gets: it adds faults and warnings, charts that it needs, and that it is disabled. */
export interface DecodeContext extends Resolver {
  /** Name of the stack; empty if it is unknown. */
  readonly stack: string;
  /** Whether a config with only some components, and no provisioner, is valid. */
  readonly isPartial: boolean;
  /** Parses a value whose parts are checked one by one. Adds its faults at `path`. */
  readonly parse: Parse;
  /** Node pools in which components of the platform run pods. */
  readonly usedPools: ReadonlySet<string>;
  /** What the features before it in the list offer. */
  readonly offers: Offers;
  readonly wanted: WantedChart[];
  readonly disabled: DisabledComponent[];
  /** Place of images, and chart versions that differ from the tested ones. */
  readonly images: ImagePlace;
  readonly versions: ChartVersions;
}

/** Parses `value` and adds its faults at `path`. Returns undefined if there are any. */
export type Parse = <T>(schema: z.ZodType<T>, path: Path, value: unknown) => T | undefined;

/** What features may refer to in the config of the features before them. */
export interface Offers {
  readonly cluster: OfferedCluster;
  /** IAM roles for service accounts, by entry of the config. */
  readonly roles: Readonly<Record<string, OfferedRole>>;
  /** IngressClasses that are served; undefined if they are unknown. */
  readonly ingressClasses?: readonly string[] | undefined;
  /** Enabled Ray clusters by name, in the order of their names. */
  readonly rayClusters: Readonly<Record<string, OfferedRay>>;
}

interface OfferedCluster {
  /** Whether the config has a cluster at all. */
  readonly isGiven: boolean;
  /** Whether the cluster is on EKS. Known also if its config has faults. */
  readonly isEks: boolean;
  /** As configured; undefined if its schema has faults. */
  readonly input?: ClusterSettings | undefined;
  /** Undefined if there is none, or if its config has faults, which are reported with it. */
  readonly config?: ClusterConfig | undefined;
}

/** The settings of a cluster that other features depend on. */
export type ClusterSettings =
  | { readonly type: "existing"; readonly kubeconfig: KubeconfigInput; readonly eks?: ExistingEks | undefined }
  | {
      readonly type: "eks";
      readonly name: string;
      readonly region: string;
      readonly version: string;
      readonly nodes: NodesMode;
    };

export interface OfferedRole {
  /** Name of the role, if the config sets it. */
  readonly roleName?: string | undefined;
  /** Names of the service accounts that may assume it, by namespace. */
  readonly serviceAccounts: Readonly<Record<string, readonly string[]>>;
  /** `make`: the entry creates these service accounts. */
  readonly accounts: string;
}

export interface OfferedRay {
  readonly rayVersion: string;
  /** Image of its pods. */
  readonly image: string;
}

/** A disabled component, to report what its removal deletes. */
export interface DisabledComponent {
  /** Config key of the component. */
  readonly component: string;
  /** Name of the component's class, which identifies its resources in the state. */
  readonly token: string;
  /** Name of one of its resources, if the platform may have several of the class. Default: any. */
  readonly resource?: string;
  /** What its removal deletes and keeps, for messages. */
  readonly consequences: string;
}
