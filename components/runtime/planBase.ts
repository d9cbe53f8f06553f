import type { Deployment } from "./request/deployment";
import type { RuntimeSize } from "./size";

/** Plan fields that all types share. */
export interface PlanBase extends RuntimeSize {
  /** Name of a new runtime's resources. Equal for provisioners with the same location. */
  readonly name: string;
  readonly provisioner: string;
  readonly deployment: Deployment;
  /** Revision of the provisioner, as the platform exports it. */
  readonly revision?: string;
}

/** A plan for the location where the runtime is kept. */
export interface Placed<Plan> {
  readonly plan: Plan;
  /** Messages for the user about the plan. */
  readonly notes: readonly string[];
}
