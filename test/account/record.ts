/** What a run of the account test has done, in a file of its folder, so that it can be resumed and cleaned up. */

import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Failure } from "../../foundation/errors";
import { isMissing } from "../../foundation/errorCode";
import { writePrivateSync } from "../../foundation/wholeFile";
import { isLocked, withLock } from "../../toolchain/bootstrap/lock";

/** Options that a run keeps, by their names. */
export type KeptOptions = Readonly<Record<string, string>>;

interface DoneStep {
  readonly state: "running" | "done" | "failed";
  readonly seconds: number;
}

interface Content {
  /** Unlike the name of a run, nobody else has it. */
  readonly id: string;
  readonly options: KeptOptions;
  readonly steps: Readonly<Record<string, DoneStep>>;
  /** Values that later steps need. */
  readonly values: Readonly<Record<string, string>>;
  /** What exists, with the command that deletes it; added before it is created. */
  readonly existing: Readonly<Record<string, string>>;
}

const FILE = "record.json";

export class RunRecord {
  private constructor(
    readonly folder: string,
    private content: Content,
  ) {}

  /** The record of a folder; a new one if there is none. */
  static open(folder: string, options: KeptOptions): RunRecord {
    const empty = { id: randomUUID(), options, steps: {}, values: {}, existing: {} };
    return new RunRecord(folder, RunRecord.read(folder) ?? empty);
  }

  /** The options of the run of a folder; undefined if there is none. */
  static optionsIn(folder: string): KeptOptions | undefined {
    return RunRecord.read(folder)?.options;
  }

  private static read(folder: string): Content | undefined {
    try {
      return JSON.parse(readFileSync(path.join(folder, FILE), "utf8")) as Content;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  get id(): string {
    return this.content.id;
  }

  get isNew(): boolean {
    return Object.keys(this.content.steps).length === 0;
  }

  step(name: string): DoneStep | undefined {
    return this.content.steps[name];
  }

  mark(name: string, state: DoneStep["state"], seconds: number): void {
    this.write({ steps: { ...this.content.steps, [name]: { state, seconds } } });
  }

  /** A value of an earlier step. Throws if that step has not run. */
  value(key: string): string {
    const value = this.content.values[key];
    if (value === undefined) throw new Failure(`${this.folder} has no ${key}; run the steps before this one first`);
    return value;
  }

  has(key: string): boolean {
    return this.content.values[key] !== undefined;
  }

  set(values: Readonly<Record<string, string>>): void {
    this.write({ values: { ...this.content.values, ...values } });
  }

  /** Says that something is about to be created, and the command that deletes it. */
  creates(what: string, command: string): void {
    this.write({ existing: { ...this.content.existing, [what]: command } });
  }

  isCreated(what: string): boolean {
    return Object.hasOwn(this.content.existing, what);
  }

  deleted(...what: readonly string[]): void {
    const left = Object.entries(this.content.existing).filter(([one]) => !what.includes(one));
    this.write({ existing: Object.fromEntries(left) });
  }

  get existing(): readonly (readonly [what: string, command: string])[] {
    return Object.entries(this.content.existing);
  }

  private write(change: Partial<Content>): void {
    this.content = { ...this.content, ...change };
    mkdirSync(this.folder, { recursive: true });
    writePrivateSync(path.join(this.folder, FILE), `${JSON.stringify(this.content, undefined, 2)}\n`);
  }
}

/** Runs work as the only run of a folder. Throws if another one is at it. */
export async function alone<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const file = path.join(folder, "lock");
  const refuse = (holder: string): never => {
    throw new Failure(
      `${folder}: process ${holder} runs the test of this folder; wait for it, or take another --folder`,
    );
  };
  if (existsSync(file) && isLocked(file)) refuse(readFileSync(file, "utf8").split(" ")[0] ?? "");
  return withLock(file, work, refuse);
}
