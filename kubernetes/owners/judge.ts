/** Decides whether a resource may change a thing, by the record of its owner. Pure. */

import { offerTo, RUNTIMES, type Claimant, type OwnerRecord, type StackName } from "./record";

/**
 * `free`: nothing is recorded. `own`: the claimant is the owner. `taken`: the claimant becomes the owner, because it
 * replaces the owner, adopts it, or continues an interrupted creation. `foreign`: another one is the owner. `stale`: the
 * claimant is the owner, but its state is older than the thing.
 */
export type OwnerVerdict = "free" | "own" | "taken" | "foreign" | "stale";

export function judgeOwner(record: OwnerRecord | undefined, claimant: Claimant): OwnerVerdict {
  if (record === undefined) return "free";
  if (record.offeredTo === offerTo(claimant)) return "taken"; // Also by an older state of the owner itself.
  if (record.owner === claimant.owner && record.owner !== claimant.adopts) {
    if (isCurrent(record, claimant) && !isOfCopy(record, claimant)) return "own";
    return isOfSameStack(record, claimant) ? "stale" : "foreign"; // Adopted with its id, or a copy of a moved state.
  }
  // An adoption by command begins with an offer. One to another stack was made by another command at the same moment.
  const isAdopted = record.owner === claimant.adopts && (claimant.byCommand !== true || record.offeredTo === undefined);
  const isPassedOn = isAdopted || record.owner === claimant.replaces;
  return isPassedOn || isInterruptedCreation(record, claimant) ? "taken" : "foreign";
}

/**
 * The state has the generation of the last change, or the one that the change began from if it was interrupted: then
 * either the record is still `applying`, or the state itself says so. A state may be newer than a restored record.
 */
export function isCurrent(
  { generation, from, phase }: OwnerRecord,
  claimant: Pick<Claimant, "generation" | "interrupted">,
): boolean {
  const isInterrupted = phase === "applying" || claimant.interrupted === true;
  return claimant.generation >= generation || (isInterrupted && claimant.generation === from);
}

/** Whether a change is in progress, and another stack with a copy of the claimant's state began it. */
const isOfCopy = (record: OwnerRecord, claimant: Claimant): boolean =>
  claimant.generation < record.generation && claimant.interrupted !== true && !isOfSameStack(record, claimant);

/** Nothing has ever been ready, and the same stack in the same backend began it: its engine was killed. */
const isInterruptedCreation = (record: OwnerRecord, claimant: Claimant): boolean =>
  record.phase === "applying" && record.from === 0 && claimant.isOther !== true && isOfSameStack(record, claimant);

export const isOfSameStack = (record: OwnerRecord, { stack, backend }: StackName): boolean =>
  record.stack === stack && record.backend === backend;

/** A thing whose owner is asked, for messages. */
export interface Thing {
  /** `runtime acme` or `set teraslice/main`. */
  readonly title: string;
  /** The command that takes it over: `stackyard runtime adopt acme`. */
  readonly adopt: string;
}

/** Thrown before anything is changed. */
export class OwnerError extends Error {
  override readonly name = "OwnerError";
  /** A command stops, and does not try again. */
  readonly kind = "input";
}

/** Throws unless the claimant is the owner or may become it. */
export function requireOwner(record: OwnerRecord | undefined, claimant: Claimant, thing: Thing): void {
  const verdict = judgeOwner(record, claimant);
  if (record === undefined || (verdict !== "foreign" && verdict !== "stale")) return;
  throw new OwnerError(verdict === "foreign" ? foreign(record, thing) : stale(record, claimant, thing));
}

/** Names an owner in messages. Nothing but its id is known of one from before there were records. */
export const ownerText = ({
  owner,
  stack,
  backend,
  changedAt,
  generation,
  changedBy,
  offeredTo,
}: OwnerRecord): string =>
  stack === ""
    ? `another owner: its owner id is ${owner}. That is another stack, or this one before its state was lost` +
      (offeredTo === undefined ? "" : `. It is being adopted by ${offeredTo}`)
    : `stack ${stack} in ${backend}, which last changed it at ${changedAt} (generation ${generation}, ${changedBy})`;

const foreign = (record: OwnerRecord, { title, adopt }: Thing): string =>
  `${title} belongs to ${ownerText(record)}. Nothing was changed. To take it over on purpose: ${adopt}`;

const stale = (record: OwnerRecord, { generation, stack, backend }: Claimant, { title }: Thing): string =>
  `${title} has generation ${record.generation}, and the state of stack ${stack} in ${backend} is older (generation ` +
  `${generation}). The newer state was written by ${record.stack} in ${record.backend} at ${record.changedAt} ` +
  `(${record.changedBy}). Nothing was changed. Use that state; or restore the newest checkpoint of this stack; or, if ` +
  `there is none, read what exists with: ${refreshCommand(stack)}`;

function refreshCommand(stack: string): string {
  const [project, name] = stack.split("/");
  return `pulumi refresh --stack ${name}${project === RUNTIMES ? " (in runtime/)" : ""}`;
}
