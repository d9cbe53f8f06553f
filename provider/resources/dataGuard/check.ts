/** Checks the inputs of a DataGuard. Unknown values pass. */

import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import type { InputFailure, Properties } from "../../../foundation/pulumi/resource";
import { isList } from "../../../kubernetes/objects/objects";
import { PART_TYPES } from "./inputs";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
import { schema } from "./dataGuardSchema";
import { isObject } from "../../../foundation/json/isObject";

const KNOWN = ["kubeconfig", "context", "type", "namespace", "name", "inventory", "allowDeletion", "adopt", "owner"];

export function checkGuard(given: Properties): { inputs: Properties; failures: InputFailure[] } {
  const check = new InputCheck(secretsOf(schema));
  check.keys("", given, inputsOf(schema));
  const { parts } = given;
  if (!isList(parts)) {
    if (parts !== UNKNOWN) check.fail("parts", typeof parts, "a list");
    return { inputs: given, failures: check.failures };
  }
  parts.forEach((part, index) => {
    const path = `parts[${index}]`;
    if (part === UNKNOWN) return;
    if (!isObject(part)) return check.fail(path, typeof part, "an object with type, namespace and name");
    check.keys(path, part, KNOWN);
    const isType = (text: string) => PART_TYPES.some((type) => type === text);
    check.text(`${path}.type`, part["type"], `one of ${PART_TYPES.join(", ")}`, isType);
    check.text(`${path}.namespace`, part["namespace"], "a namespace");
    check.text(`${path}.name`, part["name"], "a name");
  });
  return { inputs: given, failures: check.failures };
}
