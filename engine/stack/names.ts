import { UsageError } from "../../foundation/errors";

/** Project of the platform and of the runtimes, as their Pulumi.yaml say. */
export const PLATFORM_PROJECT = "stackyard";
export const RUNTIME_PROJECT = "stackyard-runtime";

const NAME = /^[A-Za-z0-9._-]{1,100}$/;

/** Folders, and a key that no object takes like any other. */
const RESERVED: ReadonlySet<string> = new Set([".", "..", "__proto__"]);

export const ID_EXPECTED = "1 to 100 of A-Z a-z 0-9 . _ -, such as acme-prod";

export const isDeploymentId = (text: string): boolean => NAME.test(text) && !RESERVED.has(text);

/** A deployment's id is its stack's name and names a file, so it is checked before anything is done with it. */
export function deploymentId(text: string): string {
  if (!isDeploymentId(text)) {
    throw new UsageError(`deployment id: found ${JSON.stringify(text)}; expected ${ID_EXPECTED}`);
  }
  return text;
}

/** `dev`, `stackyard/dev` or `organization/stackyard/dev` to the last form, which a StackReference takes anywhere. */
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
