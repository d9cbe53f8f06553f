/** Inputs of a DirectorRuntime and their check. */

import { DIRECTOR_RULES } from "../../../foundation/directorRules";
import { isObject, type Json } from "../../../foundation/json/isObject";
import type { Properties } from "../../../foundation/pulumi/resource";
import type { DirectorAccess } from "../../director/director";
import { DIRECTOR_FIELD_RULES } from "../../director/fields";
import { checkInputs, type CheckedInputs, type InputRules } from "../../framework/resourceSchema";
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

const { name, description, labelKey } = DIRECTOR_RULES;

const RULES: InputRules = {
  ...DIRECTOR_FIELD_RULES,
  name: [name.expected, name.accepts],
  description: [description.expected, description.accepts],
  owner: ["a text such as organization/stackyard/dev/acme"],
  labels(check, labels) {
    if (!isObject(labels)) return check.fail("labels", labels, "an object");
    for (const key of Object.keys(labels).filter((one) => !labelKey.accepts(one)))
      check.fail("labels", key, labelKey.expected);
  },
};

export const checkRuntime = (given: Properties): CheckedInputs =>
  checkInputs(schema, given, RULES, { also: ["instance"] });
