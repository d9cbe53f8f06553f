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

export interface Deployment {
  readonly id: string;
  readonly stack: string;
  readonly tenant: string;
  readonly revision: number;
  readonly desiredState: string;
  readonly protected: boolean;
  readonly desiredConfig: { readonly deployment?: { readonly version?: string; readonly slots?: number } };
  readonly provisioner: string | null;
  readonly updatedAt: string;
  readonly health: { readonly state: string; readonly reason: string | null } | null;
  readonly drift: { readonly changes: readonly object[]; readonly error: string | null } | null;
  readonly runtime: { readonly host: string | null; readonly state: string | null } | null;
  readonly lifetime?: Lifetime | null;
  readonly lastOperation: Operation | null;
}

export const DEPLOYMENT = `id stack tenant revision desiredState protected desiredConfig platform provisioner createdAt updatedAt
  health { state reason checkedAt } drift { checkedAt changes { action type name } error }
  runtime { host audienceUrl cpu memoryGb storageBytes dataDir provisioner state } lastOperation { ${OPERATION} }`;

/** With what a list does not show. */
export const DETAILS = `${DEPLOYMENT}
  lifetime { timeToLive idleLimit stoppedRetention expiresAt idleSince hibernatesAt deletesAt announcedAt }`;

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

export const PLAN = "plan { notes changes { action type name properties { path before after } } }";

export interface ShownPlan {
  readonly notes: readonly string[];
  readonly changes: readonly {
    readonly action: string;
    readonly type: string;
    readonly name: string;
    readonly properties: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[];
  }[];
}

/** Response of a mutation. */
export interface Payload {
  readonly operation: Operation | null;
  readonly deployment: Deployment | null;
  readonly plan: ShownPlan | null;
}

export const PAYLOAD = `{ operation { ${OPERATION} } deployment { ${DETAILS} } ${PLAN} }`;
