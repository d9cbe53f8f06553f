/**
 * Names and labels as a master makes them of a job's words. What comes out is not always legal: then Kubernetes refuses
 * the objects, so a check of the job refuses it before.
 */

const MOST = 63;

/** A job's name as the label `jobName`, which names of objects begin with. */
export const jobNameLabel = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, "-")
    .replace(/^[^a-z]/, "a")
    .replace(/[^a-z0-9]$/, "0")
    .slice(0, MOST);

/** The name of a Teraslice cluster as the label `instance`. */
export const instanceLabel = (name: string): string => name.replace(/[^\w.-]/g, "_").slice(0, MOST);

/** Key or value of a job's label, without the prefix of keys. */
export const jobLabel = (text: string): string => text.replace(/[^\w.-]/g, "-").slice(0, MOST);

export interface FootprintNames {
  /** Of the execution controller's Job. */
  readonly controller: string;
  /** Of its Service. */
  readonly service: string;
  /** Of the workers' Deployment. */
  readonly workers: string;
}

/** Names of a job's objects. They are those of the job, not of one execution of it. */
export function footprintNames(name: string, jobId: string): FootprintNames {
  const end = `${jobNameLabel(name).slice(0, 35)}-${jobId.slice(0, 13)}`;
  return { controller: `ts-exc-${end}`, service: `svc-ts-exc-${end}`, workers: `ts-wkr-${end}` };
}

/** A name that Kubernetes takes for Services and containers. */
export const isLegalName = (text: string): boolean => /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text);

/** What Kubernetes takes as the value of a label, or as its key without a prefix. */
export const isLegalLabel = (text: string): boolean => /^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/.test(text);
