import type { Client } from "../../kubernetes/client/client";
import type { Sent, ServicePort } from "../../kubernetes/client/options";
import { ApiError } from "../../kubernetes/client/apiError";
import { Failure } from "../../foundation/errors";

/** Where to submit jobs of a cluster. */
interface JobsPlace {
  readonly namespace: string;
  readonly service: string;
  /** URL of its dashboard; only its port is used. */
  readonly dashboard: string;
}

const ENDED = ["SUCCEEDED", "FAILED", "STOPPED"] as const;

export interface JobStatus {
  readonly status: "PENDING" | "RUNNING" | (typeof ENDED)[number];
  /** Ray's message. */
  readonly message?: string;
}

export const hasEnded = ({ status }: JobStatus): boolean => (ENDED as readonly string[]).includes(status);

const pathOf = (id: string): string => `/api/jobs/${encodeURIComponent(id)}`;

/** Environment of a job. */
export interface RuntimeEnv {
  readonly working_dir?: string;
  readonly env_vars?: Readonly<Record<string, string>>;
  readonly pip?: readonly string[];
}

/** Client for the jobs of a Ray cluster: the REST API of its head, through the Kubernetes API server. */
export class RayJobs {
  private readonly service: ServicePort;

  /**
   * `token`: if the cluster requires one. The API server consumes the Authorization header, so Ray has a separate one.
   */
  constructor(
    private readonly client: Client,
    { namespace, service, dashboard }: JobsPlace,
    private readonly token?: string,
  ) {
    this.service = { namespace, name: service, port: Number(new URL(dashboard).port) };
  }

  /** Submits a job with an id of ours, so that a repeated request can't create two jobs. */
  async submit(id: string, entrypoint: string, runtimeEnv: RuntimeEnv): Promise<void> {
    const body = JSON.stringify({ submission_id: id, entrypoint, runtime_env: runtimeEnv });
    try {
      await this.ask("submit the job", { method: "POST", path: "/api/jobs/", body });
    } catch (error) {
      // The response of the first attempt may have been lost.
      if ((await this.status(id).catch(() => undefined)) === undefined) throw error;
    }
  }

  async status(id: string): Promise<JobStatus> {
    return JSON.parse(await this.ask("read the job", { method: "GET", path: pathOf(id) })) as JobStatus;
  }

  /** Returns the complete output so far. */
  async log(id: string): Promise<string> {
    const text = await this.ask("read the job's log", { method: "GET", path: `${pathOf(id)}/logs` });
    return (JSON.parse(text) as { logs?: string }).logs ?? "";
  }

  async stop(id: string): Promise<void> {
    await this.ask("stop the job", { method: "POST", path: `${pathOf(id)}/stop`, body: "{}" });
  }

  /** Uploads a folder's content, unless the cluster already has it. Returns its URI. */
  async upload(archive: Uint8Array, digest: string): Promise<string> {
    const name = `_ray_pkg_${digest.slice(0, 16)}.zip`;
    const path = `/api/packages/gcs/${name}`;
    if (!(await this.has(path))) {
      const contentType = "application/octet-stream";
      await this.ask("upload the working folder", { method: "PUT", path, body: archive, contentType });
    }
    return `gcs://${name}`;
  }

  private async has(path: string): Promise<boolean> {
    try {
      await this.ask("look for the working folder", { method: "GET", path });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return false;
      throw error;
    }
  }

  private async ask(action: string, sent: Sent): Promise<string> {
    const headers = this.token !== undefined && { "x-ray-authorization": `Bearer ${this.token}` };
    try {
      return await this.client.ask(action, this.service, { ...sent, ...(headers && { headers }) });
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
