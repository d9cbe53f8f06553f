import { ChoiceError } from "./choiceError";
import { moveCommand } from "./moveCommand";
import { keepsData } from "./protection";
import { isProtected, type Present } from "./record/present";
import { typeOf, type Place, type RuntimePlan } from "./types/registry";
import type { Placed } from "./planBase";

/**
 * Keeps a runtime at its location, even if its provisioner changed, unless its user permits a move. Pure. Throws a
 * {@link ChoiceError} if its provisioner can no longer serve it there.
 */
export function settlePlace(
  plan: RuntimePlan,
  present: Present<Place> | undefined,
  moving: boolean,
): Placed<RuntimePlan> {
  if (present === undefined) return { plan, notes: [] };
  const { place, name } = present;
  const type = typeOf(plan);
  if (moving) {
    // Keeps the name at the same location, so that the change happens in place.
    if (plan.type === place.type && type.isSamePlace(plan, place)) return { plan: { ...plan, name }, notes: [] };
    refuseUnseen(plan, place);
    const note = moveNote(plan, place);
    if (isProtected(present)) throw keepsData(plan.deployment.id, `it ${note}`);
    return { plan, notes: [note] };
  }
  if (plan.type === place.type) return type.keepInPlace(plan, present) as Placed<RuntimePlan>;
  throw new ChoiceError(
    `deployment "${plan.deployment.id}" is at ${typeOf(place).describePlace(place)}; its provisioner "${plan.provisioner}" is ` +
      `${type.kind(plan)} now. Restore the provisioner, or move the deployment with: ${moveCommand(plan)}`,
    "move",
  );
}

/** A runtime that can't stay beside its successor until that one has run, such as a cluster, must run when it moves. */
function refuseUnseen({ deployment }: RuntimePlan, place: Place): void {
  if (deployment.state !== "hibernated" || !typeOf(place).isDeletedByMove) return;
  throw new ChoiceError(
    `deployment "${deployment.id}" is hibernated, so its cluster would be deleted before the new one has run. ` +
      `Wake it first: stackyard runtime wake ${deployment.id}`,
    "move",
  );
}

function moveNote(plan: RuntimePlan, place: Place): string {
  const left = typeOf(place);
  const hibernated = plan.deployment.state === "hibernated";
  const behind = left.dataAfterMove(place, plan.type === place.type ? plan : undefined, hibernated);
  return `moves from ${left.describePlace(place)} to ${typeOf(plan).target(plan)}. Its data is not copied${behind}`;
}
