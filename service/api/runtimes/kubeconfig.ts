import { messageOf } from "../../../foundation/errors";
import type { Caller } from "../../operations/input";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import type { MutationIssueRuntimeKubeconfigArgs } from "../schema.types";
import { runtimeOf } from "./guard";

/** Gardener's limits and our default, in seconds. */
const LIFE = { least: 600, most: 86_400, usual: 3600 } as const;
/** A user waits for the response, but the kubeconfig is all that it contains. */
const WITHIN_MS = 10_000;

/**
 * Issues a short-lived kubeconfig for the cluster of a runtime. Viewers only get a viewer's kubeconfig. The grant is
 * recorded in the audit trail before the kubeconfig is returned.
 */
export async function issueKubeconfig(
  { id, role, expirationSeconds }: MutationIssueRuntimeKubeconfigArgs,
  caller: Caller,
  context: ApiContext,
) {
  const { backend, runtimes } = context;
  const [wanted, life] = [role ?? "viewer", expirationSeconds ?? LIFE.usual];
  if (life < LIFE.least || life > LIFE.most) {
    const reason = `found ${life}; expected a number of seconds from ${LIFE.least} to ${LIFE.most}`;
    throw new ApiError({ code: "BAD_INPUT", path: "expirationSeconds", reason });
  }
  const row = await runtimeOf(id, caller, context);
  if (wanted === "admin" && caller.role === "viewer") {
    await backend.refused(caller, "issueRuntimeKubeconfig", id);
    throw new ApiError({ code: "FORBIDDEN", path: "role", reason: "a viewer may have the role viewer only" });
  }
  if (row.deletedAt !== null) throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "the runtime is deleted" });
  if (runtimes.shoots === undefined) throw unavailable("the service has no way to Gardener");
  const asked = { role: wanted, expirationSeconds: life };
  const issued = await runtimes.shoots.issue(row, asked, WITHIN_MS).catch((error: unknown) => {
    throw unavailable(`Gardener issued none: ${messageOf(error)}`);
  });
  const expiresAt = new Date(issued.expires);
  const details = { role: wanted, expiresAt: expiresAt.toISOString() };
  await backend.granted(caller, { action: "issueRuntimeKubeconfig", target: id, details });
  return { kubeconfig: issued.kubeconfig, role: wanted, expiresAt };
}

const unavailable = (reason: string): ApiError =>
  new ApiError({ code: "UNAVAILABLE", component: "gardener", reason, retryable: true });
