import { isDeepStrictEqual } from "node:util";
import { isObject, type Json } from "../../foundation/json/isObject";
import { listAt, textAt } from "../../kubernetes/objects/objects";
import type { OperationRow, StoredError } from "../database/tables";
import { KINDS } from "../kinds/kinds";
import { isRefusal } from "../operations/error";
import { inRuntime } from "./request/cluster";

/** What a Runtime's status says, with the conditions and reasons of the Kyma Infrastructure Manager. Pure. */

type ConditionType = "Provisioned" | "KubeconfigReady" | "OidcAndConfigMapConfigured" | "Configured" | "Deprovisioned";

interface Condition {
  readonly type: ConditionType;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

export interface Verdict {
  readonly state: "Pending" | "Ready" | "Failed" | "Terminating";
  readonly conditions: readonly Condition[];
}

/** Limit of the API server. */
const LONGEST = 32_768;

const verdict = (state: Verdict["state"], condition: Condition): Verdict => ({ state, conditions: [condition] });

/** The service has seen the Runtime, and waits for what the message says. */
export const initialized = (message: string): Verdict =>
  verdict("Pending", { type: "Provisioned", status: "Unknown", reason: "Initialised", message });

/** The Runtime asks for what the service can't do. */
export const refused = (message: string): Verdict =>
  verdict("Failed", { type: "Provisioned", status: "False", reason: "ConversionErr", message: inRuntime(message) });

type Why = Pick<StoredError, "reason" | "advice" | "path">;

/** Why something failed, with the path of the Runtime before it. */
function textOf({ reason, advice, path }: Why): string {
  const isPlaced = path?.startsWith("cluster.") !== true || reason.startsWith(path);
  const placed = isPlaced ? reason : `${path}: ${reason}`;
  return inRuntime(advice === undefined ? placed : `${placed}. ${advice}`);
}

/** The service refuses the request. */
export const refusedFor = (why: Why): Verdict => refused(textOf(why));

type Seen = Pick<OperationRow, "id" | "kind" | "state" | "stage" | "error" | "message" | "requestedBy">;

/** An operation waits or runs. */
export function pending({ id, kind, stage }: Seen): Verdict {
  const { creates } = KINDS[kind];
  const message = `operation ${id} (${kind}) ${stage === null ? "waits for its turn" : `is in stage ${stage}`}`;
  return verdict("Pending", {
    ...{ type: "Provisioned", status: "Unknown", message },
    reason: creates === true ? "Pending" : "Processing",
  });
}

/** An operation has failed or was canceled. */
export function failed({ id, kind, error, message }: Seen): Verdict {
  const why = error === null ? message : textOf(error);
  return verdict("Failed", {
    type: "Provisioned",
    status: "False",
    reason: reasonOf(KINDS[kind].creates === true, error),
    message: `operation ${id} (${kind}): ${why}`,
  });
}

function reasonOf(creates: boolean, error: StoredError | null): string {
  if (isRefusal(error)) return "ConversionErr";
  if (error?.component === "gardener-api") return "GardenerErr";
  return creates && error?.component === "gardener" ? "CreationErr" : "ProcessingErr";
}

/** The cluster is as the Runtime asks for. */
export const ready = ({ kind }: Pick<OperationRow, "kind">, subject: string): Verdict => ({
  state: "Ready",
  conditions: [
    {
      type: "Provisioned",
      status: "True",
      reason: KINDS[kind].creates === true ? "ShootCreationCompleted" : "ConfigurationCompleted",
      message: `${subject} is as requested`,
    },
    {
      type: "KubeconfigReady",
      status: "True",
      reason: "GardenerClusterCRReady",
      message: "The Secret with the kubeconfig is up to date",
    },
    {
      type: "OidcAndConfigMapConfigured",
      status: "True",
      reason: "OidcAndConfigMapsConfigured",
      message: "The API server has its OIDC provider from the Shoot",
    },
    {
      type: "Configured",
      status: "True",
      reason: "AdministratorsConfigured",
      message: "Administrators are bound to cluster-admin",
    },
  ],
});

/** The cluster is there, and its kubeconfig is not. */
export const withoutKubeconfig = (message: string): Verdict =>
  verdict("Pending", { type: "KubeconfigReady", status: "False", reason: "KubernetesErr", message });

/** The cluster is being deleted; `operation` does it, if it was accepted already. */
export const terminating = (operation: Seen | undefined): Verdict =>
  verdict("Terminating", {
    type: "Deprovisioned",
    status: "Unknown",
    reason: "GardenerShootDeleted",
    message: operation ? (pending(operation).conditions[0]?.message ?? "") : "the deletion is being requested",
  });

/** The deletion has failed or was refused, and is tried again. */
export const notDeleted = (why: Why): Verdict =>
  verdict("Terminating", {
    type: "Deprovisioned",
    status: "False",
    reason: "GardenerErr",
    message: textOf(why),
  });

/** The status to write: the one before with the verdict. Undefined if that says the same. */
export function statusAfter(before: unknown, { state, conditions }: Verdict, now: Date): Json | undefined {
  const old = listAt(before, "conditions");
  const next = [...old];
  for (const { message, ...condition } of conditions) {
    const index = old.findIndex(({ type }) => type === condition.type);
    const was = old[index];
    const isSame = was?.["status"] === condition.status;
    const lastTransitionTime = isSame ? textAt(was, "lastTransitionTime") : undefined;
    const one = {
      ...condition,
      message: message.slice(0, LONGEST),
      lastTransitionTime: lastTransitionTime ?? now.toISOString().replace(/\.\d+Z$/, "Z"),
    };
    if (index < 0) next.push(one);
    else next[index] = one;
  }
  const fields = isObject(before) ? before : {};
  const isCompleted = state === "Ready" || fields["provisioningCompleted"] === true;
  const status = { ...fields, state, conditions: next, ...(isCompleted && { provisioningCompleted: true }) };
  return isDeepStrictEqual(status, before) ? undefined : status;
}
