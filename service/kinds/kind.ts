import type { DeploymentChange } from "../../engine/stack/change";
import type { Goal, ShootVerdict } from "../../kubernetes/gardener/judge";
import type { ClusterLimits } from "./clusterLimits";

/** A stage in which an operation waits for Gardener. */
export interface ClusterWait {
  readonly name: ShootVerdict["stage"];
  readonly goal: Goal;
  readonly limit: keyof ClusterLimits;
  /** Wait until Gardener is done, and don't continue when it reaches another stage. */
  readonly alone?: true;
}

/**
 * The contract of a kind of operation: an entry in kinds.ts. It omits what it does not have. The default is an update of
 * an existing deployment with the change of the request. `Type`: what the runtime API calls it.
 */
export interface Kind<Type extends string = string> {
  /** For messages, such as `hibernated`. */
  readonly participle: string;
  /** The change, whatever the request says. */
  readonly change?: DeploymentChange;
  /** Creates the deployment, which must not exist yet. */
  readonly creates?: true;
  /** Deletes the deployment. No later request is accepted. */
  readonly deletes?: true;
  /** The request must name a provisioner to move to. */
  readonly moves?: true;
  /** Reads what is running before it changes anything. */
  readonly refreshes?: true;
  /** May delete the disk, database, cluster or slots, so it is rejected for a protected deployment. */
  readonly mayDeleteData?: true;
  /** Counts as a use of the deployment, which restarts its idle limit. */
  readonly isUse?: true;
  /**
   * Stages of a deployment with its own cluster: first a change of the cluster, then these, then its content. Default:
   * one run of the engine, which waits for the cluster itself.
   */
  readonly cluster?: { readonly waits: readonly ClusterWait[]; readonly changesContent?: true };
  /** The terms of the runtime API. */
  readonly runtimes: {
    /** `hasKyma`: whether the stored runtime has Kyma. */
    type(change: DeploymentChange, hasKyma: boolean): Type;
    /** Message while the operation waits. */
    readonly started: string;
    /** What it calls stages that run the engine. */
    readonly stages: Readonly<Record<string, string>>;
  };
}

/** Checks a kind against the contract, and infers its type in the runtime API. */
export const kindOfOperation = <Type extends string>(one: Kind<Type>): Kind<Type> => one;
