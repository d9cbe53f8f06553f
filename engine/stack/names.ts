import { UsageError } from "../../foundation/errors";

/** Projects of the platform and of the runtimes, as in their Pulumi.yaml. */
export const PLATFORM_PROJECT = "stackyard";
export const RUNTIME_PROJECT = "stackyard-runtime";

const NAME = /^[A-Za-z0-9._-]{1,100}$/;

/** Special folder names, and a key that JavaScript objects don't store. */
const RESERVED: ReadonlySet<string> = new Set([".", "..", "__proto__"]);

export const ID_EXPECTED = "1 to 100 of A-Z a-z 0-9 . _ -, such as acme-prod";

export const isDeploymentId = (text: string): boolean => NAME.test(text) && !RESERVED.has(text);

/** Checks the id of a deployment, which is also the name of its stack and its stack file. */
export function deploymentId(text: string): string {
  if (!isDeploymentId(text)) {
    throw new UsageError(`deployment id: found ${JSON.stringify(text)}; expected ${ID_EXPECTED}`);
  }
  return text;
}

/**
 * Converts `dev`, `stackyard/dev` or `organization/stackyard/dev` to the last form, which StackReference accepts in any
 * project.
 */
export function platformReference(text: string): string {
  const parts = text.split("/");
  if (parts.length > 3 || parts.some((part) => !NAME.test(part))) {
    throw new UsageError(
      `platform: found ${JSON.stringify(text)}; expected a stack such as dev or organization/${PLATFORM_PROJECT}/dev`,
    );
  }
  const [stack = "", project = PLATFORM_PROJECT, organization = "organization"] = parts.reverse();
  return `${organization}/${project}/${stack}`;
}
