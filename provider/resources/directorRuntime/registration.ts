/** Which registration in a Director is that of a DirectorRuntime, where the state does not say it. */

import type { Director } from "../../director/director";
import type { RuntimeInputs } from "./inputs";

/** Label that only this runtime has. */
export const MARK = "stackyard_instance";

/** Label that says whose a registration is: its platform and deployment, which remain where a state is lost. */
export const OWNER = "stackyard_owner";

/** Begins the id of a runtime whose registration was interrupted; see engine/state/pending.ts. */
const UNSETTLED = "instance/";

/** Id in the Director. Undefined if an interrupted registration gave none. */
export function runtimeIdOf(id: string, { runtimeId }: { readonly runtimeId?: string }): string | undefined {
  return runtimeId ?? (id.startsWith(UNSETTLED) ? undefined : id);
}

/** Id of the registration, by its labels. Undefined if there is none. */
export async function findRegistration(
  director: Director,
  { instance, owner }: Pick<RuntimeInputs, "instance" | "owner">,
): Promise<string | undefined> {
  const ours = instance === undefined ? undefined : await director.find(MARK, instance);
  return ours ?? (owner === undefined ? undefined : await director.find(OWNER, owner));
}

/** Registers a runtime. One of the same owner is taken over: its stack was lost, or an update of it was interrupted. */
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
