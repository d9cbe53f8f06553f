/** Client for the jobs of a Ray cluster: the REST API of its head, through the Kubernetes API server. */

import { Failure } from "../../../foundation/errors";
import { isObject } from "../../../foundation/json/isObject";
import type { reservation } from "../../../foundation/rayJob/rayJob";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import type { Sent, ServicePort } from "../../../kubernetes/client/options";

const ENDED = ["SUCCEEDED", "FAILED", "STOPPED"] as const;

export interface JobStatus {
  readonly status: "PENDING" | "RUNNING" | (typeof ENDED)[number];
  /** Ray's message. */
  readonly message?: string | null;
}

/** A job as Ray lists it. */
export interface ListedJob extends JobStatus {
  readonly submission_id: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export const hasEnded = ({ status }: JobStatus): boolean => (ENDED as readonly string[]).includes(status);

const pathOf = (id: string): string => `/api/jobs/${encodeURIComponent(id)}`;

/** A job as Ray accepts it. */
export interface JobRequest extends Partial<ReturnType<typeof reservation>> {
  /** Ours, so that a repeated request can't create two jobs. */
  readonly submission_id: string;
  readonly entrypoint: string;
  readonly runtime_env: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, string>>;
}

export class RayJobs {
  /**
   * `token`: if the cluster requires one. The API server consumes the Authorization header, so Ray has a separate one.
   */
  constructor(
    private readonly client: Client,
    private readonly service: ServicePort,
    private readonly token?: string,
  ) {}

  async submit(request: JobRequest): Promise<void> {
    const body = JSON.stringify(request);
    try {
      // Not repeated: Ray answers a second request with the same id like any failure.
      await this.ask("submit the job", { method: "POST", path: "/api/jobs/", body }, 0);
    } catch (error) {
      // The response may have been lost.
      if ((await this.find(request.submission_id).catch(() => undefined)) === undefined) throw error;
    }
  }

  async status(id: string): Promise<JobStatus> {
    return JSON.parse(await this.ask("read the job", { method: "GET", path: pathOf(id) })) as JobStatus;
  }

  /** As {@link status}; undefined if the cluster has no such job. */
  async find(id: string): Promise<JobStatus | undefined> {
    try {
      return await this.status(id);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  /** All jobs that were submitted, in any order; not the drivers of clients. */
  async list(): Promise<ListedJob[]> {
    const jobs: unknown = JSON.parse(await this.ask("list the jobs", { method: "GET", path: "/api/jobs/" }));
    if (!Array.isArray(jobs)) throw new Error("Ray answered no list of jobs; is this the port of its dashboard?");
    return jobs
      .filter((job) => isObject(job) && typeof job["submission_id"] === "string")
      .map((job: ListedJob) => ({ ...job, metadata: isObject(job.metadata) ? job.metadata : {} }));
  }

  /** Returns the complete output so far. */
  async log(id: string): Promise<string> {
    const text = await this.ask("read the job's log", { method: "GET", path: `${pathOf(id)}/logs` });
    return (JSON.parse(text) as { logs?: string }).logs ?? "";
  }

  async stop(id: string): Promise<void> {
    await this.ask("stop the job", { method: "POST", path: `${pathOf(id)}/stop`, body: "{}" });
  }

  /** Deletes the record of a job that has ended. */
  async remove(id: string): Promise<void> {
    await this.ask("delete the job", { method: "DELETE", path: pathOf(id) });
  }

  /** Uploads a folder's content, unless the cluster already has it. Returns its URI. */
  async upload(archive: () => Promise<Uint8Array>, digest: string): Promise<string> {
    const name = `_ray_pkg_${digest.slice(0, 16)}.zip`;
    const path = `/api/packages/gcs/${name}`;
    if (!(await this.has(path))) {
      const contentType = "application/octet-stream";
      await this.ask("upload the working folder", { method: "PUT", path, body: await archive(), contentType });
    }
    return `gcs://${name}`;
  }

  private async has(path: string): Promise<boolean> {
    try {
      await this.ask("look for the working folder", { method: "GET", path });
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  private async ask(action: string, sent: Sent, patienceMs?: number): Promise<string> {
    const headers = this.token !== undefined && { "x-ray-authorization": `Bearer ${this.token}` };
    try {
      return await this.client.ask(
        action,
        this.service,
        { ...sent, ...(headers && { headers }) },
        undefined,
        patienceMs,
      );
    } catch (error) {
      if (error instanceof ApiError && error.code === 503) {
        const { namespace, name } = this.service;
        throw new Failure(
          `could not ${action}: no pod of the service ${namespace}/${name} answers; is the head running? kubectl --namespace ${namespace} get pods`,
        );
      }
      throw error;
    }
  }
}

/** Ray's own answer has no reason, unlike that of the API server about a missing Service. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 404 && error.reason === "";
