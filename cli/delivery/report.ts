import { isStateful } from "../../policy/rules/protection";
import { count } from "../../foundation/text/numbers";
import { differencesBetween } from "./differences";
import { changedValues, type ChangedValues } from "./values";
import { nameOfUrn, STACK_TYPE, type EngineEvent, type EngineStep } from "../../engine/pulumi/events";

/** The result of a preview, for users who decide about its deployment. */
export interface PreviewReport {
  readonly changes: readonly Change[];
  /** The changes that delete state irrecoverably. */
  readonly destructive: readonly Change[];
  readonly violations: readonly Violation[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Outputs of the stack; undefined if the preview is incomplete. */
  readonly outputs?: Outputs;
}

export interface Outputs {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

export interface Change {
  readonly op: string;
  readonly type: string;
  readonly name: string;
  /** Paths of the differences. */
  readonly paths: readonly string[];
  readonly values: ChangedValues;
}

interface Violation {
  readonly policy: string;
  readonly resource: string;
  readonly message: string;
  readonly isMandatory: boolean;
}

const QUIET = new Set(["same", "read", "refresh", "discard"]);

/** What a preview counts: not the stack and the providers that Pulumi makes by itself, which it does not show either. */
const isCounted = ({ op, type, urn }: EngineStep): boolean =>
  !QUIET.has(op) &&
  type !== STACK_TYPE &&
  !(type.startsWith("pulumi:providers:") && /^default(_|$)/.test(nameOfUrn(urn)));

export const TAKES_AWAY: ReadonlySet<string> = new Set(["delete", "replace", "delete-replaced", "create-replacement"]);

/** Whether a set has disks, which are deleted with it unless configured otherwise. */
const keepsDisks = ({ old }: EngineStep): boolean =>
  /\/(PersistentVolumeClaim|StatefulSet)\//.test(JSON.stringify(old?.outputs?.["inventory"] ?? "")) &&
  old?.inputs?.["claimsWhenDeleted"] !== "Retain";

const isDestructive = (step: EngineStep): boolean =>
  TAKES_AWAY.has(step.op) &&
  (isStateful(step.type) || (step.type === "stackyard:index:ManifestSet" && keepsDisks(step)));

/** Builds the report from the events of a preview. Pure. */
export function reportOf(events: readonly EngineEvent[]): PreviewReport {
  const steps = events
    .flatMap(({ resourcePreEvent }) => (resourcePreEvent ? [resourcePreEvent.metadata] : []))
    .filter(isCounted);
  const destructive = new Set(steps.filter(isDestructive).map(({ urn }) => urn));
  const seen = new Set<string>();
  const changes: Change[] = [];
  const lost: Change[] = [];
  for (const step of steps) {
    // A replacement consists of three steps for one resource.
    if (seen.has(step.urn)) continue;
    seen.add(step.urn);
    const op = TAKES_AWAY.has(step.op) && step.op !== "delete" ? "replace" : step.op;
    const paths = Object.keys(step.detailedDiff ?? {}).sort();
    const change = {
      op,
      type: step.type,
      name: nameOfUrn(step.urn),
      paths: paths.length > 0 ? paths : (step.diffs ?? []),
      values: changedValues({ ...step, op }),
    };
    changes.push(change);
    if (destructive.has(step.urn)) lost.push(change);
  }
  const violations = events.flatMap(({ policyEvent: event }) =>
    event
      ? [
          {
            policy: event.policyName,
            resource: event.resourceUrn ? nameOfUrn(event.resourceUrn) : "",
            message: plain(event.message),
            isMandatory: event.enforcementLevel === "mandatory",
          },
        ]
      : [],
  );
  const messages = (severity: string): string[] =>
    events.flatMap(({ diagnosticEvent: event }) => (event?.severity === severity ? [plain(event.message)] : []));
  const [errors, warnings] = [messages("error"), messages("warning")];
  return { changes, destructive: lost, violations, errors, warnings, outputs: outputsOf(events) };
}

/** Returns the outputs from the last event about the stack itself. */
function outputsOf(events: readonly EngineEvent[]): Outputs | undefined {
  const last = events.findLast(({ resOutputsEvent }) => resOutputsEvent?.metadata.type === STACK_TYPE);
  const { old, new: next } = last?.resOutputsEvent?.metadata ?? {};
  return next ? { before: old?.outputs ?? {}, after: next.outputs ?? {} } : undefined;
}

/** Names of the outputs that an update would change. */
export const changedOutputs = ({ outputs }: PreviewReport): string[] =>
  outputs === undefined
    ? []
    : [...new Set(differencesBetween(outputs.before, outputs.after).map(({ path }) => path.split(".")[0] ?? ""))];

/** Whether an update has nothing to do. */
export const isQuiet = (report: PreviewReport): boolean =>
  report.changes.length === 0 && changedOutputs(report).length === 0;

const plain = (text: string): string => text.replace(/<\{%[^%]*%\}>/g, "").trim();

/** `2 to create, 1 to update`; mentions outputs only if nothing else changes. */
export function summary(report: PreviewReport): string {
  const { changes } = report;
  const counts = new Map<string, number>();
  for (const { op } of changes) counts.set(op, (counts.get(op) ?? 0) + 1);
  const outputs = changedOutputs(report).length;
  if (counts.size === 0) return outputs === 0 ? "no changes" : `${count(outputs, "output")} to change`;
  return [...counts].map(([op, count]) => `${count} to ${op}`).join(", ");
}
