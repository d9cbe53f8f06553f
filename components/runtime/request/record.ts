import type { Deployment } from "../platform/platform";

/**
 * What was asked for, as a runtime stack keeps it in its state: beside the resource that carries it out, so that a request
 * which was refused is never kept, and one that began and failed is.
 */
export interface RuntimeRecord {
  readonly deployment: Deployment;
  /** Platform stack, `organization/project/stack`. */
  readonly platform: string;
  /** Provisioner that was settled on. */
  readonly provisioner: string;
  /** Digest of the provisioner's settings that the runtime was last made by, without credentials and addresses. */
  readonly revision?: string;
  /** The same of the provisioner that its ClickHouse database is with. */
  readonly clickhouseRevision?: string;
  /** Settings that come from the environment of the service, such as `director`. Absent if none do. */
  readonly serviceDefaults?: readonly string[];
  /** When it became so, and by which command. */
  readonly change?: { readonly command: string; readonly at: string };
}
