/** Creates, finds and drops a database with its user. */

import { randomBytes } from "node:crypto";
import { IncompleteError } from "../../../foundation/pulumi/resource";
import type { Context } from "../../../foundation/pulumi/resource";
import type { DatabaseInputs, DatabaseState } from "./inputs";
import { type ExistingNames, instanceIn, isGiven, isNoted, keptNoteOf, noteOf, describeOwner } from "./note";
import { ClickHouseError, ClickHouseServer, ClickHouseUnreachable, serverEndpoint } from "./server";
import * as sql from "./statements";

type Reach = Pick<Context, "signal">;

export async function readDatabase(context: Reach, inputs: DatabaseInputs, tries?: number): Promise<ExistingNames> {
  const { server } = open(context, inputs, tries);
  const [database] = await server.rows("look for the database", sql.commentOf(inputs.database));
  const users = await server.rows("look for the user", sql.findUser(inputs.user));
  const said = database?.["comment"];
  const comment = typeof said === "string" ? said : "";
  const instance = instanceIn(comment);
  return {
    database: database !== undefined,
    user: users.length > 0,
    comment,
    ...(instance === undefined ? {} : { instance }),
  };
}

/** Reports what would fail now. An unreachable server is no failure: it may be reachable for the update. */
export async function previewDatabase(context: Context, inputs: DatabaseInputs, before?: DatabaseState): Promise<void> {
  try {
    checkOwner(inputs, await readDatabase(context, inputs, 1), before);
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
  const found = await readDatabase(context, inputs);
  checkOwner(inputs, found, before);
  const { host, port, secure } = serverEndpoint(inputs.runtimeUrl ?? inputs.url) ?? endpoint;
  const kept = before?.passwordVersion === inputs.passwordVersion ? before.password : undefined;
  const password = kept ?? inputs.adoptPassword ?? newPassword();
  let state: DatabaseState = before?.host === undefined ? inputs : { ...inputs, host, port, secure, password };
  try {
    await server.run("create the database", sql.createDatabase(inputs, noteOf(inputs)));
    if (isGiven(found, inputs)) await server.run("record its owner", sql.noteDatabase(inputs, noteOf(inputs)));
    else if (found.database && found.comment !== noteOf(inputs)) await note(context, server, inputs, noteOf(inputs));
    // Another owner may have created it between the first check and the statement.
    checkOwner(inputs, await readDatabase(context, inputs), { ...inputs, host });
    state = { ...inputs, host, port, secure, password };
    if (!inputs.access) {
      await server.run("drop the user", sql.dropUser(inputs));
      return { ...inputs, host, port, secure, ...(kept === undefined ? {} : { password: kept }) };
    }
    await server.run("create the user", sql.createUser(inputs, password));
    // An existing user may have another password.
    await server.run("set the password", sql.setPassword(inputs, password));
    await server.run("grant rights in the database", sql.grantOwn(inputs));
    for (const statement of sql.grantSources(inputs, inputs.sources)) await server.run("grant sources", statement);
    for (const statement of sql.grantShared(inputs)) await grantIfAllowed(context, server, statement);
    await server.as(inputs.user, password).run("log in as the new user", "SELECT 1");
    return state;
  } catch (error) {
    // On a single server, a statement that was rejected before the database existed has created nothing.
    const isRefused = !(error instanceof ClickHouseUnreachable) && inputs.cluster === undefined;
    if (before === undefined && state.host === undefined && isRefused) throw error;
    // The password may already be set, and is stored only here.
    throw new IncompleteError(error instanceof Error ? error.message : String(error), inputs.database, state);
  }
}

/** Drops the database and its user. A database that belongs to another owner by now stays. */
export async function drop(context: Context, state: DatabaseState): Promise<void> {
  const { server } = open(context, state);
  const found = await readDatabase(context, state);
  const { database, user } = state;
  if (found.database && !isNoted(found, state)) {
    const what = `the database ${database} on ${server.place} ${describeOwner(found)}`;
    context.log("warning", `${what}; it stays, and so does its user`);
    return;
  }
  // If the database is gone, only the password shows who owns the user.
  if (!found.database && found.user && !(await entersAs(server, state))) {
    context.log("warning", `the user ${user} on ${server.place} has another password than this stack's; it stays`);
    return;
  }
  await server.run("drop the user", sql.dropUser(state));
  if (!found.database) return;
  if (state.whenDeleted === "Delete") {
    await server.run("drop the database", sql.dropDatabase(state));
    return;
  }
  await note(context, server, state, keptNoteOf(state));
  const how = `drop it with: ${sql.dropDatabase(state)}`;
  context.log("warning", `the database ${database} stays on ${server.place}, as databaseWhenDeleted is Retain; ${how}`);
}

/** Updates the comment. Beyond the owner, it is only informational, so a missing permission is just a warning. */
async function note(
  context: Context,
  server: ClickHouseServer,
  target: sql.StatementNames,
  comment: string,
): Promise<void> {
  try {
    await server.run("note what becomes of the database", sql.noteDatabase(target, comment));
  } catch (error) {
    if (!(error instanceof ClickHouseError)) throw error;
    context.log("warning", `${error.message}; its comment stays as it was`);
  }
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

/** Throws if the database belongs to another owner, or if a database that should exist is missing. */
function checkOwner(inputs: DatabaseInputs, found: ExistingNames, before: DatabaseState | undefined): void {
  const { database, user } = inputs;
  const { host, port } = serverEndpoint(inputs.url) ?? { host: "", port: 0 };
  const place = `${host}:${port}`;
  if (found.database && !isNoted(found, inputs) && !isGiven(found, inputs)) {
    const remedy =
      before?.host === undefined ? "rename or drop it, or choose another provisioner" : "nothing was changed in it";
    throw new Error(`the database ${database} on ${place} ${describeOwner(found)}; ${remedy}`);
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
