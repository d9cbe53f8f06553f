import { ChoiceError } from "./choiceError";
import { moveCommand } from "./moveCommand";
import type { Present } from "./request/present";
import { typeOf, type Place, type RuntimePlan } from "./types/registry";
import type { Placed } from "./types/planBase";

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
    return { plan, notes: [moveNote(plan, place)] };
  }
  if (plan.type === place.type) return type.keepInPlace(plan, present) as Placed<RuntimePlan>;
  throw new ChoiceError(
    `deployment "${plan.deployment.id}" is at ${typeOf(place).describePlace(place)}; its provisioner "${plan.provisioner}" is ` +
      `${type.kind(plan)} now. Restore the provisioner, or move the deployment with: ${moveCommand(plan)}`,
    "move",
  );
}

function moveNote(plan: RuntimePlan, place: Place): string {
  const left = typeOf(place);
  const behind = left.dataAfterMove(place, plan.type === place.type ? plan : undefined);
  return `moves from ${left.describePlace(place)} to ${typeOf(plan).target(plan)}. Its data is not copied${behind}`;
}
