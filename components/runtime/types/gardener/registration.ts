import { DIRECTOR_RULES } from "../../../../foundation/directorRules";
import { ChoiceError } from "../../choiceError";
import type { Registration } from "../../request/registration";
import type { PlanBase } from "../../planBase";

/** Checks of the registration of a runtime in a Director. */

interface Fault {
  readonly field: "name" | "description" | "labels";
  readonly found: string;
  readonly expected: string;
}

/** Throws a {@link ChoiceError} with every fault. Pure. */
export function checkRegistration(
  { deployment, provisioner }: Pick<PlanBase, "deployment" | "provisioner">,
  tenant: string | undefined,
): void {
  const because = `because provisioner "${provisioner}" registers runtimes in a Director`;
  if (tenant === undefined) {
    const reason = `found no cluster.tenant; expected one, ${because}`;
    throw new ChoiceError(`deployment "${deployment.id}": ${reason}`, "input", "cluster.tenant");
  }
  const [first, ...others] = faultsOf(deployment.runtime ?? {});
  if (first === undefined) return;
  const lines = [first, ...others].map(
    ({ field, found, expected }) => `runtime.${field}: found ${found}; expected ${expected}, ${because}`,
  );
  throw new ChoiceError(`deployment "${deployment.id}": ${lines.join("\n")}`, "input", `runtime.${first.field}`);
}

/** Checks only the given fields. The default name, the id, is checked by the update: an import does not register yet. */
function faultsOf({ name, description = "", labels = {} }: Registration): Fault[] {
  const rules = DIRECTOR_RULES;
  const faults: Fault[] = [];
  if (name !== undefined && !rules.name.accepts(name)) {
    faults.push({ field: "name", found: `"${name}"`, expected: rules.name.expected });
  }
  if (!rules.description.accepts(description)) {
    const found = `${description.length} characters`;
    faults.push({ field: "description", found, expected: rules.description.expected });
  }
  for (const key of Object.keys(labels).filter((one) => !rules.labelKey.accepts(one))) {
    faults.push({ field: "labels", found: `"${key}"`, expected: rules.labelKey.expected });
  }
  return faults;
}
