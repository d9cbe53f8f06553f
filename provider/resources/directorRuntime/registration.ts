/** Finds the registration of a DirectorRuntime if the state does not contain its id. */

import type { Director } from "../../director/director";
import type { RuntimeInputs } from "./inputs";

/** Label that is unique to this runtime. */
const MARK = "stackyard_instance";

/** Label with the owner of a registration, its platform and deployment. It survives the loss of the state. */
export const OWNER = "stackyard_owner";

/** Prefix of the id of a runtime whose registration was interrupted; see engine/pulumi/state/pending.ts. */
const UNSETTLED = "instance/";

/** Returns the id in the Director; undefined after an interrupted registration. */
export function runtimeIdOf(id: string, { runtimeId }: { readonly runtimeId?: string }): string | undefined {
  return runtimeId ?? (id.startsWith(UNSETTLED) ? undefined : id);
}

/** Finds the id of the registration by its labels; undefined if there is none. */
export async function findRegistration(
  director: Director,
  { instance, owner }: Pick<RuntimeInputs, "instance" | "owner">,
): Promise<string | undefined> {
  const ours = instance === undefined ? undefined : await director.find(MARK, instance);
  return ours ?? (owner === undefined ? undefined : await director.find(OWNER, owner));
}

/**
 * Registers a runtime. An existing registration of the same owner is adopted: its stack was lost, or an update of it
 * was interrupted.
 */
export async function registered(director: Director, inputs: RuntimeInputs): Promise<string> {
  const { name, description, labels, instance = "", owner } = inputs;
  const own = { ...labels, ...(owner !== undefined && { [OWNER]: owner }) };
  const there = await findRegistration(director, inputs);
  if (there === undefined) {
    return director.register({ name, description, labels: own }, { key: MARK, value: instance });
  }
  const now = await director.get(there);
  const input = { name, description, labels: { ...now?.labels, ...own, [MARK]: instance } };
  await director.update(there, { ...input, statusCondition: now?.condition });
  return there;
}
