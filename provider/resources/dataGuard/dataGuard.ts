/**
 * DataGuard: knows all parts of a platform that hold data, and depends on them. So it sees in a preview which of them leave
 * the program, which no other resource is asked about, and it is the first to be deleted when the platform is destroyed.
 */

import type { ResourceHandler } from "../../../foundation/pulumi/resource";
import { isList } from "../../../kubernetes/client/objects";
import { allowedNames, readAllowance } from "../../../kubernetes/guard/allowance";
import { checkGuard } from "./check";
import { leavingParts } from "./inputs";
import type { GuardInputs } from "./inputs";
import { secretsOf } from "../../framework/resourceSchema";
import { schema } from "./schema";

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

  /** A part that is new, or has other objects, is nothing to do: the engine notes it anyway. */
  diff(_context, _id, old, inputs) {
    // The engine asks what would be if a part of them were replaced.
    if (!isList(inputs.parts)) return Promise.resolve({ changes: {} });
    const leaving = new Set(leavingParts(old.inputs, inputs));
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
    await (await guard()).refuseParts(context, leavingParts(old.inputs, inputs), inputs.parts);
    return {};
  },

  async delete(context, _id, old) {
    await (await guard()).refuseParts(context, old.inputs.parts);
  },
};
