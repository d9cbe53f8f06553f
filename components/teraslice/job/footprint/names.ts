/**
 * Derives names and labels like a master does. The results may be illegal, and Kubernetes would reject the objects, so
 * checks report such jobs first.
 */

const MOST = 63;

/** The value of the label `jobName`, which prefixes the names of objects. */
export const jobNameLabel = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, "-")
    .replace(/^[^a-z]/, "a")
    .replace(/[^a-z0-9]$/, "0")
    .slice(0, MOST);

/** The value of the label `instance`, from the name of a Teraslice cluster. */
export const instanceLabel = (name: string): string => name.replace(/[^\w.-]/g, "_").slice(0, MOST);

/** Key (without prefix) or value of a job's label. */
export const jobLabel = (text: string): string => text.replace(/[^\w.-]/g, "-").slice(0, MOST);

interface FootprintNames {
  /** Name of the execution controller's Job. */
  readonly controller: string;
  /** Name of its Service. */
  readonly service: string;
  /** Name of the workers' Deployment. */
  readonly workers: string;
}

/** Names of a job's objects. They are equal for all its executions. */
export function footprintNames(name: string, jobId: string): FootprintNames {
  const end = `${jobNameLabel(name).slice(0, 35)}-${jobId.slice(0, 13)}`;
  return { controller: `ts-exc-${end}`, service: `svc-ts-exc-${end}`, workers: `ts-wkr-${end}` };
}

/** Whether Kubernetes accepts the name for Services and containers. */
export const isLegalName = (text: string): boolean => /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text);

/** Whether Kubernetes accepts the text as a label's value, or as its key without a prefix. */
export const isLegalLabel = (text: string): boolean => /^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/.test(text);
