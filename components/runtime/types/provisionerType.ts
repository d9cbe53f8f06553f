import type * as z from "zod";
import type { Fault, Path } from "../../../foundation/schema/faults";
import type { ClusterAccess } from "../../cluster/access/kubeconfig";
import type { DecodeContext } from "../../contract/decoding";
import type { ClusterNeed } from "../../contract/needs";
import type { NamespaceConfig } from "../../namespaces/settings";
import type { StateResource } from "../../resources/ownState";
import type { PoolHost } from "../../resources/staticPool";
import type { Placed, PlanBase } from "../planBase";
import type { Present } from "../record/present";
import type { Template } from "../template";
import type { OwnOutputs, RuntimeOptions } from "./runtimeType";

/** A provisioner as a platform creates it. */
export interface ProvisionerConfig {
  readonly type: string;
  /** Hosts of its pool in the ledger. Default: it has no pool; the platform registers it in its cluster. */
  readonly hosts?: readonly PoolHost[];
  /** Access to its cluster. Default: the platform's cluster. */
  readonly access?: ClusterAccess;
  /** Whether the platform creates the namespace of the settings. Default: false. */
  readonly createNamespace?: boolean;
  /** Policies of that namespace, as far as the config sets them. Default: its cluster has no such namespace. */
  readonly namespace?: NamespaceConfig;
  /** What runtimes depend on; runtime stacks read it together with the pool or the access. */
  readonly settings: {
    readonly namespace?: string;
    /** Image without a tag. */
    readonly image?: string;
    readonly templates?: readonly Template[];
    readonly [field: string]: unknown;
  };
}

/** What a check across provisioners gets. */
export interface CheckContext {
  /** Describes what the config has at a path. */
  readonly found: (path: Path) => string;
  /** Whether `cluster` is set at all. */
  readonly clusterGiven: boolean;
}

/**
 * The contract of a type of provisioner: a folder whose `type.ts` exports this, and one line in registry.ts. It omits
 * what it does not have. Everything except `create` is pure.
 */
export interface ProvisionerType<
  Schema extends z.ZodObject = z.ZodObject,
  Spec = unknown,
  Plan extends PlanBase = PlanBase,
  Place = unknown,
> {
  /** `type` in the stack config, in outputs and in plans. */
  readonly type: string;
  /** Its entries in the stack config. */
  readonly schema: Schema;
  /** What runtime stacks read of a provisioner: its settings and its pool or access. */
  readonly spec: z.ZodObject;
  /** Values of required fields, to check the files of a provisioner with faults too. Default: they are not checked. */
  readonly standIns?: Readonly<Record<string, unknown>>;
  /** What its deployments get, as a ProvisionerRegistration says it. Default: their runtime. */
  readonly gives?: string;
  /** Whether its deployments can't follow it to another cluster or namespace. */
  readonly isFixed?: true;
  /** Whether deployments may request a cluster with Kyma and a registration. */
  readonly takesCluster?: true;
  /** Whether a new runtime may use a kept disk. */
  readonly takesDisk?: true;
  /** Whether runtime stacks need the Kubernetes provider, which then starts early. */
  readonly usesKubernetes?: true;
  /** Whether a move deletes its runtime at once, even if the new one is hibernated. */
  readonly isDeletedByMove?: true;

  /** Checks across its provisioners, by name. */
  faults?(provisioners: Readonly<Record<string, z.output<Schema>>>, context: CheckContext): readonly Fault[];
  /** Completes the settings at `base`. Returns undefined and adds faults if they are invalid. */
  decode(context: DecodeContext, base: Path, input: z.output<Schema>): ProvisionerConfig | undefined;

  /** What its runtimes need of their cluster. */
  needs?(path: string, config: ProvisionerConfig): readonly ClusterNeed[];

  /** Plans a deployment's runtime with a provisioner of this type. */
  plan(base: Omit<PlanBase, "name">, spec: Spec): Plan;
  /** The location of a runtime in a resource of a state; undefined if the resource is no runtime of this type. */
  placeIn(urn: string, resource: StateResource): Place | undefined;
  isSamePlace(plan: Plan, place: Place): boolean;
  /** Adapts the plan to the runtime's current location. Throws a ChoiceError if it can no longer be served there. */
  keepInPlace(plan: Plan, present: Present<Place>): Placed<Plan>;
  /** The destination of a plan for messages, such as `pool "shared"`. */
  target(plan: Plan): string;
  /** Describes the provisioner, for a message about a runtime whose location has another type. */
  kind(plan: Plan): string;
  /** The location of a runtime for messages, such as `namespace runtimes of https://…`. */
  describePlace(place: Place): string;
  /**
   * What happens to data at the former location of a moved runtime, as a sentence after "Its data is not copied". Empty
   * if there is none. `hibernated`: the new runtime does not start yet.
   */
  dataAfterMove(place: Place, plan: Plan | undefined, hibernated: boolean): string;
  /** Creates a runtime. Loads the module of its resources here, because a program needs those of one type. */
  create(plan: Plan, options: RuntimeOptions): Promise<OwnOutputs>;
}

/** Checks a type against the contract, and infers its types. */
export const provisionerType = <S extends z.ZodObject, Spec, Plan extends PlanBase, Place>(
  one: ProvisionerType<S, Spec, Plan, Place>,
): ProvisionerType<S, Spec, Plan, Place> => one;
