import type * as pulumi from "@pulumi/pulumi";
import type { AdoptedDatabase } from "../clickhouse/adopted";
import type { ClickHousePlan } from "../clickhouse/plan";
import type { StateResource, StateResources } from "../../resources/ownState";
import type { RuntimeOutputs } from "../platform/platform";
import type { Present } from "../record/present";
import type { Placed, PlanBase } from "../planBase";

/** Options for creating a runtime, in addition to its plan. */
export interface RuntimeOptions {
  /** PostgreSQL URL of the ledger; a secret. Required for a static runtime. */
  readonly ledgerUrl?: string;
  /**
   * Whether the runtime may move to another host of its pool (to grow, or off a drained host), namespace or cluster.
   */
  readonly allowMove: boolean;
  /** The runtime before this run. */
  readonly present?: Present<unknown>;
  /** Platform stack. */
  readonly platform: string;
  /** Command that runs the update, for the record. */
  readonly command: string;
  /**
   * `cluster`: update only a dedicated cluster, without its content and without waiting for it. Default: everything.
   */
  readonly only?: "cluster";
  /** Operation of the service that runs the update. */
  readonly operation?: string;
  /** Settings that come from the service, for the record. Default: none. */
  readonly fromService?: readonly string[];
  /** The stack's resources before this run. Default: none. */
  readonly state?: StateResources;
  /** Owner id of existing objects to take over. */
  readonly adopt?: string;
  /** Kept disk that a new runtime uses. Default: a new disk. */
  readonly disk?: string;
  /** Whether the deployment is a secret in the stack config. */
  readonly secretDeployment: boolean;
  /** Plan of the deployment's ClickHouse database. Default: none. */
  readonly clickhouse?: ClickHousePlan;
  /** Existing objects of that database to take over. Default: none. */
  readonly adoptedDatabase?: AdoptedDatabase;
}

/** Outputs that may not be known yet. */
export type RuntimeStackOutputs = { readonly [K in keyof RuntimeOutputs]: pulumi.Input<RuntimeOutputs[K]> };

/** Outputs that depend on the type. */
export type OwnOutputs = Pick<RuntimeStackOutputs, "host" | "audienceUrl" | "dataDir"> & Partial<RuntimeStackOutputs>;

/**
 * A type of provisioner: plans, locates and creates runtimes. Everything except `create` is pure. Registered in
 * registry.ts.
 */
export interface RuntimeType<Spec, Plan extends PlanBase, Place> {
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
  create(plan: Plan, options: RuntimeOptions): Promise<OwnOutputs>;
}
