import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "../../../service/operations";
import { signalAll } from "../../../engine/process/processTree";
import { MARK } from "../../engine/soak/harm";
import type { HostAnswer, HostRequest } from "../host";
import { pidsOf } from "../processes";
import { askHost, type Host, type TestService } from "../service";

/** As in a container: a PID namespace, and the host name of the machine. */
const CONTAINER = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
export const canIsolate = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0;

/** A stopped or busy process is given up for the other one. */
const PATIENCE_MS = 10_000;
const LIMIT_MS = 300_000;

/** The replicas of the service. Callers reach one of them, or the other one if it does not answer. */
export class Replicas {
  readonly names = ["x", "y"] as const;
  private readonly hosts = new Map<string, Host>();

  constructor(
    private readonly service: TestService,
    private readonly run: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** Begins the marks of a replica's processes. */
  mark = (name: string): string => `${this.run}-${name}-`;

  /** All have one host name; `isIsolated`: in a PID namespace of its own, where its process id is 1. */
  async start(name: string, isIsolated: boolean): Promise<void> {
    const below = isIsolated && canIsolate ? CONTAINER : [];
    this.hosts.set(name, await this.service.host({ ...this.env, [MARK]: this.mark(name) }, below));
  }

  /** Ends all of them. What isolates a process ignores the signal, so the process itself gets it. */
  async stop(): Promise<void> {
    signalAll(pidsOf(this.run, "service"), "SIGTERM");
    await Promise.all(this.service.hosts.map(({ ended }) => ended));
  }

  /** Asks until somebody answers, as a caller does who repeats a request with its key. `first`: the replica to begin with. */
  async ask(caller: Caller, asked: Omit<HostRequest, "number" | "caller">, first: number): Promise<HostAnswer> {
    for (let turn = first, until = Date.now() + LIMIT_MS; Date.now() < until; turn++) {
      const host = this.hosts.get(this.names[turn % this.names.length] ?? "");
      const answer = host && (await askHost(host, { caller, ...asked }, PATIENCE_MS));
      if (answer && answer.error?.code !== "UNAVAILABLE") return answer;
      await sleep(200);
    }
    throw new Error(`nobody answered ${JSON.stringify(asked)}`);
  }
}
