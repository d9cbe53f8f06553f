import type { Deployment } from "../request/deployment";

/**
 * A request, as stored in the state of a runtime stack. The resource that fulfils it stores it, so that a rejected
 * request is never kept, and one that failed midway is.
 */
export interface RuntimeRecord {
  readonly deployment: Deployment;
  /** Platform stack: `organization/project/stack`. */
  readonly platform: string;
  /** The chosen provisioner. */
  readonly provisioner: string;
  /** Digest of the provisioner's settings that the runtime was last updated with, without credentials and addresses. */
  readonly revision?: string;
  /** The same for the provisioner of its ClickHouse database. */
  readonly clickhouseRevision?: string;
  /** Settings from the environment of the service, such as `director`. Not set if there are none. */
  readonly serviceDefaults?: readonly string[];
  /**
   * Set on a runtime that moved while it was hibernated, at its former place: it keeps its disk until the new one has
   * run.
   */
  readonly former?: true;
  readonly change?: Change;
  /** The change that protected it; one of a service replaces one of the command line. Not set by earlier versions. */
  readonly protection?: Change;
}

/** Time and command of a change. */
export interface Change {
  readonly command: string;
  readonly at: string;
}

/** How commands of a service begin in the record of a change. */
export const BY_SERVICE = "service ";

export const isByService = (change: Change | undefined): boolean => change?.command.startsWith(BY_SERVICE) === true;
