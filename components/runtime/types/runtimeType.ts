import type * as pulumi from "@pulumi/pulumi";
import type { AdoptedDatabase } from "../../clickhouse/adopted";
import type { ClickHousePlan } from "../../clickhouse/plan";
import type { StateResource, StateResources } from "../../resources/ownState";
import type { RuntimeOutputs } from "../platform/platform";
import type { Present } from "../request/present";
import type { Placed, PlanBase } from "./planBase";

/** What creating a runtime takes besides its plan. */
export interface RuntimeOptions {
  /** PostgreSQL URL of the ledger; a secret. Only a static runtime needs it. */
  readonly ledgerUrl?: string;
  /** Whether the runtime may move to another place: host of its pool (to grow, or off a drained one), namespace, cluster. */
  readonly allowMove: boolean;
  /** The runtime as it was before this run. */
  readonly present?: Present<unknown>;
  /** Platform stack. */
  readonly platform: string;
  /** Command that deploys it, for the record. */
  readonly command: string;
  /** `cluster`: what is in a cluster of its own stays as it is, and the cluster is not waited for. Default: everything. */
  readonly only?: "cluster";
  /** Operation of the service that this run is for. */
  readonly operation?: string;
  /** Settings that the service gives, for the record. Default: none. */
  readonly fromService?: readonly string[];
  /** The resources of the stack as they were before this run. Default: none. */
  readonly state?: StateResources;
  /** Owner id of objects that already exist, and are to be taken over. */
  readonly adopt?: string;
  /** Whether the deployment as requested for is a secret in the stack's config. */
  readonly secretDeployment: boolean;
  /** The deployment's database in ClickHouse. Default: none. */
  readonly clickhouse?: ClickHousePlan;
  /** What is there of that already. Default: nothing. */
  readonly adoptedDatabase?: AdoptedDatabase;
}

/** Outputs before all of them are known. */
export type RuntimeStackOutputs = { readonly [K in keyof RuntimeOutputs]: pulumi.Input<RuntimeOutputs[K]> };

/** The outputs that depend on the type. */
export type OwnOutputs = Pick<RuntimeStackOutputs, "host" | "audienceUrl" | "dataDir"> & Partial<RuntimeStackOutputs>;

/**
 * A type of provisioner, as runtimes see it: what a deployment becomes, where it is, and how it is created. Everything but
 * `create` is pure. Registered in registry.ts.
 */
export interface RuntimeType<Spec, Plan extends PlanBase, Place> {
  /** What a deployment becomes with a provisioner of this type. */
  plan(base: Omit<PlanBase, "name">, spec: Spec): Plan;
  /** The place that a resource of a state says; undefined if it is no runtime of this type. */
  placeIn(urn: string, resource: StateResource): Place | undefined;
  isSamePlace(plan: Plan, place: Place): boolean;
  /** The plan at the place where the runtime is. Throws a ChoiceError where it can't be served there any more. */
  stay(plan: Plan, present: Present<Place>): Placed<Plan>;
  /** Where a plan leads, such as `pool "shared"`. */
  target(plan: Plan): string;
  /** What the provisioner is, for a runtime that is at a place of another type. */
  kind(plan: Plan): string;
  /** Where a runtime is, such as `namespace runtimes of https://…`. */
  describePlace(place: Place): string;
  /** What happens to what is left behind by a move, after "Its data is not copied"; empty if nothing is. */
  leftBehind(place: Place, plan: Plan | undefined): string;
  create(plan: Plan, options: RuntimeOptions): Promise<OwnOutputs>;
}
