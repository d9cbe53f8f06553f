import type { SetCondition } from "../../engine/runtime/contents";
import type { PlannedChange } from "../../engine/update/planned";

/** An operation in the commands' output. */
export interface Operation {
  readonly id: string;
  readonly deploymentId: string;
  readonly kind: string;
  readonly state: string;
  readonly stage: string | null;
  readonly message: string | null;
  readonly durationSeconds: number | null;
  readonly requestedBy: string;
  readonly requestedAt: string;
  /** The later operation that includes this request. */
  readonly replacedBy: string | null;
  readonly error: { readonly code: string; readonly reason: string; readonly advice: string | null } | null;
}

export const OPERATION =
  "id deploymentId kind state stage message durationSeconds requestedBy requestedAt replacedBy error { code reason component path advice retryable }";

/** What an operation did, without secrets. */
export interface EndedOperation extends Operation {
  readonly result: {
    readonly changes: Readonly<Record<string, number>>;
    readonly outputs: Readonly<Record<string, unknown>>;
    readonly notes: readonly string[];
  } | null;
}

/** A deployment with its runtime. */
export interface Deployment {
  readonly id: string;
  readonly stack: string;
  readonly tenant: string;
  readonly revision: number;
  readonly desiredState: string;
  readonly protected: boolean;
  readonly config: {
    readonly version: string | null;
    readonly slots: number | null;
    readonly environment: string | null;
  };
  readonly platform: string | null;
  readonly provisioner: string | null;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly outdated: boolean | null;
  readonly health: { readonly state: string; readonly reason: string | null } | null;
  readonly drift: { readonly changes: readonly object[]; readonly error: string | null } | null;
  readonly runtime: Readonly<Record<string, string | number | null>> | null;
  readonly lastOperation: Operation | null;
}

export const DEPLOYMENT = `id stack tenant revision desiredState protected config { version slots environment } platform provisioner updatedAt
  deletedAt outdated health { state reason checkedAt } drift { checkedAt changes { action type name } error }
  runtime { host audienceUrl cpu memoryGb storageBytes dataDir provisioner state } lastOperation { ${OPERATION} }`;

const LIFETIME =
  "lifetime { timeToLive idleLimit stoppedRetention expiresAt idleSince hibernatesAt deletesAt announcedAt }";

/** With what a list does not show. */
export interface DetailedDeployment extends Deployment {
  readonly lifetime: Lifetime | null;
}

export const DETAILS = `${DEPLOYMENT} ${LIFETIME}`;

const CONTENTS = `contents { consistsOf conditions {
  objects { object state detail lines disks { claim bytes since goes } findings { kind object text repairable } } elsewhere unknown } }`;

/** With what its runtime consists of, for one deployment. */
export interface WholeDeployment extends DetailedDeployment {
  readonly contents: {
    readonly consistsOf: readonly string[];
    readonly conditions: readonly {
      readonly [Kind in "objects" | "elsewhere" | "unknown"]: Extract<SetCondition, Record<Kind, unknown>>[Kind] | null;
    }[];
  } | null;
}

export const WHOLE = `${DETAILS} ${CONTENTS}`;

/** When a deployment is hibernated and deprovisioned by itself. */
export interface Lifetime {
  readonly stoppedRetention: string | null;
  readonly hibernatesAt: string | null;
  readonly deletesAt: string | null;
}

/** A notice of the service. */
export interface Notice {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly level: string;
  readonly subject: string;
  readonly text: string;
}

/** Response of a mutation. */
export interface Payload {
  readonly operation: Operation | null;
  readonly deployment: DetailedDeployment | null;
  readonly plan: {
    readonly notes: readonly string[];
    readonly changes: readonly PlannedChange[];
    readonly outputs: Readonly<Record<string, unknown>> | null;
  } | null;
}

export const PAYLOAD = `{ operation { ${OPERATION} } deployment { ${DETAILS} }
  plan { notes outputs changes { action type name urn properties { path before after } } } }`;
