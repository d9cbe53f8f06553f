import { randomUUID } from "node:crypto";
import { Failure, messageOf } from "../../foundation/errors";
import { backendEnv, type Workspace } from "../../foundation/pulumi/backend";
import { stateAddress } from "./stateAddress";
import type { StateTable } from "./stateTable";

/*
 * Pulumi's engine locks its stack when it begins, and does not look at the lock again when it writes a state. In
 * PostgreSQL a trigger does: it marks each lock with the name of its engine, and refuses a write of an engine whose
 * lock is gone. Sessions without the name of an engine, such as those of plain `pulumi`, are left alone.
 */

const TRIGGER = "stackyard_fence";
const ENGINE = "stackyard-engine-";
/** PgBouncer may add an address, which differs from one connection to the next. */
const NAME_LENGTH = ENGINE.length + 36;

type Backend = Pick<Workspace, "backend">;

const isFenced = (workspace: Backend): workspace is { readonly backend: string } =>
  workspace.backend?.startsWith("postgres://") === true;

/** Gives an engine its backend, and the name of its connections, which one in the URL would override. */
export function engineEnv(workspace: Backend, id: string = randomUUID()): Readonly<Record<string, string>> {
  if (!isFenced(workspace)) return backendEnv(workspace);
  let url = workspace.backend;
  if (url.includes("application_name=")) {
    const parsed = new URL(url);
    parsed.searchParams.delete("application_name");
    url = parsed.href;
  }
  return { ...backendEnv({ backend: url }), PGAPPNAME: ENGINE + id };
}

const installed = new Map<string, Promise<void>>();

/**
 * Creates the trigger if a state database has none; looked at once per process. No engine waits for it: one that has
 * locked its stack before keeps its lock.
 */
export async function fence(workspace: Backend): Promise<void> {
  if (!isFenced(workspace)) return;
  if (!installed.has(workspace.backend)) installed.set(workspace.backend, install(workspace.backend));
  await installed.get(workspace.backend);
}

async function install(url: string): Promise<void> {
  const { connectToState, isWithoutTable } = await import("./stateTable.js");
  try {
    const states = await connectToState(url);
    try {
      const values = [states.table, TRIGGER];
      const text = "SELECT FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2";
      if ((await states.query(text, values)).rowCount === 0) await states.query(triggerOn(states), []);
    } finally {
      await states.close();
    }
  } catch (error) {
    // Without a table or an answer the engine fails too, and says so; the next one looks again.
    if (isWithoutTable(error) || error instanceof Failure) installed.delete(url);
    else process.stderr.write(`${unfencedText(url, error)}\n`);
  }
}

function unfencedText(url: string, error: unknown): string {
  const { place, table } = stateAddress(url);
  return (
    `warning: the state database ${place} accepts writes of an engine whose lock was removed, because the trigger that refuses them ` +
    `can't be created: ${messageOf(error)}; its user needs the right to create a function, and a trigger on the table ${table}`
  );
}

/**
 * The engine writes each file by INSERT … ON CONFLICT DO UPDATE, for which this trigger runs as for any INSERT. The lock
 * of the row keeps whoever removes the lock of the stack waiting until the write has ended. Keys are compared as the
 * index `text_pattern_ops` of the table orders them; `0` is the character after `/`. Locks from before the trigger
 * belong to any engine.
 */
const triggerOn = ({ table }: Pick<StateTable, "table">): string => `
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE;
CREATE OR REPLACE FUNCTION ${functionOf(table)}() RETURNS trigger LANGUAGE plpgsql AS $fence$
DECLARE
  engine text := left(current_setting('application_name'), ${NAME_LENGTH});
  parts text[] := regexp_match(coalesce(NEW.key, OLD.key),
    '^(.*\\.pulumi/)stacks/([^/]+/[^/]+?)\\.json(?:\\.gz|\\.zst)?(?:\\.bak|\\.\\d+)?$');
  locks text := parts[1] || 'locks/organization/' || parts[2];
BEGIN
  IF NEW.key LIKE '%.pulumi/locks/%' THEN
    NEW.data := NEW.data::jsonb || jsonb_build_object('engine', engine);
  ELSIF locks IS NOT NULL THEN
    PERFORM FROM ${table} WHERE key ~>=~ (locks || '/') AND key ~<~ (locks || '0')
      AND data->>'engine' IN (engine, '*') FOR KEY SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = format(
        'the lock of stack %s was removed while this engine worked on it, by pulumi cancel or by a process that took this one '
        'for ended. Its state was not written, because another process may have changed the stack since. Run the command again; '
        'stackyard runtime check shows what the state does not have', parts[2]);
    END IF;
  END IF;
  RETURN coalesce(NEW, OLD);
END $fence$;
CREATE OR REPLACE TRIGGER ${TRIGGER} BEFORE INSERT OR DELETE ON ${table} FOR EACH ROW
  WHEN (current_setting('application_name') LIKE '${ENGINE}%') EXECUTE FUNCTION ${functionOf(table)}();
UPDATE ${table} SET data = data::jsonb || '{"engine":"*"}'
  WHERE key LIKE '%.pulumi/locks/%' AND data->>'engine' IS NULL;
COMMIT`;

/** `table` is quoted, and so is the name of its function. */
const functionOf = (table: string): string => table.replace(/"$/, '_fence"');
