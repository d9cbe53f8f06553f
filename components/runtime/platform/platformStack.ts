import * as pulumi from "@pulumi/pulumi";
import type { FailureKind } from "../../../foundation/errors";
import type { Platform } from "./platform";
import { decodePlatform } from "./platformOutputs";
import { readWhole } from "../../../foundation/pulumi/readWhole";

/** The requested platform stack does not exist, so a retry is useless. */
class UnknownPlatform extends pulumi.RunError {
  readonly kind: FailureKind = "input";
}

/**
 * Reads a platform stack by name, like a StackReference but without a resource: that would store a copy of every
 * kubeconfig in the state of every runtime, and its errors could not be reworded.
 */
export async function readPlatform(stack: string): Promise<Platform> {
  let answer: { outputs: Record<string, unknown> };
  try {
    const read = () => pulumi.runtime.invoke("pulumi:pulumi:readStackOutputs", { name: stack });
    answer = (await readWhole(read)) as typeof answer;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const Kind = /unknown stack/.test(reason) ? UnknownPlatform : pulumi.RunError;
    throw new Kind(
      `platform stack "${stack}" cannot be read: ${reason.replace(/^.*returned an error: /, "")}; expected the full name of a stack that is up, as "pulumi stack ls --all" shows it; set it with: pulumi config set platform ORGANIZATION/stackyard/STACK`,
    );
  }
  try {
    return decodePlatform(stack, answer.outputs);
  } catch (error) {
    throw new pulumi.RunError(error instanceof Error ? error.message : String(error));
  }
}
