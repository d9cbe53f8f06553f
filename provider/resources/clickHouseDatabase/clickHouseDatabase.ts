/** ClickHouseDatabase: a database on a shared server, with a user that can access nothing else. */

import { changesBetween } from "../../../foundation/pulumi/changes";
import { hasUnknown, UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Context, Properties, ResourceHandler } from "../../../foundation/pulumi/resource";
import { withInstance } from "../../../kubernetes/identity/ownerId";
import { ownerText } from "../../../kubernetes/owners/judge";
import { applyDatabase, drop, readDatabase, previewDatabase } from "./database";
import { checkDatabase, type DatabaseInputs, type DatabaseState } from "./inputs";
import { ownerIn } from "./note";
import { serverEndpoint } from "./server";
import { secretsOf } from "../../framework/resourceSchema";
import { schema } from "./clickHouseDatabaseSchema";

/** Inputs whose change only updates the state. */
const LOCAL: readonly string[] = ["whenDeleted", "runtimeWriterUrl"];

export const clickHouseDatabase: ResourceHandler<DatabaseInputs, DatabaseState> = {
  secretProperties: secretsOf(schema),

  check: (_context, given, origin) => Promise.resolve(withInstance(checkDatabase(given), origin)),

  diff(_context, _id, old, inputs) {
    refuseRenaming(old.inputs, inputs);
    return Promise.resolve({ changes: changesBetween(lasting(old.inputs), lasting(inputs)) });
  },

  async create(context, inputs) {
    if (context.preview) return { id: "", state: await previewState(context, inputs) };
    return { id: inputs.database, state: await applyDatabase(context, inputs) };
  },

  async read(context, id, old) {
    if (typeof old.inputs.url !== "string") {
      throw new Error(
        `a ClickHouseDatabase can't be imported (${id}), because its password can't be read; run pulumi up of the stack instead`,
      );
    }
    const found = await readDatabase(context, old.inputs);
    if (!found.database) return undefined;
    const record = ownerIn(found);
    if (record === undefined || record.owner !== old.inputs.instance) {
      const why = record ? `belongs to ${ownerText(record)}` : "has no owner in its comment";
      context.log("warning", `the database ${id} is not read, because it ${why}`);
      return old;
    }
    // Makes the next update create the user again, with the same password.
    const inputs = old.inputs.access && !found.user ? { ...old.inputs, access: false } : old.inputs;
    const { host, port, secure, password } = old.state;
    return { inputs, state: { ...inputs, host, port, secure, password, generation: record.generation } };
  },

  async update(context, _id, old, inputs) {
    refuseRenaming(old.inputs, inputs);
    const { host, port, secure, password, generation, interrupted } = old.state;
    const changed = Object.keys(changesBetween(lasting(old.inputs), lasting(inputs)));
    const isWhole = host !== undefined && interrupted !== true && (password !== undefined || !inputs.access);
    // After an incomplete update, the update runs even without a change.
    if (isWhole && changed.length > 0 && changed.every((key) => LOCAL.includes(key))) {
      return { ...inputs, host, port, secure, password, ...(generation !== undefined && { generation }) };
    }
    if (context.preview) return previewState(context, inputs, old.state);
    return applyDatabase(context, inputs, old.state);
  },

  async delete(context, _id, old) {
    await drop(context, { ...old.state, ...old.inputs });
  },
};

/** Inputs without those that only matter for the creation. */
const lasting = (inputs: DatabaseInputs): Properties =>
  Object.fromEntries(Object.entries(inputs).filter(([key]) => key !== "adopt" && key !== "adoptPassword"));

/** Another name would create an empty database, and drop this one with its data. */
function refuseRenaming(old: DatabaseInputs, inputs: DatabaseInputs): void {
  for (const key of ["database", "user"] as const) {
    if (inputs[key] === old[key]) continue;
    throw new Error(
      `${key}: found ${inputs[key]}; expected ${old[key]}, because a database keeps its names, and its data is not copied`,
    );
  }
}

async function previewState(context: Context, inputs: DatabaseInputs, before?: DatabaseState): Promise<DatabaseState> {
  const kept = before?.passwordVersion === inputs.passwordVersion ? before.password : undefined;
  const reached = inputs.runtimeUrl ?? inputs.url;
  const endpoint = hasUnknown(reached) ? undefined : serverEndpoint(reached);
  if (!hasUnknown(inputs)) await previewDatabase(context, inputs, before);
  const { host = UNKNOWN, port = UNKNOWN as never, secure = UNKNOWN as never } = endpoint ?? {};
  return { ...inputs, host, port, secure, ...(inputs.access ? { password: kept ?? UNKNOWN } : {}) };
}
