/** The report of a preview of a release: new objects, changes by object, deletions. */

import { type Work } from "../../../../kubernetes/work/work";
import { describe, type Ref } from "../../../../kubernetes/objects/objects";

import { missingNamespace } from "../../../../kubernetes/work/faults";
import type { FieldChange } from "../../../../kubernetes/drift/fieldChanges";
import type { Member } from "../wanted/member";

/** Longer lists don't help. */
const MOST_OBJECTS = 50;
const MOST_FIELDS = 10;

/** An object that is no longer in the bundle. */
export interface RemovedObject {
  readonly ref: Ref;
  /** Why it may stay anyway. */
  readonly note: string | undefined;
}

export class ApplyReport {
  readonly #created: Member[] = [];
  readonly #changed: { readonly member: Member; readonly changes: readonly FieldChange[] }[] = [];
  readonly #replaced: { readonly member: Member; readonly why: string }[] = [];
  #pruned: readonly RemovedObject[] = [];
  readonly #missing = new Set<string>();
  readonly #coming: ReadonlySet<string>;

  /** `coming`: names of namespaces that earlier resources of the program create. */
  constructor(coming: Iterable<string>) {
    this.#coming = new Set(coming);
  }

  created(member: Member): void {
    this.#created.push(member);
  }

  changed(member: Member, changes: readonly FieldChange[]): void {
    if (changes.length > 0) this.#changed.push({ member, changes });
  }

  /** Records an object that would be deleted and recreated. */
  replaced(member: Member, why: string): void {
    this.#replaced.push({ member, why });
  }

  pruned(leaving: readonly RemovedObject[]): void {
    this.#pruned = leaving;
  }

  /** Records a missing namespace, which another resource of the program may be about to create. */
  missing(ref: Ref): void {
    if (!this.#coming.has(ref.namespace ?? "")) this.#missing.add(missingNamespace(ref));
  }

  log(work: Work, before: string | undefined, digest: string): void {
    for (const words of this.#missing) work.log("warning", words);
    if (before !== undefined && before !== digest) work.log("info", `content ${before} → ${digest}`);
    const order = (a: { place: string; key: string }, b: { place: string; key: string }): number =>
      a.place.localeCompare(b.place, "en", { numeric: true }) || (a.key < b.key ? -1 : 1);
    this.#list(
      work,
      "new",
      this.#created
        .sort(order)
        .map((member) => ({ kind: member.ref.kind, line: `+ ${describe(member.ref)} (${member.place})` })),
    );
    this.#list(
      work,
      "changed",
      this.#changed
        .sort((a, b) => order(a.member, b.member))
        .map(({ member, changes }) => ({
          kind: member.ref.kind,
          line: `~ ${describe(member.ref)} (${member.place})\n${fieldLines(changes)}`,
        })),
    );
    this.#list(
      work,
      "to be replaced",
      this.#replaced
        .sort((a, b) => order(a.member, b.member))
        .map(({ member, why }) => ({
          kind: member.ref.kind,
          line: `± ${describe(member.ref)} (${member.place})\n    ${why}`,
        })),
    );
    this.#list(
      work,
      "to be removed",
      this.#pruned.map(({ ref, note }) => ({
        kind: ref.kind,
        line: `- ${describe(ref)}${note === undefined ? "" : ` (${note})`}`,
      })),
    );
  }

  #list(work: Work, what: string, items: readonly { readonly kind: string; readonly line: string }[]): void {
    if (items.length === 0) return;
    const lines = items.slice(0, MOST_OBJECTS).map(({ line }) => line);
    const rest = items.slice(MOST_OBJECTS);
    const more = rest.length === 0 ? [] : [`and ${rest.length} more: ${counts(rest.map(({ kind }) => kind))}`];
    work.log(
      "info",
      [`${items.length} ${items.length === 1 ? "object" : "objects"} ${what}:`, ...lines, ...more].join("\n"),
    );
  }
}

function fieldLines(changes: readonly FieldChange[]): string {
  const lines = changes.slice(0, MOST_FIELDS).map(({ path, words }) => `    ${path}: ${words}`);
  const more = changes.length > MOST_FIELDS ? [`    and ${changes.length - MOST_FIELDS} more fields`] : [];
  return [...lines, ...more].join("\n");
}

/** Counts by kind: `ConfigMap 998, Deployment 2`. */
function counts(kinds: readonly string[]): string {
  const byKind = new Map<string, number>();
  for (const kind of kinds) byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  return [...byKind].map(([kind, count]) => `${kind} ${count}`).join(", ");
}
