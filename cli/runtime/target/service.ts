import { isInterrupted, onInterrupt } from "../../../engine/process/interrupt";
import { rollOut, type Rollout, type RolloutOptions, type RuntimeJob } from "../../../engine/workers/rollout";
import type { Request } from "../../../engine/runtime/request/request";
import { Failure } from "../../../foundation/errors";
import { forAll } from "../../../kubernetes/client/pool";
import type { Context } from "../../context";
import { chooseRuntimes, type RuntimeSelection } from "../../fleet/choose";
import { ask, Rejection, type OperationEvent, type ServiceAccess } from "../../service/client";
import { readList } from "../../service/list";
import { endOf, mutate } from "../../service/mutation";
import { DEPLOYMENT, DETAILS, WHOLE } from "../../service/queries";
import type { Deployment, DetailedDeployment, Payload, WholeDeployment } from "../../service/queries";
import type { CommonOptions, KubeconfigOptions, LimitOptions } from "../options";
import { serviceDisks, namedServiceDisks } from "./disks";
import { mutationOf, resultOf } from "./request";
import { checkedOf, listedOf, statusOf } from "./summary";
import type { ShownDisks, Listed, NamedDisks, Preview, RunResult, Status, Target } from "./target";

const ISSUE = `mutation ($id: String!, $role: KubeconfigRole!, $seconds: Int!) {
  issueRuntimeKubeconfig(id: $id, role: $role, expirationSeconds: $seconds) { kubeconfig expiresAt }
}`;

interface Issued {
  readonly issueRuntimeKubeconfig: { readonly kubeconfig: string; readonly expiresAt: string };
}

/** Reaches runtimes through a service, which keeps a deployment for each. */
export class ServiceTarget implements Target {
  constructor(
    private readonly context: Context,
    private readonly access: ServiceAccess,
    private readonly options: CommonOptions & LimitOptions,
  ) {}

  async list(ids?: readonly string[]): Promise<readonly Listed[]> {
    if (ids) return (await forAll(ids, (id) => this.deployment(id))).flatMap((found) => (found ? listedOf(found) : []));
    const all = { field: "deployments", filterType: "DeploymentFilter", fields: DEPLOYMENT, filter: {} };
    return (await readList<Deployment>(this.access, all, Infinity)).map(listedOf);
  }

  async status(id: string): Promise<Status | undefined> {
    const found = await this.deployment<WholeDeployment>(id, WHOLE);
    return found && statusOf(found);
  }

  /** The service judges each request when it gets it. */
  faultsOf(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  run(job: RuntimeJob): Promise<RunResult> {
    const { live, colours } = this.context;
    return this.follow(job, ({ kind, text }) => {
      if (kind === "note" || kind === "diagnostic") live.line(`  ${text}`);
      else live.status(`  ${colours.dim(text)}`);
    });
  }

  runAll(waves: readonly (readonly RuntimeJob[])[], options: RolloutOptions): Promise<Rollout> {
    return rollOut(waves, { ...options, isStopped: isInterrupted }, (job) => this.follow(job, () => undefined));
  }

  async preview(request: Request): Promise<Preview> {
    const started = performance.now();
    const { plan } = await this.request({ request, defaultPlatform: "" }, true);
    if (!plan) throw new Failure(`the service answered no plan for ${request.id}`);
    const changes = Map.groupBy(plan.changes, ({ action }) => action);
    return {
      id: request.id,
      ok: true,
      milliseconds: Math.round(performance.now() - started),
      changes: Object.fromEntries([...changes].map(([action, own]) => [action, own.length])),
      outputs: plan.outputs ?? {},
      errors: [],
      notes: plan.notes,
      plan: plan.changes,
    };
  }

  async check(choice: RuntimeSelection) {
    const read = async (ids?: readonly string[]) => (await this.list(ids)).map((summary) => ({ summary }));
    return (await chooseRuntimes(choice, read)).map(({ summary }) => checkedOf(summary));
  }

  disks(): Promise<ShownDisks> {
    return serviceDisks(this.access);
  }

  disksNamed(names: readonly string[]): Promise<NamedDisks> {
    return namedServiceDisks(this.access, names);
  }

  async kubeconfig(id: string, { role, expires: seconds }: KubeconfigOptions) {
    const found = await this.deployment(id);
    if (!found) throw new Failure(`there is no runtime ${id}; "stackyard runtime list" shows those there are`);
    // This part of the API needs the header `tenant`, which is optional elsewhere.
    const access = { ...this.access, tenant: found.tenant };
    const { issueRuntimeKubeconfig: issued } = await ask<Issued>(access, ISSUE, { id, role, seconds });
    return { kubeconfig: issued.kubeconfig, expires: new Date(issued.expiresAt) };
  }

  private async deployment<Found extends DetailedDeployment>(id: string, fields = DETAILS): Promise<Found | undefined> {
    const query = `query ($id: ID!) { deployment(id: $id) { ${fields} } }`;
    const { deployment } = await ask<{ deployment: Found | null }>(this.access, query, { id });
    return deployment?.deletedAt === null ? deployment : undefined;
  }

  private async request(job: RuntimeJob, dryRun: boolean): Promise<Payload> {
    // Other verbs need an existing deployment, and the service says so if there is none.
    const mayBeNew = job.destroy !== true && job.existing !== "must-exist";
    const present = mayBeNew ? await this.deployment(job.request.id) : undefined;
    const { revision, key } = this.options;
    const send = (there: typeof present) =>
      mutate(this.access, mutationOf(job, there, this.options), { revision, key, dryRun });
    return send(present).catch((error: unknown) => {
      // With this key, the request that created the runtime was sent, and its answer was lost.
      const isRepeated = present !== undefined && error instanceof Rejection && error.path === "idempotencyKey";
      if (isRepeated) return send(undefined);
      throw error;
    });
  }

  /** Requests an operation and, unless `--no-wait` is given, follows it to its end. */
  private async follow(job: RuntimeJob, onEvent: (event: OperationEvent) => void): Promise<RunResult> {
    const started = performance.now();
    const { id } = job.request;
    const { operation: requested, deployment } = await this.request(job, false);
    // The answer to a protection does not name the operation that records it.
    const operation = requested ?? deployment?.lastOperation;
    if (!operation) throw new Failure(`the service answered no operation for ${id}`);
    const result = (ended: Parameters<typeof resultOf>[1]) => resultOf(id, ended, performance.now() - started);
    if (this.options.wait === false) return { ...result({ ...operation, result: null }), operation };
    const goesOn = `the operation of ${id} goes on; cancel it with: stackyard operations cancel ${operation.id}`;
    const off = onInterrupt(() => this.context.live.line(goesOn));
    try {
      return result(await endOf(this.access, operation.id, onEvent));
    } finally {
      off();
    }
  }
}
