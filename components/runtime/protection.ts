import type { ComponentResourceOptions, ResourceTransformation } from "@pulumi/pulumi";
import { CLICKHOUSE_DATABASE, MANIFEST_SET, SHOOT, SLOT_ALLOCATION } from "../resources/tokens";
import { ChoiceError } from "./choiceError";
import { isByService, type RuntimeRecord } from "./record/record";
import type { Deployment } from "./request/deployment";

/** The command that removes the protection of a deployment. */
export const unprotectCommand = (id: string): string => `stackyard runtime unprotect ${id}`;

/** The refusal of whatever would delete data of a protected deployment. Pure. */
export const protectedText = (id: string, loss: string): string =>
  `deployment "${id}" is protected, so nothing was changed: ${loss}. An administrator removes the protection with: ${unprotectCommand(id)}`;

export const keepsData = (id: string, loss: string): ChoiceError =>
  new ChoiceError(protectedText(id, loss), "protected");

/** Command of an `unprotect` whose user has seen who protected the deployment, and confirmed it. */
export const CONFIRMED_UNPROTECT = "runtime unprotect --yes";

/** Throws if an update would remove a protection that a service set, and neither the service nor that command asks. */
export function refuseUnprotecting(
  { id, protected: isProtected }: Deployment,
  command: string,
  before: RuntimeRecord | undefined,
): void {
  const { protection } = before ?? {};
  if (isProtected === true || command === CONFIRMED_UNPROTECT) return;
  if (protection === undefined || !isByService(protection) || isByService({ command, at: "" })) return;
  throw new ChoiceError(
    `deployment "${id}" was protected through a service (${protection.command}, ${protection.at}), which would protect it again, so nothing was changed. ` +
      `An administrator of the service removes the protection there; without the service: ${unprotectCommand(id)} --local, which asks`,
    "protected",
  );
}

const WHOLE: ReadonlySet<string> = new Set([SLOT_ALLOCATION, SHOOT, CLICKHOUSE_DATABASE]);

/** Whether a resource of a runtime stack has the deployment's data. Sets with Secrets have none. Pure. */
export const hasData = (type: string, name: string): boolean =>
  WHOLE.has(type) || (type === MANIFEST_SET && name.endsWith("-objects"));

/** The engine refuses to delete or replace the resource, and the set refuses to delete a claim, by whatever command. */
const protectData: ResourceTransformation = ({ type, name, props, opts }) => {
  if (!hasData(type, name)) return undefined;
  const kept = type === MANIFEST_SET ? { ...(props as object), protectData: true } : (props as object);
  return { props: kept, opts: { ...opts, protect: true } };
};

/** Options of the components that have a deployment's data. */
export const dataOptions = ({ protected: isProtected }: Deployment): ComponentResourceOptions =>
  isProtected === true ? { transformations: [protectData] } : {};
