import type { RuntimeJob } from "../../../engine/workers/rollout";
import { Failure, UsageError, type FailureKind } from "../../../foundation/errors";
import { withAdvice } from "../../service/client";
import type { Mutation } from "../../service/mutation";
import type { EndedOperation } from "../../service/queries";
import { limitsInput, type CommonOptions, type LimitOptions } from "../options";
import type { RunResult } from "./target";
import { withoutUndefined } from "../../../foundation/json/withoutUndefined";

/** What a request needs to know of the deployment: undefined if there is none. */
export interface Present {
  readonly platform: string | null;
}

/** Returns the mutation of a request. Pure. */
export function mutationOf(
  { request: { id, change }, destroy, existing }: RuntimeJob,
  present: Present | undefined,
  options: CommonOptions & LimitOptions = {},
): Mutation {
  const verb = (field: string): Mutation => ({ field: `${field}Deployment`, types: { id: "ID!" }, values: { id } });
  if (destroy === true) return verb("deprovision");
  const { platform, move } = change;
  const deployment: Readonly<Record<string, unknown>> = { ...withoutUndefined(change.deployment) };
  const { protected: isProtected, state } = deployment;
  if (isProtected !== undefined) return verb(isProtected === true ? "protect" : "unprotect");
  if (existing === "must-exist") return verb(state === "hibernated" ? "hibernate" : "wake");
  if (typeof move === "string") return moveOf(id, deployment);
  const types = { id: "ID!", deployment: "DeploymentInput!" };
  if (!present) {
    const limits = limitsInput(options);
    return {
      field: "provisionDeployment",
      types: { ...types, platform: "String", disk: "String", lifetime: "LifetimeInput" },
      // Without a limit, those of the service.
      values: {
        id,
        deployment,
        platform,
        disk: options.disk,
        lifetime: Object.keys(limits).length > 0 ? limits : undefined,
      },
    };
  }
  if (platform !== undefined && platform !== present.platform) {
    throw new Failure(`${id}.platform: found ${platform}; expected ${present.platform}, where the runtime stays`);
  }
  const [limit] = Object.keys(limitsInput(options));
  if (limit !== undefined) {
    throw new UsageError(`${id} exists; change its limits with: stackyard runtime lifetime ${id}`);
  }
  if (options.disk !== undefined) throw new UsageError(`--disk: only a new runtime uses a kept disk, and ${id} exists`);
  return { field: "updateDeployment", types, values: { id, deployment } };
}

function moveOf(id: string, change: Readonly<Record<string, unknown>>): Mutation {
  const { provisioner, ...others } = change;
  if (Object.keys(others).length > 0) {
    const what = Object.keys(others).join(", ");
    throw new UsageError(`--move: a service moves without other changes; move ${id} first, then change ${what}`);
  }
  return { field: "moveDeployment", types: { id: "ID!", provisioner: "String" }, values: { id, provisioner } };
}

/** Error codes of the service by the kind of failure that a command has by itself. */
const KINDS: Readonly<Record<string, FailureKind>> = { BAD_INPUT: "input", PROTECTED: "protected" };

/** Returns the result of an operation of the service. Pure. */
export function resultOf(id: string, operation: EndedOperation, milliseconds: number): RunResult {
  const { state, error, message, result } = operation;
  const ok = state !== "failed" && state !== "canceled";
  const reasons = error ? [withAdvice(error.reason, error.advice)] : [message ?? state];
  const kind = KINDS[error?.code ?? ""];
  return {
    id,
    ok,
    milliseconds: Math.round(milliseconds),
    changes: result?.changes ?? {},
    outputs: result?.outputs ?? {},
    errors: ok ? [] : reasons,
    notes: result?.notes ?? [],
    ...(kind && !ok && { kind }),
  };
}
