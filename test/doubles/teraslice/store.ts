import { randomUUID } from "node:crypto";
import { Assets } from "./assets";
import { Refusal, type Doc } from "./refusal";
import { valid } from "./valid";

export { Refusal, type Doc } from "./refusal";

/** Jobs, executions and assets of the double, with the master's rules for changes. */

const ENDED = ["completed", "stopped", "rejected", "failed", "terminated"];

export class Store {
  readonly jobs = new Map<string, Doc>();
  readonly executions = new Map<string, Doc>();
  readonly assets = new Assets();

  /** Stored as posted: only executions contain validated values with defaults and asset ids. */
  submit(body: unknown): Doc {
    if ((body as Doc | null)?.["operations"] === undefined) throw new Refusal(400, "No job was posted");
    if ((body as Doc)["job_id"]) throw new Refusal(422, "Job cannot include a job_id on submit");
    valid(body, this.assets);
    const id = randomUUID();
    const now = new Date().toISOString();
    const stored = { ...(body as Doc), job_id: id, _created: now, _updated: now, _context: "job" };
    this.jobs.set(id, stored);
    return stored;
  }

  job(id: string): Doc {
    const job = this.jobs.get(id);
    if (!job) throw new Refusal(404, `Not Found: job ${id}`);
    return job;
  }

  /** Replaced as a whole: a missing key is removed. */
  change(id: string, body: unknown): Doc {
    if (Object.keys(body ?? {}).length === 0) {
      throw new Refusal(400, `no data was provided to update job ${id}`);
    }
    const { _created } = this.undeleted(id, "updated");
    valid(body, this.assets);
    const now = new Date(Date.now() + 1).toISOString();
    const stored = { ...(body as Doc), job_id: id, _created, _updated: now, _context: "job" };
    this.jobs.set(id, stored);
    return stored;
  }

  list(from: number, size: number): Doc[] {
    return [...this.jobs.values()].filter((job) => job["_deleted"] !== true).slice(from, from + size);
  }

  /** Returns the newest execution of an existing job. */
  latest(id: string): Doc | undefined {
    this.job(id);
    return [...this.executions.values()].filter((one) => one["job_id"] === id).at(-1);
  }

  live(id: string): Doc | undefined {
    const latest = this.latest(id);
    return latest && !isEnded(latest) ? latest : undefined;
  }

  begin(id: string, more: Doc = {}): Doc {
    const job = this.undeleted(id, "started");
    const now = new Date(Date.now() + 1).toISOString();
    const execution = {
      ...valid(job, this.assets),
      ...more,
      ex_id: randomUUID(),
      metadata: {},
      _context: "ex",
      _created: now,
      _updated: now,
      _has_errors: false,
      _failureReason: "",
      _slicer_stats: {},
      _status: "pending",
      teraslice_version: "v3.14.0",
    };
    this.executions.set(execution.ex_id, execution);
    return execution;
  }

  /** A soft deletion: the job stays, marked as deleted. */
  remove(id: string): Doc {
    const job = this.job(id);
    if (job["_deleted"] === true) throw new Refusal(410, `Job ${id} has already been deleted.`);
    const gone = { ...job, active: false, _deleted: true, _deleted_on: new Date().toISOString() };
    this.jobs.set(id, gone);
    return gone;
  }

  private undeleted(id: string, what: string): Doc {
    const job = this.job(id);
    if (job["_deleted"] === true) throw new Refusal(410, `Job ${id} has been deleted and cannot be ${what}.`);
    return job;
  }
}

export const isEnded = (execution: Doc): boolean => ENDED.includes(String(execution["_status"]));
