import type { Platform } from "../../components/runtime/platform/platform";
import { pulumi } from "../pulumi/pulumi";
import { Failure } from "../../foundation/errors";

/** What a platform stack exports, with its secrets, which must not be printed. */
export async function readPlatform(root: string, stack: string): Promise<Platform> {
  const text = await pulumi(["stack", "output", "--json", "--show-secrets", "--stack", stack], root);
  const outputs = JSON.parse(text) as Partial<Platform>;
  const { provisioners, defaultProvisioner, environments, slot } = outputs;
  if (!provisioners || defaultProvisioner === undefined || !environments || !slot) {
    throw new Failure(
      `the platform stack ${stack} has no provisioner set among its outputs; run "pulumi up --stack ${stack}"`,
    );
  }
  return { ...outputs, provisioners, defaultProvisioner, environments, slot };
}
