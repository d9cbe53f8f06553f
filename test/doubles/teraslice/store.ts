import { createHash, randomUUID } from "node:crypto";

/** What the double of a Teraslice master keeps, and the rules that its documentation gives. */

export type Doc = Record<string, unknown>;

/** An answer that is an error, as a master words it. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const LIVE = ["pending", "scheduling", "initializing", "running", "recovering", "failing", "paused", "stopping"];

export class Store {
  readonly jobs = new Map<string, Doc>();
  readonly executions = new Map<string, Doc>();
  readonly assets = new Map<string, Uint8Array>();

  submit(body: unknown): Doc {
    const job = { ...checked(body) };
    if (job["job_id"] !== undefined) throw new Refusal(422, "job_id is not allowed in a new job");
    const id = randomUUID();
    const now = new Date().toISOString();
    const stored = { ...job, active: true, job_id: id, _created: now, _updated: now, _context: "job" };
    this.jobs.set(id, stored);
    return stored;
  }

  job(id: string): Doc {
    const job = this.jobs.get(id);
    if (!job) throw new Refusal(404, `job ${id} was not found`);
    return job;
  }

  /** Replaced as a whole: a key that is left out is gone. */
  change(id: string, body: unknown): Doc {
    const { _created, _deleted } = this.undeleted(id, "updated");
    const now = new Date(Date.now() + 1).toISOString();
    const stored = { ...checked(body), active: true, job_id: id, _created, _deleted, _updated: now, _context: "job" };
    this.jobs.set(id, stored);
    return stored;
  }

  list(from: number, size: number): Doc[] {
    return [...this.jobs.values()].filter((job) => job["_deleted"] !== true).slice(from, from + size);
  }

  latest(id: string): Doc | undefined {
    this.job(id);
    return [...this.executions.values()].filter((one) => one["job_id"] === id).at(-1);
  }

  live(id: string): Doc | undefined {
    const latest = this.latest(id);
    return latest && LIVE.includes(String(latest["_status"])) ? latest : undefined;
  }

  begin(id: string): Doc {
    const job = this.undeleted(id, "started");
    if (this.live(id)) throw new Refusal(409, `job ${id} is currently running`);
    const now = new Date(Date.now() + 1).toISOString();
    const times = { _created: now, _updated: now };
    const execution = { ...job, ...times, ex_id: randomUUID(), _context: "ex", _status: "pending", slicers: 1 };
    this.executions.set(execution.ex_id, execution);
    return execution;
  }

  remove(id: string): Doc {
    if (this.live(id)) throw new Refusal(409, `job ${id} is currently running, cannot delete a running job`);
    const job = { ...this.job(id), active: false, _deleted: true, _deleted_on: new Date().toISOString() };
    this.jobs.set(id, job);
    return job;
  }

  /** Known by its content, as a master knows it. */
  asset(zip: Uint8Array): string {
    if (zip[0] !== 0x50 || zip[1] !== 0x4b)
      throw new Refusal(422, "failed to save asset: there is no asset.json in it");
    const id = createHash("sha1").update(zip).digest("hex");
    this.assets.set(id, zip);
    return id;
  }

  private undeleted(id: string, what: string): Doc {
    const job = this.job(id);
    if (job["_deleted"] === true) throw new Refusal(410, `job ${id} has been deleted and cannot be ${what}`);
    return job;
  }
}

/** The rules of a submission. */
function checked(body: unknown): Doc {
  if (typeof body !== "object" || body === null || Object.keys(body).length === 0) {
    throw new Refusal(400, "no job was given");
  }
  const job = body as Doc;
  const refuse = (what: string): never => {
    throw new Refusal(500, `failed to create job: ${what}`);
  };
  if (!Array.isArray(job["operations"]) || job["operations"].length < 2) refuse("operations need to be at least two");
  if (!["once", "persistent", undefined].includes(job["lifecycle"] as string))
    refuse("lifecycle is once or persistent");
  for (const key of ["workers", "slicers"]) {
    const value = job[key];
    if (value !== undefined && !(Number.isInteger(value) && Number(value) > 0))
      refuse(`${key} must be a positive integer`);
  }
  return job;
}
