/** Inputs of a DirectorRuntime and their check. */

import { DIRECTOR_RULES } from "../../../foundation/directorRules";
import { isObject, type Json } from "../../../foundation/json/isObject";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN, type InputFailure, type Properties } from "../../../foundation/pulumi/resource";
import type { DirectorAccess } from "../../director/director";
import { checkDirector } from "../../director/fields";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
import { schema } from "./directorRuntimeSchema";

export interface RuntimeInputs extends DirectorAccess {
  readonly name: string;
  readonly description?: string;
  readonly labels?: Json;
  /** Platform and deployment. */
  readonly owner?: string;
  /** Random id, chosen before the registration. It shows whether the runtime is registered after a lost response. */
  readonly instance?: string;
}

export interface RuntimeState extends RuntimeInputs {
  /** Missing while an interrupted registration is unresolved. */
  readonly runtimeId?: string;
}

export function checkRuntime(given: Properties): { inputs: Properties; failures: InputFailure[] } {
  const inputs = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
  const check = new InputCheck(secretsOf(schema));
  check.keys("", inputs, [...inputsOf(schema), "instance"]);
  checkDirector(check, inputs);
  const { name, description, labelKey } = DIRECTOR_RULES;
  check.text("name", inputs["name"], name.expected, name.accepts);
  if ("description" in inputs)
    check.text("description", inputs["description"], description.expected, description.accepts);
  if ("owner" in inputs) check.text("owner", inputs["owner"], "a text such as organization/stackyard/dev/acme");
  const { labels } = inputs;
  if (labels !== undefined && labels !== UNKNOWN) {
    if (!isObject(labels)) check.fail("labels", labels, "an object");
    else {
      for (const key of Object.keys(labels).filter((one) => !labelKey.accepts(one)))
        check.fail("labels", key, labelKey.expected);
    }
  }
  return { inputs, failures: check.failures };
}
