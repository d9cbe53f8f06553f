import { renderPath } from "../../foundation/schema/faults";
import { PROVISIONER_NAME } from "../../foundation/schema/fields";
import { fieldFaults } from "../../engine/runtime/request/request";
import type { RuntimeChange } from "../../engine/stack/change";
import { hasSecretValues } from "../../engine/stack/secretValues";
import { ID_EXPECTED, isDeploymentId, platformReference } from "../../engine/stack/names";
import type { Vault } from "../database/sealing/vault";
import type { OperationKind } from "../database/tables";
import { OperationError } from "./error";
import { isKey, KEY_EXPECTED } from "./idempotency";

/** Who asks, and from where. */
export interface Caller {
  readonly tenant: string;
  readonly actor: string;
  readonly role: "admin" | "operator" | "viewer";
  readonly address?: string;
}

/** What is asked for. */
export interface OperationInput {
  readonly deployment: string;
  readonly kind: OperationKind;
  readonly change?: RuntimeChange;
  /** The deployment's revision that the caller has seen; refused if there is a newer one. */
  readonly revision?: number;
  /** Refused while another operation of the deployment waits or is in progress. */
  readonly alone?: boolean;
  /** The same key for the same request gives the same operation. */
  readonly idempotencyKey?: string;
}

/** How a change of a deployment is asked for that is no operation. */
export interface Asking {
  /** The deployment's revision that the caller has seen; refused if there is a newer one. */
  readonly revision?: number;
  readonly idempotencyKey?: string;
  /** Changes nothing, and is refused for what the change itself would be refused for. */
  readonly dryRun?: boolean;
}

/** What each kind asks for besides what the caller says. */
const STATES: Partial<Record<OperationKind, "running" | "hibernated">> = { hibernate: "hibernated", wake: "running" };

/** The request with its change in full. Throws with every fault of the input, each with its path. */
export function checked(input: OperationInput): OperationInput & { readonly change: RuntimeChange } {
  const faults: { readonly path: string; readonly message: string }[] = [];
  const fault = (path: string, found: unknown, expected: string) =>
    faults.push({ path, message: `found ${JSON.stringify(found) ?? "nothing"}; expected ${expected}` });
  const { deployment: id, kind, idempotencyKey, revision } = input;
  if (!isDeploymentId(id)) fault("id", id, ID_EXPECTED);
  if (idempotencyKey !== undefined && !isKey(idempotencyKey)) {
    fault("idempotencyKey", idempotencyKey, KEY_EXPECTED);
  }
  if (revision !== undefined && !Number.isInteger(revision)) fault("revision", revision, "a whole number");
  const change = changeOf(input);
  for (const { path, message } of fieldFaults(change.deployment)) faults.push({ path: renderPath(path), message });
  if (kind === "move" && !PROVISIONER_NAME.test(change.move ?? "")) {
    fault("provisioner", change.move, "the provisioner to move to; the one it is with moves it within that one");
  }
  if (kind !== "move" && change.move !== undefined) fault("move", change.move, "nothing; ask for a move by itself");
  if (faults.length > 0) throw refused(faults);
  return { ...input, change };
}

function refused(faults: readonly { readonly path: string; readonly message: string }[]): OperationError {
  const reason = faults.map(({ path, message }) => `${path}: ${message}`).join("\n");
  return new OperationError("BAD_INPUT", { reason, component: "input", path: faults[0]?.path });
}

/** Fields that say nothing are skipped, so that equal requests are equal. */
function changeOf({ kind, change }: OperationInput): RuntimeChange {
  if (kind === "deprovision" || kind === "refresh") return { deployment: {} };
  const state = STATES[kind];
  if (state !== undefined) return { deployment: { state } };
  const { deployment = {}, platform, move } = change ?? { deployment: {} };
  const given = Object.fromEntries(Object.entries(deployment).filter(([, value]) => value !== undefined));
  const target = kind === "move" ? { provisioner: move ?? undefined } : {};
  return {
    deployment: { ...target, ...given },
    ...(platform !== undefined && { platform: referenceOf(platform) }),
    ...(move !== undefined && { move }),
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

/** Throws if a request has secrets and the service has no key to seal them with: they are never stored plain. */
export function demandKey(change: RuntimeChange, vault: Vault): void {
  if (vault.writer || !hasSecretValues(change)) return;
  throw new OperationError("UNAVAILABLE", {
    reason: "the request has secret values, and this service has no key to seal them with",
    path: "input",
    advice: "Set APP_ENCRYPTION_KEYS of the service, or send the request without secret values",
    retryable: false,
  });
}
