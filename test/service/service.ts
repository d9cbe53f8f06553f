import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { byId } from "../../service/database/queries/operations";
import { ENDED, type OperationRow } from "../../service/database/tables";
import type { Plan } from "../../service/operations/planner";
import { OperationError, Operations, type OperationInput, type Caller } from "../../service/operations";
import type { RuntimeChange } from "../../engine/stack/change";
import type { OperationKind } from "../../service/kinds/kinds";
import { projectRoot } from "../../toolchain/root";
import { Project } from "../engine/cli/project";
import { until } from "../engine/cli/held";
import { testYard } from "../engine/runtime/yard";
import { testDatabase, type TestDatabase } from "./database";
import type { HostAnswer, HostRequest } from "./host";
import { patiently } from "./patience";

export const CALLER: Caller = { tenant: "red", actor: "ann", role: "admin" };

/** A process of the service. */
export interface Host {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
}

/** Asks a process of the service. Undefined if it ends before it answers, or does not in time. */
export async function askHost(
  { child, ended }: Pick<Host, "child" | "ended">,
  asked: Omit<HostRequest, "number">,
  patienceMs = 120_000,
): Promise<HostAnswer | undefined> {
  const number = Math.random();
  let hear: (answer: HostAnswer) => void = () => undefined;
  const answered = new Promise<HostAnswer>((resolve) => {
    hear = (answer) => answer.number === number && resolve(answer);
    child.on("message", hear);
    // A process that was killed reads nothing any more.
    if (child.connected) child.send({ ...asked, number } satisfies HostRequest, () => undefined);
  });
  const late = sleep(patienceMs, undefined, { ref: false });
  const answer = await Promise.race([answered, ended.then(() => undefined), late]);
  child.off("message", hear);
  return answer;
}

/** A platform, the service's database, which holds the states too, and processes of the service on them. */
export class TestService {
  readonly operations: Operations;
  readonly hosts: Host[] = [];

  private constructor(
    readonly project: Project,
    readonly place: TestDatabase,
  ) {
    this.operations = new Operations({ database: place.database, defaultPlatform: "organization/stackyard/here" });
  }

  static async start(
    config: Readonly<Record<string, unknown>>,
    secrets: Readonly<Record<string, string>> = {},
  ): Promise<TestService> {
    const [yard, place] = await Promise.all([testYard(), testDatabase()]);
    const state = new URL(place.url);
    state.protocol = "postgres:";
    state.searchParams.set("sslmode", "disable");
    const project = new Project({ ...yard, env: { ...yard.env, PULUMI_BACKEND_URL: state.href } });
    const cluster = { type: "existing", kubeconfig: { path: yard.kubeconfig } };
    await project.platform({ cluster, ...config }, secrets);
    return new TestService(project, place);
  }

  /** Starts another process of the service, below a program such as `unshare`. */
  async host(env: Readonly<Record<string, string>> = {}, below: readonly string[] = []): Promise<Host> {
    const [program = "", ...args] = [...below, process.execPath, "--import", "tsx", "test/service/host.ts"];
    const child = spawn(program, args, {
      cwd: projectRoot(),
      env: { ...this.project.place.env, HOST_DATABASE: this.place.url, ...env },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
    const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
      child.once("exit", (code, signal) => resolve({ code, signal })),
    );
    const host = { child, ended, said: () => said };
    this.hosts.push(host);
    await Promise.race([
      new Promise<void>((resolve) => child.stdout?.once("data", () => resolve())),
      ended.then(({ code }) => Promise.reject(new Error(`the service ended with ${code}:\n${said}`))),
    ]);
    return host;
  }

  ask(
    deployment: string,
    kind: OperationKind,
    change?: RuntimeChange,
    more: Partial<OperationInput> = {},
  ): Promise<OperationRow> {
    // With a key, so that a request whose answer was lost is not made twice.
    const asked = { deployment, kind, change, idempotencyKey: randomUUID(), ...more };
    return patiently(() => this.operations.request(asked, CALLER));
  }

  /** Has a process of the service show what an operation would do. */
  async plan(asked: OperationInput): Promise<Plan> {
    const running = this.hosts.find(({ child }) => child.exitCode === null && child.signalCode === null);
    const answer = await askHost(running ?? this.hosts[0]!, { caller: CALLER, plan: asked });
    if (answer?.plan) return answer.plan;
    throw new OperationError((answer?.error?.code ?? "INTERNAL") as "INTERNAL", {
      reason: answer?.error?.reason ?? "",
    });
  }

  /** Waits for the end of an operation. */
  async end({ id }: Pick<OperationRow, "id">, limitMs = 120_000): Promise<OperationRow> {
    for (const until = Date.now() + limitMs; Date.now() < until; await sleep(50)) {
      const row = await patiently(() => byId(this.place.database, undefined, id));
      if (row && ENDED.has(row.state)) return row;
    }
    const row = await byId(this.place.database, undefined, id);
    throw new Error(
      `operation ${JSON.stringify(row)} did not end:\n${this.hosts.map((host) => host.said()).join("\n")}`,
    );
  }

  /** Asks, and waits for the end. */
  async done(deployment: string, kind: OperationKind, change?: RuntimeChange): Promise<OperationRow> {
    return this.end(await this.ask(deployment, kind, change));
  }

  /** `isEmpty` says whether the clusters have nothing of the runtimes any more: their controllers delete a moment later. */
  async remove(isEmpty: () => Promise<boolean> = () => Promise.resolve(true)): Promise<void> {
    for (const { child, ended } of this.hosts) {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await ended;
    }
    for (const id of await this.stacks()) await this.project.must("stackyard", "runtime", "destroy", id, "--yes");
    await until("nothing of the runtimes is left", isEmpty);
    await this.project.must("pulumi", "destroy", "-s", "here", "--yes", "--skip-preview", "--remove");
    rmSync(this.project.folder, { recursive: true, force: true });
    await this.place.remove();
  }

  /** Names of the runtimes' stacks. The engine's own list does not come back from a PostgreSQL with more than a few. */
  async stacks(): Promise<string[]> {
    const { rows } = await this.place.pool.query<{ name: string }>(
      "select substring(key from '/stacks/stackyard-runtime/(.*)[.]json$') as name from pulumi_state",
    );
    return rows.flatMap(({ name }) => name ?? []).sort();
  }
}
