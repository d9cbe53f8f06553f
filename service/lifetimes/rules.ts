import { KINDS, type OperationKind } from "../kinds/kinds";
import { periodText } from "./period";

/** How long a deployment may live, be unused, and be hibernated, in seconds; null for no limit. */
export interface Limits {
  readonly timeToLive: number | null;
  readonly idleLimit: number | null;
  readonly stoppedRetention: number | null;
}

/** Limits to set; null removes one, and one that is not named stays. */
export type LimitsChange = Partial<Limits>;

export const NO_LIMITS: Limits = { timeToLive: null, idleLimit: null, stoppedRetention: null };

export interface LifetimeSettings {
  /** Limits of new deployments that name none. */
  readonly defaults: Limits;
  /** How long before it happens something is announced, unless a tenth of its period is shorter. */
  readonly warningMs: number;
  /** What becomes of a deployment's disk when it is deprovisioned. Default: it is not known. */
  readonly diskOf?: (id: string) => Promise<DiskFate | undefined>;
  /** Whether nothing of a deployment is left in its stack. Default: it is not known. */
  readonly isGone?: (id: string) => Promise<boolean>;
}

/** `kept`: by the policy of its provisioner, as a kept disk. */
export type DiskFate = "kept" | "deleted";

/** What the service does to a deployment by itself. */
export type LifetimeAction = "hibernate" | "deprovision";

/** The limits of a deployment, and the times that they count from. */
export interface Lifetime extends Limits {
  /** Start of the time to live. */
  readonly setAt: Date;
  readonly usedAt: Date;
  /** Since when it is hibernated; null while it runs. */
  readonly stoppedAt: Date | null;
}

/** What was announced. */
export interface Announced {
  readonly action: LifetimeAction | null;
  /** End of the period that it was announced for. */
  readonly dueAt: Date | null;
  /** When it happens; null if protection prevents it. */
  readonly actsAt: Date | null;
  readonly announcedAt: Date | null;
}

/** The period of a deployment that ends next. */
export interface Due {
  readonly action: LifetimeAction;
  readonly at: Date;
  /** Length of the period in seconds. */
  readonly seconds: number;
  /** Why, to follow "because". */
  readonly because: string;
}

/** What decides, besides the limits. */
export interface Situation {
  readonly now: Date;
  readonly isProtected: boolean;
  /** Whether it is deleted or being deleted. */
  readonly isGoing: boolean;
  readonly warningMs: number;
}

/** What of a deployment decides, besides its limits. Pure. */
export const situationOf = (
  deployment: { readonly protected: boolean; readonly desiredState: string; readonly deletedAt: Date | null },
  now: Date,
  warningMs: number,
): Situation => ({
  now,
  warningMs,
  isProtected: deployment.protected,
  isGoing: deployment.deletedAt !== null || deployment.desiredState === "absent",
});

const later = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1000);
const latest = (one: Date, other: Date): Date => (one > other ? one : other);

/** Formats a time for people and programs. */
export const timeText = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, "Z");

/** Returns the period that ends next: of a running deployment the first of two, of a hibernated one its retention. Pure. */
export function dueOf({
  timeToLive,
  idleLimit,
  stoppedRetention,
  setAt,
  usedAt,
  stoppedAt,
}: Lifetime): Due | undefined {
  if (stoppedAt !== null) {
    if (stoppedRetention === null) return undefined;
    const at = later(latest(stoppedAt, usedAt), stoppedRetention);
    const because = `its retention of ${periodText(stoppedRetention)} since its hibernation ends`;
    return { action: "deprovision", at, seconds: stoppedRetention, because };
  }
  const dues: Due[] = [];
  if (timeToLive !== null) {
    const because = `its time to live of ${periodText(timeToLive)} ends`;
    dues.push({ action: "hibernate", at: later(setAt, timeToLive), seconds: timeToLive, because });
  }
  if (idleLimit !== null) {
    const because = `its idle limit of ${periodText(idleLimit)} since its last use at ${timeText(usedAt)} ends`;
    dues.push({ action: "hibernate", at: later(usedAt, idleLimit), seconds: idleLimit, because });
  }
  return dues.sort((one, other) => one.at.getTime() - other.at.getTime())[0];
}

const warningOf = ({ seconds }: Due, { warningMs }: Pick<Situation, "warningMs">): number =>
  Math.min(warningMs, seconds * 100);

/** When an action that is announced now happens: never before the whole warning. */
const announcedNow = (due: Due, situation: Situation): Date =>
  latest(due.at, new Date(situation.now.getTime() + warningOf(due, situation)));

const isFor = ({ action, dueAt }: Announced, due: Due): boolean =>
  action === due.action && dueAt?.getTime() === due.at.getTime();

/** What to do with a deployment now. */
export type Step =
  | {
      readonly kind: "wait";
      /** When to look again; null: when something changes. */
      readonly until: Date | null;
      /** Whether what was announced still holds. */
      readonly holds: boolean;
    }
  | { readonly kind: "announce"; readonly due: Due; readonly actsAt: Date | null }
  | { readonly kind: "act"; readonly due: Due };

/**
 * Decides the next step. An action happens only after its own announcement, a whole warning later; whatever postpones
 * the end of the period, protects the deployment or removes its protection asks for a new announcement. Pure.
 */
