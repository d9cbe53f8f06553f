import { ChoiceError } from "./choiceError";
import { nearest } from "../../foundation/text/nearest";
import { moveCommand } from "./moveCommand";
import type { Platform } from "./platform/platform";
import type { Deployment } from "./request/deployment";
import type { Present } from "./record/present";

/** The provisioner that a deployment requests, regardless of its current one. */
interface Wanted {
  readonly provisioner: string;
  /**
   * Whether the deployment itself names it. A default does not apply to a deployment that already has a provisioner.
   */
  readonly explicit: boolean;
}

/**
 * The deployment's own provisioner, or else its environment's, or else the default. Throws a {@link ChoiceError} if it
 * is not in the set.
 */
export function wantedProvisioner(platform: Platform, deployment: Deployment): Wanted {
  const known = Object.keys(platform.provisioners);
  const own = deployment.provisioner;
  const ofEnvironment = lookup(platform.environments, deployment.environment);
  const [provisioner, source] =
    own !== undefined
      ? [own, "provisioner"]
      : ofEnvironment !== undefined
        ? [ofEnvironment, `the provisioner of environment "${deployment.environment}"`]
        : [platform.defaultProvisioner, "the default provisioner"];
  if (lookup(platform.provisioners, provisioner) !== undefined) return { provisioner, explicit: own !== undefined };
  const near = nearest(provisioner, known);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  throw new ChoiceError(
    `deployment "${deployment.id}": found ${source} "${provisioner}"; expected one of the platform's set: ${known.join(", ") || "(it is empty)"}${meant}`,
    "input",
    own === undefined ? undefined : "provisioner",
  );
}

/** The current location of the runtime, and what its user permits. */
interface Current {
  /** Platform stack that the deployment requests. */
  readonly platform?: string;
  /** The runtime according to the stack's state; undefined on the first run. */
  readonly present?: Pick<Present<unknown>, "provisioner" | "record">;
  /** The provisioner to which the user permits a move. */
  readonly move?: string;
}

/**
 * Chooses the provisioner. A deployment keeps its provisioner when defaults change, until its user permits a move.
 * Throws a {@link ChoiceError} if the deployment requests another provisioner without that permission, if its current
 * one is not in the set any more, or if the permitted provisioner is not the requested one.
 */
export function settleProvisioner(platform: Platform, deployment: Deployment, current: Current): string {
  const { provisioner: wanted, explicit } = wantedProvisioner(platform, deployment);
  const present = current.present?.provisioner;
  const { move } = current;
  if (move !== undefined && move !== wanted && move !== present) {
    throw new ChoiceError(
      `deployment "${deployment.id}": found a permitted move to "${move}", but the deployment requests "${wanted}"; set deployment.provisioner to "${move}" too, or remove the permission to move`,
    );
  }
  const stack = current.present?.record?.platform;
  if (stack !== undefined && current.platform !== undefined && stack !== current.platform && move === undefined) {
    throw new ChoiceError(
      `deployment "${deployment.id}" is on platform ${stack}; found platform ${current.platform}, and a move must be requested. Its data is not copied. Move it with: stackyard runtime up ${deployment.id} --platform ${current.platform} --provisioner ${wanted} --move`,
      "move",
      "platform",
    );
  }
  if (present === undefined || present === wanted || move === wanted) return wanted;
  const command = moveCommand({ deployment, provisioner: wanted });
  if (lookup(platform.provisioners, present) === undefined) {
    throw new ChoiceError(
      `deployment "${deployment.id}" is with provisioner "${present}", which is no longer in the platform's set; restore the provisioner, or move the deployment to "${wanted}" with: ${command}`,
      "move",
    );
  }
  if (!explicit) return present;
  throw new ChoiceError(
    `deployment "${deployment.id}" is with provisioner "${present}"; found "${wanted}" wanted, and a move must be requested. Its data is not copied. Move it with: ${command}`,
    "move",
    "provisioner",
  );
}

const lookup = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
