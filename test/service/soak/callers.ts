import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { byId } from "../../../service/database/queries/deployments";
import type { Database } from "../../../service/database/database";
import type { OperationKind } from "../../../service/kinds/kinds";
import type { Caller, OperationInput } from "../../../service/operations";
import type { RuntimeChange } from "../../../engine/stack/change";
import { seededRandom } from "../../../toolchain/tests/random";
import type { HostAnswer } from "../host";
import { patiently } from "../patience";
import type { Replicas } from "./replicas";

/** Two of each tenant, who use the same ids. */
export const CALLERS: readonly Caller[] = [
  { tenant: "red", actor: "ann", role: "admin" },
  { tenant: "red", actor: "bob", role: "operator" },
  { tenant: "blue", actor: "cleo", role: "operator" },
  { tenant: "blue", actor: "dan", role: "operator" },
];
const IDS = ["ant", "bee"];
const PACE_MS = 6_000;
/** What a request may be refused with: another one came first. */
const REFUSALS = ["CONFLICT", "NOT_FOUND"];

export interface Accepted {
  readonly caller: Caller;
  readonly key: string;
  readonly input: OperationInput;
}

/** What callers have asked for. */
export class Requests {
  /** By id of the operation. */
  readonly accepted = new Map<string, Accepted>();
  /** Operations whose cancellation was accepted. */
  readonly canceled = new Set<string>();
  private readonly refused: (Accepted & { readonly reason: string | undefined })[] = [];
  /** What should not have been answered so. */
  readonly faults: string[] = [];

  constructor(
    private readonly replicas: Replicas,
    private readonly database: Database,
    private readonly run: string,
  ) {}

  /** Carries out one caller's requests, as long as `wants` says so. */
  async call(index: number, seed: number, wants: (number: number) => boolean): Promise<void> {
    const caller = CALLERS[index] ?? CALLERS[0]!;
    const roll = seededRandom(seed + 10 + index);
    for (let number = index; wants(number); number += CALLERS.length) {
      const id = IDS[Math.floor(roll() * IDS.length)] ?? "";
      const input = await this.next(caller, id, String(number), roll);
      const key = `${this.run}-${number}`;
      const first = Math.floor(roll() * 2);
      const asked = { request: { ...input, idempotencyKey: key } };
      // Somebody presses the button twice.
      const times = roll() < 0.3 ? [first, first + 1] : [first];
      const answers = await Promise.all(times.map((replica) => this.replicas.ask(caller, asked, replica)));
      for (const answer of answers) this.note(answer, { caller, key, input });
      if (new Set(answers.map(({ operation, error }) => operation?.id ?? error?.reason)).size > 1) {
        this.faults.push(`${key} has two answers: ${JSON.stringify(answers)}`);
      }
      await this.blunder(caller, roll, first);
      await sleep(roll() * PACE_MS);
    }
  }

  private async next(caller: Caller, id: string, version: string, roll: () => number): Promise<OperationInput> {
    const oneOf = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T;
    const provisioner = oneOf(["cluster", "pool"]);
    const slots = 1 + Math.floor(roll() * 3);
    const wanted = oneOf<OperationKind>(["update", "update", "hibernate", "wake", "move", "refresh", "deprovision"]);
    const there = await patiently(() => byId(this.database, caller.tenant, id));
    const isThere = there !== undefined && there.deletedAt === null && there.desiredState !== "absent";
    const changes: Partial<Record<OperationKind, RuntimeChange>> = {
      provision: { deployment: { version: "1", slots, provisioner } },
      update: { deployment: { version, slots } },
      move: { deployment: {}, move: provisioner },
    };
    const kind = isThere ? wanted : "provision";
    return { deployment: id, kind, ...(changes[kind] && { change: changes[kind] }) };
  }

  private note({ operation, error }: HostAnswer, accepted: Accepted): void {
    if (operation) this.accepted.set(operation.id, accepted);
    else if (REFUSALS.includes(error?.code ?? "")) this.refused.push({ ...accepted, reason: error?.reason });
    else this.faults.push(`${accepted.key}: ${JSON.stringify(error)}`);
  }

  /** Cancels, repeats an accepted or refused request, uses its key again, or takes the operation of another tenant for an own one. */
  private async blunder(caller: Caller, roll: () => number, first: number): Promise<void> {
    const [what, which] = [roll(), roll()];
    const all = [...this.accepted];
    const own = all.filter(([, request]) => request.caller === caller);
    const [old, request] = own[Math.floor(which * own.length)] ?? [];
    const { 0: newest } = all.findLast(([, each]) => each.caller.tenant === caller.tenant) ?? [];
    const { 0: other } = all.findLast(([, each]) => each.caller.tenant !== caller.tenant) ?? [];
    const expect = (answer: HostAnswer, isAsExpected: boolean, action: string): void => {
      if (!isAsExpected) this.faults.push(`${caller.actor} ${action}: ${JSON.stringify(answer)}`);
    };
    if (what < 0.2 && newest !== undefined) {
      const answer = await this.replicas.ask(caller, { cancel: newest, key: randomUUID() }, first);
      if (answer.operation) this.canceled.add(newest);
      else expect(answer, answer.error?.code === "CONFLICT", `cancels ${newest}`);
    } else if (what < 0.35 && request) {
      const asked = { request: { ...request.input, idempotencyKey: request.key } };
      const answer = await this.replicas.ask(caller, asked, first);
      expect(answer, answer.operation?.id === old, `repeats ${request.key} of ${old}`);
    } else if (what < 0.45 && request) {
      const changed = { ...request.input, deployment: "another", idempotencyKey: request.key };
      const answer = await this.replicas.ask(caller, { request: changed }, first);
      expect(answer, answer.error?.code === "CONFLICT", `uses ${request.key} again`);
    } else if (what < 0.55 && other !== undefined) {
      const answer = await this.replicas.ask(caller, { cancel: other }, first);
      expect(answer, answer.error?.code === "NOT_FOUND", `cancels ${other} of another tenant`);
    } else if (what < 0.75) {
      const refused = this.refused.findLast((each) => each.caller === caller);
      if (!refused) return;
      const asked = { request: { ...refused.input, idempotencyKey: refused.key } };
      const answer = await this.replicas.ask(caller, asked, first);
      expect(answer, answer.error?.reason === refused.reason, `repeats the refused ${refused.key}`);
    }
  }
}