export function nextStep(lifetime: Lifetime, announced: Announced, situation: Situation): Step {
  const { now, isProtected, isGoing } = situation;
  const due = isGoing ? undefined : dueOf(lifetime);
  if (!due) return { kind: "wait", until: null, holds: false };
  const { actsAt } = announced;
  if (isFor(announced, due) && (actsAt === null) === isProtected) {
    return actsAt !== null && actsAt <= now ? { kind: "act", due } : { kind: "wait", until: actsAt, holds: true };
  }
  const warnsAt = new Date(due.at.getTime() - warningOf(due, situation));
  if (now < warnsAt) return { kind: "wait", until: warnsAt, holds: false };
  return { kind: "announce", due, actsAt: isProtected ? null : announcedNow(due, situation) };
}

/** The lifetime of a deployment for its readers. */
export interface LifetimeView extends Limits {
  readonly expiresAt: Date | null;
  readonly idleSince: Date | null;
  readonly hibernatesAt: Date | null;
  readonly deletesAt: Date | null;
  readonly announcedAt: Date | null;
  /** The same in sentences, for previews. */
  readonly notes: readonly string[];
}

/** Returns what to show of a lifetime; undefined without a limit. Pure. */
export function viewOf(
  lifetime: Lifetime,
  announced: Announced | undefined,
  situation: Situation,
  disk?: DiskFate,
): LifetimeView | undefined {
  const { timeToLive, idleLimit, stoppedRetention, setAt, usedAt, stoppedAt } = lifetime;
  const limits = { timeToLive, idleLimit, stoppedRetention };
  if (situation.isGoing || Object.values(limits).every((limit) => limit === null)) return undefined;
  const due = dueOf(lifetime);
  const isAnnounced = due !== undefined && announced !== undefined && isFor(announced, due);
  const at =
    due && !situation.isProtected ? ((isAnnounced ? announced.actsAt : null) ?? announcedNow(due, situation)) : null;
  const notes: string[] = [];
  if (due) {
    const said = at ? `is ${KINDS[due.action].participle} at ${timeText(at)}` : "stays, because it is protected, when";
    notes.push(at ? `It ${said}, because ${due.because}.` : `It ${said} ${due.because}.`);
  }
  if (stoppedAt === null && stoppedRetention !== null) {
    notes.push(`It is deprovisioned ${periodText(stoppedRetention)} after a hibernation.`);
  }
  if (stoppedRetention !== null) notes.push(`Then ${diskText(disk)}.`);
  return {
    ...limits,
    expiresAt: timeToLive === null ? null : later(setAt, timeToLive),
    idleSince: stoppedAt === null ? usedAt : null,
    hibernatesAt: due?.action === "hibernate" ? at : null,
    deletesAt: due?.action === "deprovision" ? at : null,
    announcedAt: isAnnounced ? announced.announcedAt : null,
    notes,
  };
}

const diskText = (disk: DiskFate | undefined): string =>
  disk === "kept"
    ? "its disk stays as a kept disk, because its provisioner keeps disks"
    : `its disk goes too${disk === undefined ? ", unless its provisioner keeps disks" : ""}`;

/** Returns the text of the notice about an announcement or an action. Pure. */
export function noticeText(
  step: Exclude<Step, { readonly kind: "wait" }>,
  operation?: string,
  disk?: DiskFate,
): string {
  const { action, because } = step.due;
  const { participle, deletes } = KINDS[action];
  if (step.kind === "act") {
    const fate = deletes ? `; ${diskText(disk)}` : "";
    return `it is ${participle} by operation ${operation}, because ${because}${fate}`;
  }
  if (step.actsAt === null) return `it stays, because it is protected, when ${because}`;
  const remedy = deletes
    ? `${diskText(disk)}; wake it, or change its limits, to keep it`
    : "change its limits, or use it if it is idle, to keep it running";
  return `it is ${participle} at ${timeText(step.actsAt)}, because ${because}; ${remedy}`;
}

/** Returns the text of the notice that something announced does not happen. Pure. */
export const withdrawnText = (action: LifetimeAction, actsAt: Date): string =>
  `it is not ${KINDS[action].participle} at ${timeText(actsAt)}: it was used or changed since the announcement`;

/** Returns the text of the notice that something announced can't happen. Pure. */
export const goneText = (action: LifetimeAction, actsAt: Date): string =>
  `it is not ${KINDS[action].participle} at ${timeText(actsAt)}: it has been destroyed without the service`;

/** Returns a lifetime after a request, as the database keeps it by triggers. Pure. */
export function afterRequest(
  before: Lifetime,
  kind: OperationKind,
  desiredState: "running" | "hibernated",
  now: Date,
): Lifetime {
  const usedAt = KINDS[kind].isUse ? now : before.usedAt;
  if (desiredState === "hibernated") return { ...before, usedAt, stoppedAt: before.stoppedAt ?? now };
  const { timeToLive, setAt, stoppedAt } = before;
  const restarts = stoppedAt !== null && timeToLive !== null && later(setAt, timeToLive) <= now;
  return { ...before, usedAt, stoppedAt: null, setAt: restarts ? now : setAt };
}

/** Returns a lifetime with other limits. Setting them is a use; a time to live counts from when it was set. Pure. */
export function withLimits(
  before: Lifetime | undefined,
  change: LimitsChange,
  { isStopped, now }: { readonly isStopped: boolean; readonly now: Date },
): Lifetime {
  const limits = { ...NO_LIMITS, ...before, ...change };
  return {
    ...limits,
    setAt: before === undefined || change.timeToLive !== undefined ? now : before.setAt,
    usedAt: now,
    stoppedAt: isStopped ? (before?.stoppedAt ?? now) : null,
  };
}
