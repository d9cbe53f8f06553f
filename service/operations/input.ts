import { KEPT_DISK } from "../../components/runtime/deployment";
import { renderPath } from "../../foundation/schema/faults";
import { PROVISIONER_NAME } from "../../foundation/schema/fields";
import { fieldFaults } from "../../engine/runtime/request/request";
import type { RuntimeChange } from "../../engine/stack/change";
import { hasSecretValues } from "../../engine/stack/secretValues";
import { ID_EXPECTED, isDeploymentId, platformReference } from "../../engine/stack/names";
import type { StackNaming } from "../database/queries/stackNames";
import type { Vault } from "../database/sealing/vault";
import { KINDS, type OperationKind } from "../kinds/kinds";
import type { LimitsChange } from "../lifetimes/rules";
import { OperationError } from "./error";
import { isKey, KEY_EXPECTED } from "./idempotency";

/** The caller and its address. */
export interface Caller {
  readonly tenant: string;
  readonly actor: string;
  readonly role: "admin" | "operator" | "viewer";
  readonly address?: string;
}

/** Callers of the operations that the service itself requests. No token gives anybody one of these names. */
export const SERVICE_ACTORS = { drift: "drift", lifetime: "lifetime", runtimes: "runtimes" } as const;

/** A request for an operation. */
export interface OperationInput {
  readonly deployment: string;
  readonly kind: OperationKind;
  readonly change?: RuntimeChange;
  /** Revision of the deployment that the caller has read. The request fails if there is a newer one. */
  readonly revision?: number;
  /** Reject the request while another operation of the deployment is pending or in progress. */
  readonly alone?: boolean;
  /** Accept a deprovision of a deployment of which nothing was created; it does nothing. Default: there is no such deployment. */
  readonly mayBeGone?: boolean;
  /** A repeated request with the same key returns the same operation. */
  readonly idempotencyKey?: string;
  /** Limits of a new deployment; null for none. Default: those of the service. */
  readonly lifetime?: LimitsChange | null;
  /** How to name the stack of a new deployment. Default: as the service names all. */
  readonly stackNaming?: StackNaming;
}

/** A checked request. */
export type CheckedInput = OperationInput & { readonly change: RuntimeChange };

/** Options of a change that is not an operation. */
export interface Asking {
  /** Revision of the deployment that the caller has read. The request fails if there is a newer one. */
  readonly revision?: number;
  readonly idempotencyKey?: string;
  /** Changes nothing, but fails for the same reasons as the change. */
  readonly dryRun?: boolean;
}

/** Checks a request and completes its change. Throws with all faults of the input, each with its path. */
export function checked(input: OperationInput): CheckedInput {
  const faults: { readonly path: string; readonly message: string }[] = [];
  const fault = (path: string, found: unknown, expected: string) =>
    faults.push({ path, message: `found ${JSON.stringify(found) ?? "nothing"}; expected ${expected}` });
  const { deployment: id, kind, idempotencyKey, revision } = input;
  const { moves, creates } = KINDS[kind];
  if (!isDeploymentId(id)) fault("id", id, ID_EXPECTED);
  if (idempotencyKey !== undefined && !isKey(idempotencyKey)) {
    fault("idempotencyKey", idempotencyKey, KEY_EXPECTED);
  }
  if (revision !== undefined && !Number.isInteger(revision)) fault("revision", revision, "a whole number");
  const change = changeOf(input);
  for (const { path, message } of fieldFaults(change.deployment)) faults.push({ path: renderPath(path), message });
  if (moves && !PROVISIONER_NAME.test(change.move ?? "")) {
    fault("provisioner", change.move, "the provisioner to move to; the one it is with moves it within that one");
  }
  if (!moves && change.move !== undefined) fault("move", change.move, "nothing; ask for a move by itself");
  const { disk } = input.change ?? {};
  if (disk !== undefined && !creates) fault("disk", disk, "nothing; only a new runtime uses a kept disk");
  else if (disk !== undefined && !KEPT_DISK.test(disk)) fault("disk", disk, "the name of a kept disk");
  if (faults.length > 0) throw refused(faults);
  return { ...input, change };
}

function refused(faults: readonly { readonly path: string; readonly message: string }[]): OperationError {
  const reason = faults.map(({ path, message }) => `${path}: ${message}`).join("\n");
  return new OperationError("BAD_INPUT", { reason, component: "input", path: faults[0]?.path });
}

/** Unset fields are removed, so that equal requests compare as equal. */
function changeOf({ kind, change }: OperationInput): RuntimeChange {
  const { change: fixed, moves } = KINDS[kind];
  if (fixed !== undefined) return { deployment: fixed };
  const { deployment = {}, platform, move, disk } = change ?? { deployment: {} };
  const given = Object.fromEntries(Object.entries(deployment).filter(([, value]) => value !== undefined));
  const target = moves ? { provisioner: move ?? undefined } : {};
  return {
    deployment: { ...target, ...given },
    ...(platform !== undefined && { platform: referenceOf(platform) }),
    ...(move !== undefined && { move }),
    ...(disk !== undefined && { disk }),
  };
}

function referenceOf(platform: string): string {
  try {
    return platformReference(platform);
  } catch (error) {
    throw new OperationError("BAD_INPUT", {
      reason: error instanceof Error ? error.message : String(error),
      component: "input",
      path: "platform",
    });
  }
}

/** Throws if a request has secrets and the service has no key to seal them: secrets are never stored in plain text. */
export function demandKey(change: RuntimeChange, vault: Vault): void {
  if (vault.writer || !hasSecretValues(change)) return;
  throw new OperationError("UNAVAILABLE", {
    reason: "the request has secret values, and this service has no key to seal them with",
    path: "input",
    advice: "Set APP_ENCRYPTION_KEYS of the service, or send the request without secret values",
    retryable: false,
  });
}

/** Throws if the caller is no administrator. */
export function demandAdmin({ role }: Caller): void {
  if (role !== "admin") throw new OperationError("FORBIDDEN", { reason: "only an administrator may do that" });
}
