/** Creates, finds and drops a database with its user. */

import { randomBytes } from "node:crypto";
import { IncompleteError, type Context } from "../../../foundation/pulumi/resource";
import { judgeOwner, OwnerError, ownerText, requireOwner, type Thing } from "../../../kubernetes/owners/judge";
import { begun, stackOf, type Claimant } from "../../../kubernetes/owners/record";
import { foreignPart } from "../../framework/foreignPart";
import type { DatabaseInputs, DatabaseState } from "./inputs";
import { withLock } from "./lock";
import { type ExistingNames, isGiven, keptNoteOf, noteOf, ownerIn } from "./note";
import { ClickHouseError, ClickHouseServer, ClickHouseUnreachable, serverEndpoint } from "./server";
import * as sql from "./statements";

type Reach = Pick<Context, "signal">;

export async function readDatabase(context: Reach, inputs: DatabaseInputs, tries?: number): Promise<ExistingNames> {
  const { server } = open(context, inputs, tries);
  const rows = await server.rows("look for the database", sql.commentsOf(inputs.database));
  const users = await server.rows("look for the user", sql.findUser(inputs.user));
  const comments = new Map(rows.map(({ name, comment }) => [name, typeof comment === "string" ? comment : ""]));
  const lock = comments.get(sql.lockOf(inputs.database));
  return {
    database: comments.has(inputs.database),
    user: users.length > 0,
    comment: comments.get(inputs.database) ?? "",
    ...(lock !== undefined && { lock }),
  };
}

/** Reports what would fail now. An unreachable server is no failure: it may be reachable for the update. */
export async function previewDatabase(context: Context, inputs: DatabaseInputs, before?: DatabaseState): Promise<void> {
  try {
    checkOwner(context, inputs, await readDatabase(context, inputs, 1), before);
  } catch (error) {
    if (!(error instanceof ClickHouseUnreachable)) throw error;
    context.log("warning", `${error.message}; so nothing was checked`);
  }
}

/**
 * Creates or updates the database, and then its user. The user is not touched before the database is known to exist and
 * to be ours.
 */
export async function applyDatabase(
  context: Context,
  inputs: DatabaseInputs,
  before?: DatabaseState,
): Promise<DatabaseState> {
  const { server, endpoint } = open(context, inputs);
  checkOwner(context, inputs, await readDatabase(context, inputs), before);
  const { host, port, secure } = serverEndpoint(inputs.runtimeUrl ?? inputs.url) ?? endpoint;
  const kept = before?.passwordVersion === inputs.passwordVersion ? before.password : undefined;
  const password = kept ?? inputs.adoptPassword ?? newPassword();
  const claimant = databaseClaimant(context, inputs, before);
  let state: DatabaseState = before?.host === undefined ? inputs : { ...inputs, host, port, secure, password };
  try {
    return await withLock(server, inputs, claimant, async () => {
      const found = await readDatabase(context, inputs);
      checkOwner(context, inputs, found, before);
      const record = begun(ownerIn(found), claimant, inputs.instance ?? "");
      const { generation } = record;
      if (before?.host !== undefined) state = { ...state, generation };
      await server.run("create the database", sql.createDatabase(inputs, noteOf(inputs, record)));
      if (found.database) await server.run("record its owner", sql.noteDatabase(inputs, noteOf(inputs, record)));
      // Another program may have created it between the check and the statement.
      checkOwner(context, inputs, await readDatabase(context, inputs), { ...inputs, host, generation });
      state = { ...inputs, host, port, secure, password, generation };
      await giveAccess(context, server, inputs, password);
      if (inputs.access) return state;
      return { ...inputs, host, port, secure, generation, ...(kept !== undefined && { password: kept }) };
    });
  } catch (error) {
    if (error instanceof OwnerError) throw error;
    // On a single server, a statement that was rejected before the database existed has created nothing.
    const isRefused = !(error instanceof ClickHouseUnreachable) && inputs.cluster === undefined;
    if (before === undefined && state.host === undefined && isRefused) throw error;
    // The password may already be set, and is stored only here.
    throw new IncompleteError(error instanceof Error ? error.message : String(error), inputs.database, state);
  }
}

async function giveAccess(
  context: Context,
  server: ClickHouseServer,
  inputs: DatabaseInputs,
  password: string,
): Promise<void> {
  if (!inputs.access) return void (await server.run("drop the user", sql.dropUser(inputs)));
  await server.run("create the user", sql.createUser(inputs, password));
  // An existing user may have another password.
  await server.run("set the password", sql.setPassword(inputs, password));
  await server.run("grant rights in the database", sql.grantOwn(inputs));
  for (const statement of sql.grantSources(inputs, inputs.sources)) await server.run("grant sources", statement);
  for (const statement of sql.grantShared(inputs)) await grantIfAllowed(context, server, statement);
  await server.as(inputs.user, password).run("log in as the new user", "SELECT 1");
}

