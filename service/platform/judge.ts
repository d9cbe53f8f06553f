import { planClickHouse } from "../../components/runtime/clickhouse/plan";
import { wantedProvisioner } from "../../components/runtime/choice";
import { ChoiceError } from "../../components/runtime/choiceError";
import { planRuntime } from "../../components/runtime/plan";
import type { Platform } from "../../components/runtime/platform/platform";
import { decodeRuntimeConfig } from "../../components/runtime/deployment";
import { withServiceDefaults, type ServiceDefaults } from "../../components/runtime/types/gardener/serviceDefaults";
import { Failure } from "../../foundation/errors";
import { ConfigError, renderPath } from "../../foundation/schema/faults";
import type { CheckedRequest, RequestCheck } from "../operations/checks";
import { OperationError } from "../operations/error";
import { platformSoon, type PlatformPlace } from "./soon";

export interface RequestCheckOptions extends PlatformPlace {
  readonly serviceDefaults?: ServiceDefaults;
}

/** A rejection needs recent outputs: the provisioner may have been added since. */
const FRESH_MS = 1_000;

/** Checks requests against the outputs of their platforms. The operation checks again when it runs. */
export function requestCheck({ serviceDefaults, ...place }: RequestCheckOptions): RequestCheck {
  return async (asked) => {
    const name = typeof asked.desiredConfig.platform === "string" ? asked.desiredConfig.platform : "";
    for (const mostAgeMs of [undefined, FRESH_MS]) {
      const found = await platformSoon(place, name, mostAgeMs);
      if (found instanceof Failure) return missing(found, asked);
      const refusal = found && refusalOf(asked, found, serviceDefaults);
      if (refusal === undefined || mostAgeMs === FRESH_MS) return refusal;
    }
    return undefined;
  };
}

/**
 * The platform does not exist. This is the caller's error if the request names it, and the service's if it is the
 * default.
 */
function missing({ message }: Failure, { change }: CheckedRequest): OperationError {
  const details = { reason: `platform: ${message}`, component: "platform", path: "platform" };
  if (change.platform !== undefined) return new OperationError("BAD_INPUT", details);
  return new OperationError("PROVISIONING_FAILED", {
    ...details,
    advice: "Ask an administrator to deploy the platform",
  });
}

/** Why a platform can't give a deployment what it asks for. Pure. */
export function refusalOf(
  { deployment: id, change, desiredConfig, provisioner: present }: CheckedRequest,
  platform: Platform,
  serviceDefaults?: ServiceDefaults,
): OperationError | undefined {
  try {
    const { deployment, platform: stack } = decodeRuntimeConfig(
      { platform: desiredConfig.platform, deployment: desiredConfig.deployment },
      id,
    );
    const { provisioner: wanted, explicit } = wantedProvisioner(platform, deployment);
    const provisioner = explicit || present === null ? wanted : present;
    // If the provisioner of an existing runtime is gone, the operation reports it.
    if (!Object.hasOwn(platform.provisioners, provisioner)) return undefined;
    const { platform: served } = withServiceDefaults(platform, provisioner, serviceDefaults ?? {}, { deployment: id });
    planRuntime(served, deployment, provisioner);
    // Existing resources may stay, so only requested ones are checked.
    if (change.deployment.resources !== undefined) planClickHouse(platform, deployment, stack);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return refusedFor(error);
    if (!(error instanceof ChoiceError) || error.kind !== "input") throw error;
    return new OperationError("BAD_INPUT", { reason: error.message, component: "platform", path: error.path });
  }
}

/** Formats the faults like those of single fields. */
function refusedFor({ faults }: ConfigError): OperationError {
  const lines = faults.map(({ path, message }) => ({ path: renderPath(path.slice(1)), message }));
  const reason = lines.map(({ path, message }) => `${path}: ${message}`).join("\n");
  return new OperationError("BAD_INPUT", { reason, component: "input", path: lines[0]?.path });
}
