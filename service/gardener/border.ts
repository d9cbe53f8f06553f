import { wantedProvisioner } from "../../components/runtime/choice";
import { ChoiceError } from "../../components/runtime/choiceError";
import type { Deployment, Platform } from "../../components/runtime/platform/platform";
import { planGardener } from "../../components/runtime/types/gardener/plan";
import { withServiceDefaults, type ServiceDefaults } from "../../components/runtime/types/gardener/serviceDefaults";
import { isObject } from "../../foundation/json/isObject";
import { OperationError } from "../operations/error";
import type { Log } from "../workers/log";
import type { Placed } from "./gardens";

/** Reading a platform may start the CLI. */
const WITHIN_MS = 10_000;
const SIZE = { cpu: 0, memoryGb: 0, storageBytes: 0 };

/** Throws where the provisioner of a runtime can't serve what is asked for. */
export type BorderCheck = (runtime: Placed) => Promise<void>;

/**
 * Plans a request with the settings of its provisioner, as the engine will, before anything is stored: the caller hears at
 * once of a version of Kyma that there is not, or a name that is too long. A platform that can't be read keeps nobody from
 * asking; the operation finds out then.
 */
export function borderCheck(
  platformOf: (name: string) => Promise<Platform>,
  defaults: ServiceDefaults,
  log: Pick<Log, "warn">,
): BorderCheck {
  return async (runtime) => {
    const { desiredConfig, id, provisioner } = runtime;
    const name = typeof desiredConfig.platform === "string" ? desiredConfig.platform : "";
    const platform = await within(platformOf(name)).catch((error: unknown) => {
      log.warn({ err: error, platform: name }, "a request was not checked against its platform");
      return undefined;
    });
    if (platform === undefined) return;
    const asked = isObject(desiredConfig.deployment) ? desiredConfig.deployment : {};
    const deployment = { environment: "prod", annotations: {}, ...asked, id } as unknown as Deployment;
    try {
      const chosen = provisioner ?? wantedProvisioner(platform, deployment).provisioner;
      const served = withServiceDefaults(platform, chosen, defaults, { deployment: id });
      const spec = served.platform.provisioners[chosen];
      if (spec?.type === "gardener") planGardener({ provisioner: chosen, deployment, ...SIZE }, spec);
    } catch (error) {
      if (!(error instanceof ChoiceError)) throw error;
      throw new OperationError("BAD_INPUT", { reason: error.message, component: "input" });
    }
  };
}

/** Nobody waits longer for a platform. */
async function within<T>(answer: Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(WITHIN_MS);
  const over = new Promise<never>((_resolve, reject) => {
    late.addEventListener("abort", () => reject(new Error("no answer in time")), { once: true });
  });
  return Promise.race([answer, over]);
}
