/**
 * DataGuard: knows and depends on all parts of a platform that hold data. So it sees in a preview which of them leave
 * the program, which the engine reports to no other resource, and it is deleted first when the platform is destroyed.
 */

import type { ResourceHandler } from "../../../foundation/pulumi/resource";
import { isList } from "../../../kubernetes/objects/objects";
import { allowedNames, readAllowance } from "../../../kubernetes/guard/allowance";
import { checkGuard } from "./check";
import { removedParts } from "./inputs";
import type { GuardInputs } from "./inputs";
import { secretsOf } from "../../framework/resourceSchema";
import { schema } from "./dataGuardSchema";

// The code that connects to clusters is loaded on demand: most updates only compute a diff.
const guard = () => import("./guard.js");

export const dataGuard: ResourceHandler<GuardInputs, object> = {
  secretProperties: secretsOf(schema),

  async check(context, given) {
    const checked = checkGuard(given);
    if (checked.failures.length === 0 && allowedNames(readAllowance()).length > 0) {
      await (await guard()).warnOfUnused(context, given as unknown as GuardInputs);
    }
    return checked;
  },

  /** A new or changed part needs no update: the engine stores the new inputs anyway. */
  diff(_context, _id, old, inputs) {
    // Unknown when the engine computes the effect of replacing a part.
    if (!isList(inputs.parts)) return Promise.resolve({ changes: {} });
    const leaving = new Set(removedParts(old.inputs, inputs));
    const entries = old.inputs.parts.flatMap((part, index) =>
      leaving.has(part) ? [[`parts[${index}]`, "delete"] as const] : [],
    );
    return Promise.resolve({ changes: Object.fromEntries(entries) });
  },

  create() {
    return Promise.resolve({ id: "data-guard", state: {} });
  },

  read(_context, _id, old) {
    return Promise.resolve(old);
  },

  async update(context, _id, old, inputs) {
    await (await guard()).refuseParts(context, removedParts(old.inputs, inputs), inputs.parts);
    return {};
  },

  async delete(context, _id, old) {
    await (await guard()).refuseParts(context, old.inputs.parts);
  },
};
