/** Inputs of a DirectorRuntime and their check. */

import { isObject, type Json } from "../../../foundation/json/isObject";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN, type Failure, type Properties } from "../../../foundation/pulumi/resource";
import type { DirectorAccess } from "../../director/director";
import { checkDirector } from "../../director/fields";
import { inputsOf } from "../../framework/resourceSchema";
import { schema } from "./schema";

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

const MOST = 2000;

export function checkRuntime(given: Properties): { inputs: Properties; failures: Failure[] } {
  const inputs = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
  const check = new InputCheck();
  check.keys("", inputs, [...inputsOf(schema), "instance"]);
  checkDirector(check, inputs);
  const isName = (name: string): boolean => /^[a-z.-][a-z0-9.-]{0,35}$/.test(name);
  check.text("name", inputs["name"], "a name of a-z, 0-9, - and ., 36 characters at most, no digit first", isName);
  const { description, labels } = inputs;
  if (description !== undefined) check.text("description", description, "a text", (text) => text.length <= MOST);
  if ("owner" in inputs) check.text("owner", inputs["owner"], "a text such as organization/stackyard/dev/acme");
  if (labels !== undefined && labels !== UNKNOWN) {
    if (!isObject(labels)) check.fail("labels", labels, "an object");
    else {
      for (const key of Object.keys(labels).filter((one) => !/^[A-Za-z0-9_]{1,256}$/.test(one)))
        check.fail("labels", key, "keys of letters, digits and _");
    }
  }
  return { inputs, failures: check.failures };
}
