import type { Deployment } from "../platform/platform";
import type { RuntimeSize } from "../size";

/** What every runtime is, whatever makes it. */
export interface PlanBase extends RuntimeSize {
  /** Name of a new runtime's resources: the same for provisioners at the same place. */
  readonly name: string;
  readonly provisioner: string;
  readonly deployment: Deployment;
  /** Revision of the provisioner, as the platform exports it. */
  readonly revision?: string;
}

/** A plan at the place where the runtime is to be. */
export interface Placed<Plan> {
  readonly plan: Plan;
  /** What a user must know before it is carried out. */
  readonly notes: readonly string[];
}
