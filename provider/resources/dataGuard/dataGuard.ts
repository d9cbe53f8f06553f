/**
 * DataGuard: knows and depends on all parts of a platform that hold data. So it sees in a preview which of them leave
 * the program, which the engine reports to no other resource, and it is deleted first when the platform is destroyed.
 */

import { isObject } from "../../../foundation/json/isObject";
import { type ResourceHandler, UNKNOWN } from "../../../foundation/pulumi/resource";
import { isList } from "../../../kubernetes/objects/objects";
import { allowedNames, readAllowance } from "../../../kubernetes/guard/allowance";
import { changedParts, removedParts, type GuardInputs, PART_TYPES } from "./inputs";
import { checkInputs, oneWordOf, secretsOf, type InputRules } from "../../framework/resourceSchema";
import { schema } from "./dataGuardSchema";

const KNOWN = ["kubeconfig", "context", "type", "namespace", "name", "inventory", "allowDeletion", "adopt", "owner"];
const A_TYPE = oneWordOf(...PART_TYPES);

const RULES: InputRules = {
  parts(check, parts) {
    if (!isList(parts)) return check.fail("parts", typeof parts, "a list");
    parts.forEach((part, index) => {
      const path = `parts[${index}]`;
      if (part === UNKNOWN) return;
      if (!isObject(part)) return check.fail(path, typeof part, "an object with type, namespace and name");
      check.keys(path, part, KNOWN);
      check.text(`${path}.type`, part["type"], ...A_TYPE);
      check.text(`${path}.namespace`, part["namespace"], "a namespace");
      check.text(`${path}.name`, part["name"], "a name");
    });
  },
};

// The code that connects to clusters is loaded on demand: most updates only compute a diff.
const guard = () => import("./guard.js");

export const dataGuard: ResourceHandler<GuardInputs, object> = {
  secretProperties: secretsOf(schema),

  async check(context, given) {
    const checked = checkInputs(schema, given, RULES);
    if (checked.failures.length === 0 && allowedNames(readAllowance()).length > 0) {
      await (await guard()).warnOfUnused(context, given as unknown as GuardInputs);
    }
    return checked;
  },

  /** Of a part that stays, only another generation needs an update: the engine stores the new inputs anyway. */
  diff(_context, _id, old, inputs) {
    // Unknown when the engine computes the effect of replacing a part.
    if (!isList(inputs.parts)) return Promise.resolve({ changes: {} });
    const leaving = new Set(removedParts(old.inputs, inputs));
    const changed = new Set(changedParts(old.inputs, inputs));
    return Promise.resolve({
      changes: Object.fromEntries([
        ...old.inputs.parts.flatMap((part, index) =>
          leaving.has(part) ? [[`parts[${index}]`, "delete"] as const] : [],
        ),
        ...inputs.parts.flatMap((part, index) =>
          changed.has(part) ? [[`parts[${index}].owner.generation`, "update"] as const] : [],
        ),
      ]),
    });
  },

  async create(context, inputs) {
    if (!context.preview) await (await guard()).mark(context, inputs.parts);
    return { id: "data-guard", state: {} };
  },

  async read(context, _id, old) {
    if (!isList(old.inputs.parts)) return old;
    return { ...old, inputs: { ...old.inputs, parts: await (await guard()).refreshed(context, old.inputs.parts) } };
  },

  async update(context, _id, old, inputs) {
    const { refuseParts, mark } = await guard();
    await refuseParts(context, removedParts(old.inputs, inputs), inputs.parts);
    if (!context.preview) await mark(context, changedParts(old.inputs, inputs));
    return {};
  },

  async delete(context, _id, old) {
    await (await guard()).refuseParts(context, old.inputs.parts);
  },
};
