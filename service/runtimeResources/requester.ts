import type { KubeObject } from "../../kubernetes/objects/objects";
import type { DeploymentChange } from "../../engine/stack/change";
import type { Backend } from "../api/backend";
import { provisionerOf, type ProvisionerPlace } from "../api/runtimes/asked";
import { OperationError } from "../operations/error";
import { SERVICE_ACTORS, type Caller, type OperationInput } from "../operations/input";
import { ANNOTATIONS, asks } from "./kind";
import { ownOf, type Own, type OwnReads } from "./own";
import type { Wanted } from "./request/wanted";
import * as says from "./status";

export interface RequesterOptions extends ProvisionerPlace {
  readonly backend: {
    readonly changes: Pick<Backend["changes"], "request" | "cancel">;
    readonly reads: OwnReads & ProvisionerPlace["backend"]["reads"];
  };
}

/** What was decided about a Runtime. */
export interface LookResult {
  readonly verdict?: says.Verdict;
  /** When to look again, in milliseconds. Default: when the Runtime or an operation changes. */
  readonly again?: number;
}

export const SOON_MS = 1_000;
export const LATER_MS = 10_000;
/** A refusal may end without a change of the Runtime: a name gets free, or a quota is raised. */
export const REFUSED_MS = 5 * 60_000;

/** The service requests the operations of Runtimes under its own name. */
export const callerOf = (tenant: string): Caller => ({ tenant, actor: SERVICE_ACTORS.runtimes, role: "operator" });

interface Refusal {
  /** What was refused. */
  readonly key: string;
  readonly until: number;
  readonly verdict: says.Verdict;
}

/** Requests operations for Runtimes, as the runtime API does for its callers. */
export class Requester {
  /** By UID of the Runtime. Each request that is refused is a line in the audit trail, so it is not repeated at once. */
  private readonly refusals = new Map<string, Refusal>();

  constructor(private readonly options: RequesterOptions) {}

  async request(
    runtime: KubeObject,
    { id, tenant, cluster }: Wanted,
    own: Own | undefined,
    kind: "provision" | "update",
  ): Promise<LookResult> {
    const { uid = "", generation = 0 } = runtime.metadata;
    const key = JSON.stringify([generation, kind, own?.deployment.revision, own?.newest?.id]);
    const known = this.refusals.get(uid);
    if (known?.key === key && known.until > Date.now() && !asks(runtime, "again")) {
      return { verdict: known.verdict, again: known.until - Date.now() };
    }
    const { changes, reads } = this.options.backend;
    try {
      const annotations = { [ANNOTATIONS.uid]: uid, [ANNOTATIONS.generation]: String(generation) };
      const deployment = { cluster, annotations } as DeploymentChange;
      const operation = await changes.request(await this.inputOf(id, kind, deployment, own), callerOf(tenant));
      this.refusals.delete(uid);
      return { verdict: says.pending(operation), again: SOON_MS };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      // Another request came first.
      const now = error.code === "CONFLICT" ? await ownOf(runtime, reads) : own;
      if (now?.newest?.id !== own?.newest?.id) return { again: 0 };
      if (error.retryable) return { verdict: says.initialized(error.reason), again: LATER_MS };
      const verdict = says.refusedFor(error);
      this.refusals.set(uid, { key, until: Date.now() + REFUSED_MS, verdict });
      return { verdict, again: REFUSED_MS };
    }
  }

  private async inputOf(
    id: string,
    kind: "provision" | "update",
    deployment: DeploymentChange,
    own: Own | undefined,
  ): Promise<OperationInput> {
    // Refused while another operation of the runtime is in progress, as in the runtime API.
    if (kind === "update" && own) {
      const { name, revision } = own.deployment;
      return { deployment: name, kind, change: { deployment }, alone: true, revision };
    }
    const provisioner = await provisionerOf(this.options);
    const change = { deployment: { ...deployment, provisioner }, platform: this.options.defaultPlatform };
    return { deployment: id, kind, change, stackNaming: "id" };
  }
}
