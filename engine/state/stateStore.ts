import type { Lock } from "../pulumi/lock";
import type { StackState } from "./checkpoint";

/**
 * The Pulumi state backend, as far as we read it without starting the CLI: a hundred stacks are listed in one go.
 * Only the layout that the CLI itself documents as version 1 (one checkpoint per project and stack) is read;
 * any other backend is asked through the CLI.
 */
export interface StateStore {
  /** Whether it reads without starting the CLI. */
  readonly isDirect: boolean;
  /** All stacks of a project, by name. */
  list(project: string): Promise<StackState[]>;
  /** One stack; undefined when there is none. `organization` matters only where backends know several. */
  find(project: string, stack: string, organization?: string): Promise<StackState | undefined>;
  /** Whether a stack exists; cheaper than {@link find}. */
  exists(project: string, stack: string): Promise<boolean>;
  /** Makes an empty stack. False when it cannot be made this way: then `pulumi stack init` has to. */
  create(project: string, stack: string): Promise<boolean>;
  /**
   * Removes a stack whose state is as asked, looked at while nobody else can work on it; as `pulumi stack rm` does, with its
   * history and with a backup of its last state. False if it stays.
   */
  removeIf(project: string, stack: string, isAsAsked: (state: StackState) => boolean): Promise<boolean>;
  /** Who works on a stack, alive or not; empty also where only the CLI can know, as on GCS or Azure. */
  locks(project: string, stack: string): Promise<Lock[]>;
  close(): Promise<void>;
}

/** A lock as the CLI writes it. */
export function parseLock(text: string): Lock[] {
  try {
    const { pid, username, hostname, timestamp } = JSON.parse(text) as Record<string, unknown>;
    return [{ pid: Number(pid), user: String(username), host: String(hostname), since: String(timestamp) }];
  } catch {
    return []; // Being written, or cut off by a kill: the CLI decides.
  }
}

/** What `pulumi stack init` writes before it knows of any secrets provider; the next update adds that. */
export function emptyCheckpoint(project: string, stack: string): string {
  return JSON.stringify({ version: 3, checkpoint: { stack: `organization/${project}/${stack}` } });
}
