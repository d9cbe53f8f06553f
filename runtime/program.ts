import * as pulumi from "@pulumi/pulumi";
import { ChoiceError, settleProvisioner, wantedProvisioner } from "../components/runtime/choice";
import { planRuntime } from "../components/runtime/plan";
import { readPlatform } from "../components/runtime/platformStack";
import { rememberProvisioner } from "../components/runtime/remember";
import { createRuntime, type RuntimeStackOutputs } from "../components/runtime/runtime";
import { readConfig } from "./decodeConfig";

/**
 * The program of a runtime stack: reads the stack's config, brings the deployment's runtime up, answers the stack's
 * outputs. A Pulumi program as a function, so that the CLI can run it inline; it takes everything from the stack's
 * config and leaves nothing behind in the process, so it may run many times.
 */
export async function runtimeProgram(): Promise<RuntimeStackOutputs> {
  const { platform: stack, deployment, move } = readConfig();
  const platform = await readPlatform(stack);
  try {
    const wanted = wantedProvisioner(platform, deployment).provisioner;
    const present = await rememberProvisioner(wanted, move);
    const provisioner = settleProvisioner(platform, deployment, { present, move });
    const plan = planRuntime(platform, deployment, provisioner);
    return await createRuntime(plan, {
      ledgerUrl: platform.ledgerUrl,
      allowMove: move === provisioner,
      platform: stack,
    });
  } catch (error) {
    throw error instanceof ChoiceError ? new pulumi.RunError(error.message) : error;
  }
}
