import type { Lock } from "../engineLock";
import type { StackState } from "./checkpoint";

/**
 * The Pulumi state backend, read without starting the CLI: it lists a hundred stacks in one request. Supports only the
 * layout that the CLI documents as version 1 (one checkpoint per project and stack); other backends are read through
 * the CLI.
 */
export interface StateStore {
  /** Whether it reads without starting the CLI. */
  readonly isDirect: boolean;
  /** Returns all stacks of a project, sorted by name. */
  list(project: string): Promise<StackState[]>;
  /** Returns one stack; undefined if it does not exist. `organization` matters only for backends with several. */
  find(project: string, stack: string, organization?: string): Promise<StackState | undefined>;
  /** Whether a stack exists; cheaper than {@link find}. */
  exists(project: string, stack: string): Promise<boolean>;
  /** Creates an empty stack. Returns false if this backend needs `pulumi stack init`. */
  create(project: string, stack: string): Promise<boolean>;
  /**
   * Removes a stack if its state matches, under a lock. Like `pulumi stack rm`, it removes the history and keeps a
   * backup of the last state. Returns false if the stack stays.
   */
  removeIf(project: string, stack: string, isAsAsked: (state: StackState) => boolean): Promise<boolean>;
  /**
   * Returns the locks of a stack, of live and dead processes. Also empty for backends that only the CLI can read, such
   * as GCS or Azure.
   */
  locks(project: string, stack: string): Promise<Lock[]>;
  /**
   * Files of a project that are damaged beyond what reading them repairs. Undefined for backends that write atomically.
   */
  damaged?(project: string): Promise<Damage[]>;
  close(): Promise<void>;
}

/** A damaged file of a stack. */
export interface Damage {
  readonly stack: string;
  /** The file, and what to do. */
  readonly text: string;
}

/** Parses the lock file of the CLI with this name. */
export function parseLock(text: string, file: string): Lock[] {
  try {
    const { pid, username, hostname, timestamp } = JSON.parse(text) as Record<string, unknown>;
    return [{ pid: Number(pid), user: String(username), host: String(hostname), since: String(timestamp), file }];
  } catch {
    return []; // Incomplete: being written or interrupted. The CLI decides.
  }
}

/** The checkpoint that `pulumi stack init` writes. The secrets provider is added by the next update. */
export function emptyCheckpoint(project: string, stack: string): string {
  return JSON.stringify({ version: 3, checkpoint: { stack: `organization/${project}/${stack}` } });
}
