import { messageOf } from "../../../foundation/errors";
import type { StaticProvisioner } from "../../../components/runtime/types/static/spec";
import type { HealthRow } from "../../database/watchTables";
import { HEALTHY, type Health, type HealthOf } from "./health";

const PATIENCE_MS = 5_000;

/** A runtime on a host of a pool is healthy while the host answers. */
export const hostHealth: HealthOf<StaticProvisioner> = async ({ host, before }, _provisioner, looking) => {
  if (host === null || !/^https?:\/\//.test(host)) {
    return { state: "unknown", reason: "its host is not a valid URL" };
  }
  return judgeHost(host, await looking.once([host], () => failureOf(host)), before);
};

/**
 * Returns the connection failure, or undefined. Any HTTP response counts as healthy, because the endpoint may require a
 * token.
 */
async function failureOf(host: string): Promise<string | undefined> {
  try {
    const response = await fetch(host, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
    await response.body?.cancel();
    return response.status === 502 || response.status === 503 || response.status === 504
      ? `it answers ${response.status}`
      : undefined;
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return messageOf(cause).split("\n")[0];
  }
}

/**
 * Judges a host by its response. A host that never answered may be unreachable for the service, for example because of
 * a NetworkPolicy, so its health is unknown. Pure.
 */
export function judgeHost(host: string, failure: string | undefined, before: HealthRow["state"] | null): Health {
  if (failure === undefined) return HEALTHY;
  const hasAnswered = before === "healthy" || before === "unhealthy";
  return hasAnswered
    ? { state: "unhealthy", reason: `host ${host} does not answer: ${failure}` }
    : { state: "unknown", reason: `host ${host} has not answered yet: ${failure}` };
}