/** Drops the database and its user. A database that belongs to another owner by now stays. */
export async function drop(context: Context, state: DatabaseState): Promise<void> {
  const { server } = open(context, state);
  if (!(await ownNames(context, server, state))) return;
  const claimant = databaseClaimant(context, state, state);
  await withLock(server, state, claimant, async () => {
    const found = await ownNames(context, server, state);
    if (!found) return;
    const record = ownerIn(found);
    await server.run("drop the user", sql.dropUser(state));
    if (record === undefined) return;
    const { database } = state;
    if (state.whenDeleted === "Delete") {
      await server.run("drop the database", sql.dropDatabase(state));
      return;
    }
    const note = keptNoteOf(state, begun(record, claimant, record.owner));
    await server.run("note that it is kept", sql.noteDatabase(state, note));
    const how = `drop it with: ${sql.dropDatabase(state)}`;
    context.log(
      "warning",
      `the database ${database} stays on ${server.place}, as databaseWhenDeleted is Retain; ${how}`,
    );
  });
}

/**
 * What exists of database and user; undefined, with a warning, if they belong to another owner. Throws for a state that
 * is older than the database.
 */
async function ownNames(
  context: Context,
  server: ClickHouseServer,
  state: DatabaseState,
): Promise<ExistingNames | undefined> {
  const { user } = state;
  const found = await readDatabase(context, state);
  const [record, claimant, thing] = [ownerIn(found), databaseClaimant(context, state, state), thingOf(state)];
  const title = `${thing.title} stays, and so does its user:`;
  const other = foreignPart(context);
  if (found.database && other !== undefined) {
    context.log("warning", `${title} ${other}`);
    return undefined;
  }
  if (found.database && (record === undefined || judgeOwner(record, claimant) === "foreign")) {
    context.log("warning", `${title} ${record ? `it belongs to ${ownerText(record)}` : NOT_OURS}`);
    return undefined;
  }
  if (found.database) requireOwner(record, claimant, thing);
  // If the database is gone, only the password shows who owns the user.
  if (found.database || !found.user || (await entersAs(server, state))) return found;
  context.log("warning", `the user ${user} on ${server.place} has another password than this stack's; it stays`);
  return undefined;
}

/** An administrator of an older version may lack these rights; the database works without them. */
async function grantIfAllowed(context: Context, server: ClickHouseServer, statement: string): Promise<void> {
  try {
    await server.run("grant rights outside of the database", statement);
  } catch (error) {
    if (!(error instanceof ClickHouseError)) throw error;
    context.log(
      "warning",
      `${error.message}; give this right WITH GRANT OPTION to the user in the url of the provisioner`,
    );
  }
}

async function entersAs(server: ClickHouseServer, { user, password }: DatabaseState): Promise<boolean> {
  if (password === undefined) return false;
  try {
    await server.as(user, password).run("log in as the user", "SELECT 1");
    return true;
  } catch (error) {
    if (error instanceof ClickHouseError) return false;
    throw error;
  }
}

function open({ signal }: Reach, { url }: DatabaseInputs, tries?: number) {
  const endpoint = serverEndpoint(url);
  if (endpoint === undefined) throw new Error("the url is not one of a ClickHouse server's HTTP interface");
  return { endpoint, server: new ClickHouseServer(endpoint, signal, tries) };
}

const NOT_OURS = "Stackyard did not create it";

const placeOf = ({ url }: DatabaseInputs): string => {
  const { host, port } = serverEndpoint(url) ?? { host: "", port: 0 };
  return `${host}:${port}`;
};

const thingOf = (inputs: DatabaseInputs): Thing => ({
  title: `database ${inputs.database} on ${placeOf(inputs)}`,
  adopt: `stackyard runtime adopt ${inputs.owner.slice(inputs.owner.lastIndexOf("/") + 1)}`,
});

/** The claim to a database. A state without its address is of a creation that was interrupted. */
function databaseClaimant(context: Context, inputs: DatabaseInputs, state: DatabaseState | undefined): Claimant {
  const isNew = state?.host === undefined;
  return {
    ...stackOf(context),
    owner: inputs.instance,
    generation: state?.generation ?? 0,
    ...(isNew && inputs.adopt !== undefined && { adopts: inputs.adopt }),
    ...(state !== undefined && (isNew || state.interrupted === true) && { interrupted: true }),
  };
}

/** Throws if the database belongs to another owner, or if a database that should exist is missing. */
function checkOwner(
  context: Context,
  inputs: DatabaseInputs,
  found: ExistingNames,
  before: DatabaseState | undefined,
): void {
  const { database, user } = inputs;
  const [place, record] = [placeOf(inputs), ownerIn(found)];
  if (found.database && !isGiven(found, inputs)) {
    if (record === undefined) {
      throw new OwnerError(
        `the database ${database} is on ${place} already, and ${NOT_OURS}. Nothing was changed in it. Rename or drop it, or choose another provisioner`,
      );
    }
    requireOwner(record, databaseClaimant(context, inputs, before), thingOf(inputs));
  }
  if (before?.host !== undefined && !found.database) {
    throw new Error(
      `the database ${database} is not on ${place}, and data is not copied. If the provisioner or its url is another one now, put the old one back; ` +
        "if the database was dropped, run pulumi refresh, and the next update makes an empty one",
    );
  }
  if (before?.host === undefined && inputs.adopt !== undefined && !found.database) {
    throw new Error(`the database ${database} is not on ${place}; expected one to adopt. Nothing was changed`);
  }
  if (before?.host === undefined && !found.database && found.user) {
    throw new Error(
      `the user ${user} is on ${place} already, without the database ${database}; drop it: ${sql.dropUser(inputs)}`,
    );
  }
}

/** 128 random bits, with a prefix that satisfies common password rules. */
const newPassword = (): string => `1Sy!${randomBytes(16).toString("hex")}`;
