import type { RuntimeRecord } from "../../components/runtime/record/record";
import type { Platform } from "../../components/runtime/platform/platform";
import type { StackState } from "../pulumi/state/checkpoint";
import { databaseOf } from "./database";

/** A provisioner, and the revision of it that a runtime was last updated with. */
interface UsedRevision {
  readonly provisioner: string;
  readonly revision: string;
}

/** The revisions that a runtime was last updated with. States of older versions have none. */
export interface UsedRevisions {
  readonly runtime?: UsedRevision;
  /** Of the provisioner of its ClickHouse database, while the deployment requests one. */
  readonly clickhouse?: UsedRevision;
}

/** The current revisions: outputs of a platform. */
export type CurrentRevisions = Pick<Platform, "provisionerRevisions" | "clickhouseRevisions">;

export function usedRevisions({ resources }: StackState, record: RuntimeRecord | undefined): UsedRevisions {
  const { provisioner, revision, clickhouseRevision } = record ?? {};
  const database = databaseOf(resources);
  const databaseProvisioner = database?.access === true ? database.provisioner : undefined;
  return {
    ...(provisioner !== undefined && revision !== undefined && { runtime: { provisioner, revision } }),
    ...(databaseProvisioner !== undefined &&
      clickhouseRevision !== undefined && {
        clickhouse: { provisioner: databaseProvisioner, revision: clickhouseRevision },
      }),
  };
}

/**
 * Whether a provisioner that a runtime uses has changed since its last update. Undefined if no revision is known on
 * both sides.
 */
export function isOutdated(
  { runtime, clickhouse }: UsedRevisions,
  { provisionerRevisions, clickhouseRevisions }: CurrentRevisions,
): boolean | undefined {
  const changed = [differs(runtime, provisionerRevisions), differs(clickhouse, clickhouseRevisions)];
  const known = changed.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : known.includes(true);
}

function differs(
  used: UsedRevision | undefined,
  revisions: Readonly<Record<string, string>> = {},
): boolean | undefined {
  if (used === undefined || !Object.hasOwn(revisions, used.provisioner)) return undefined;
  return revisions[used.provisioner] !== used.revision;
}
