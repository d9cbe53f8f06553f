/** Records the progress of a release's update. */

import { identity, parseInventoryKey, type Ref } from "../../../kubernetes/objects/objects";
import type { ReleaseInputs, ReleaseState } from "./inputs";
import type { Member } from "./wanted/member";

/** An object of the inventory with a hash of its source. */
export interface Recorded {
  readonly ref: Ref;
  readonly key: string;
  readonly fingerprint: string;
}

/** `unsure`: an interrupted update, or another owner, may have changed any object without recording it. */
export function recordsOf(state: ReleaseState | undefined, unsure = false): Recorded[] {
  const { inventory = [], fingerprints = [] } = state ?? {};
  return inventory.map((key, index) => ({
    ref: parseInventoryKey(key),
    key,
    fingerprint: (unsure ? "" : fingerprints[index]) ?? "",
  }));
}

/** Whether a member is already up to date. */
export function settledIn(records: readonly Recorded[]): (member: Member) => boolean {
  const known = new Map(records.map((record) => [record.key, record.fingerprint]));
  return ({ key, fingerprint }) => fingerprint !== "" && known.get(key) === fingerprint;
}

/** Progress of an update: what was started, and what was completed. */
export class ReleaseProgress {
  readonly #begun = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #settled = new Set<string>();
  readonly #gone = new Set<string>();

  constructor(
    /** In the order of application. */
    private readonly members: readonly Member[],
    private readonly records: readonly Recorded[],
  ) {
    const settled = settledIn(records);
    for (const member of members) if (settled(member)) this.#settled.add(member.key);
  }

  /** Called before the request, because after a lost response the object may exist. */
  begin({ key }: Member): void {
    this.#begun.add(key);
  }

  /** Called for an object that the cluster has refused to create. */
  refused({ key }: Member): void {
    this.#refused.add(key);
  }

  settle(members: readonly Member[]): void {
    for (const { key } of members) this.#settled.add(key);
  }

  removed(refs: readonly Ref[]): void {
    for (const ref of refs) this.#gone.add(identity(ref));
  }

  /** Objects that were applied, or may have been. */
  get applied(): readonly string[] {
    return this.members.map(({ key }) => key).filter((key) => this.#begun.has(key) && !this.#refused.has(key));
  }

  get changedAnything(): boolean {
    return this.#begun.size > 0 || this.#gone.size > 0;
  }

  /** The inventory: first remaining objects that are no longer desired, then the members that exist or may exist. */
  state(inputs: ReleaseInputs): ReleaseState {
    const wanted = new Set(this.members.map(({ ref }) => identity(ref)));
    const before = new Set(this.records.map(({ ref }) => identity(ref)));
    const left = this.records.filter(({ ref }) => !wanted.has(identity(ref)) && !this.#gone.has(identity(ref)));
    const there = this.members.filter(({ ref, key }) => this.#begun.has(key) || before.has(identity(ref)));
    return {
      ...inputs,
      inventory: [...left, ...there].map(({ key }) => key),
      fingerprints: [
        ...left.map(() => ""),
        ...there.map(({ key, fingerprint }) => (this.#settled.has(key) ? fingerprint : "")),
      ],
    };
  }
}
