import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The state of a large platform, in bytes. */
const LARGEST = 1 << 28;

/**
 * Whether a stack has resources, as the Pulumi CLI says. It takes half a second. Without an answer, such as with a
 * host that has its own engine, a stack counts as new.
 */
export async function hasResources(stack: string): Promise<boolean> {
  try {
    const args = ["stack", "export", "--stack", stack, "--non-interactive"];
    const { stdout } = await promisify(execFile)("pulumi", args, { maxBuffer: LARGEST });
    const { deployment } = JSON.parse(stdout) as { deployment?: { resources?: readonly unknown[] } };
    return (deployment?.resources ?? []).length > 0;
  } catch {
    return false;
  }
}
