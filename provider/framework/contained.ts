/**
 * Contained failures. After a failed step the engine starts no other one, not even an unrelated one. So a resource with
 * the input `outcome` always succeeds and reports failures in its output `outcome`, and the program fails the update at
 * its end. Dependents of a failed resource receive this failure in `blockedBy` and are skipped.
 */

import { describeError } from "./errors";
import { IncompleteError, isReplacement, UNKNOWN } from "../../foundation/pulumi/resource";
import type { Context, InputFailure, Properties, ResourceHandler } from "../../foundation/pulumi/resource";

export interface ContainedOutcome {
  /** Why it failed or was skipped. */
  readonly failure?: string;
  /** Names of the failed resources because of which it was skipped. */
  readonly because?: readonly string[];
  /** Time of the last creation or update, in milliseconds since 1970. */
  readonly settledAt?: number;
}

/** Inputs that the engine sees besides those of the resource itself. */
interface Marks {
  readonly outcome?: ContainedOutcome;
  readonly blockedBy?: readonly string[];
  /** Faults from the check. */
  readonly faults?: readonly string[];
}

/**
 * A state with its outcome. A resource that failed before it changed anything keeps the previous inputs; without
 * previous inputs, nothing was created.
 */
type Contained<I, S> = S & { readonly outcome?: ContainedOutcome; readonly kept?: { readonly inputs?: I } };

interface Earlier<I, S> {
  readonly inputs: I;
  readonly state: S;
}

interface Made<S> {
  readonly id: string;
  readonly state: S;
}

type Work<S> = () => Promise<Made<S>>;

interface Naming<I, S> {
  readonly idOf: (inputs: I) => string;
  /** State of a resource that has nothing in the cluster. */
  readonly nothing: (inputs: I) => S;
}

/** State properties that are not the resource's own. */
const OWN = new Set(["outcome", "kept"]);

/** Longer messages are only in the log, not in the state. */
const LONGEST = 300;

export function contained<I extends object, S extends object>(
  inner: ResourceHandler<I, S>,
  { idOf, nothing }: Naming<I, S>,
): ResourceHandler<I, S> {
  /**
   * By URN. The old resource is deleted after the new one is created. If the creation fails, the engine must see that,
   * or it would delete the old one.
   */
  const replacing = new Set<string>();

  /** Returns the previous inputs and state that the resource itself sees; without a state if nothing was created. */
  const before = (old: Earlier<I, S>): { readonly inputs: I; readonly state?: S } => {
    const { kept } = old.state as Contained<I, S>;
    const state = Object.fromEntries(Object.entries(old.state).filter(([key]) => !OWN.has(key)));
    if (!kept) return { inputs: split(old.inputs).own, state: state as unknown as S };
    return kept.inputs ? { inputs: kept.inputs, state: state as unknown as S } : { inputs: split(old.inputs).own };
  };

  /** Runs the work and returns a successful outcome. */
  const settled = async ({ faults }: Marks, work: Work<S>): Promise<Made<S>> => {
    if (known(faults).length > 0) throw new Error(known(faults).join("\n"));
    const { id, state } = await work();
    return { id, state: { ...state, outcome: { settledAt: Date.now() } } };
  };

  const replacement = (marks: Marks, work: Work<S>): Promise<Made<S>> => {
    const because = known(marks.blockedBy);
    if (because.length > 0) throw new Error(skipped(because));
    return settled(marks, work);
  };

  /** Runs the work and returns its outcome. `otherwise` builds the state if nothing was changed. */
  const attempt = async (
    context: Context,
    marks: Marks,
    work: Work<S>,
    otherwise: () => Made<Contained<I, S>>,
  ): Promise<Made<S>> => {
    const because = known(marks.blockedBy);
    if (because.length > 0) {
      context.log("warning", skipped(because));
      const { id, state } = otherwise();
      return { id, state: { ...state, outcome: { failure: skipped(because), because } } };
    }
    try {
      return await settled(marks, work);
    } catch (error) {
      if (context.signal.aborted) throw error;
      const message = describeError(error);
      context.log("error", message);
      const outcome = { failure: message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message };
      if (error instanceof IncompleteError) return { id: error.id, state: { ...(error.state as S), outcome } };
      const { id, state } = otherwise();
      return { id, state: { ...state, outcome } };
    }
  };

  const create = async (context: Context, inputs: I): Promise<Made<S>> => {
    const { own, marks } = split(inputs);
    const work = () => inner.create(context, own);
    if (!marks.outcome) return work();
    if (replacing.has(context.urn)) return replacement(marks, work);
    return attempt(context, marks, work, () => ({ id: idOf(own), state: { ...nothing(own), kept: {} } }));
  };

  return {
    ...inner,
    secretProperties: [...(inner.secretProperties ?? []), "kept"],

    async check(context, given, origin) {
      const { own, marks } = split(given);
      if (!marks.outcome) return inner.check(context, given, origin);
      const { inputs, failures } = await inner
        .check(context, own, origin)
        .catch((error: unknown) => ({ inputs: own, failures: [{ property: "", reason: describeError(error) }] }));
      const faults = failures.map(faultText);
      return { inputs: { ...inputs, ...marks, ...(faults.length > 0 && { faults }) }, failures: [] };
    },

    async diff(context, id, old, inputs) {
      const { own, marks } = split(inputs);
      const earlier = before(old);
      const { state = nothing(earlier.inputs) } = earlier;
      const difference = await inner.diff(context, id, { ...earlier, state }, own);
      if (earlier.state && isReplacement(difference)) replacing.add(context.urn);
      else replacing.delete(context.urn);
      const { failure } = (old.state as Contained<I, S>).outcome ?? {};
      const faults = known(marks.faults).length > 0;
      return failure === undefined && !faults
        ? difference
        : { ...difference, changes: { ...difference.changes, outcome: "update" } };
    },

    create,

    async read(context, id, old) {
      const { inputs, state } = before(old);
      if (!state) return old;
      const found = await inner.read(context, id, { inputs, state });
      if (!found) return undefined;
      const { outcome, kept } = old.state as Contained<I, S>;
      const noted = { ...found.state, ...(outcome && { outcome }) };
      if (kept) return { inputs: old.inputs, state: { ...noted, kept: { inputs: found.inputs } } };
      return { inputs: { ...found.inputs, ...split(old.inputs).marks }, state: noted };
    },

    async update(context, id, old, inputs) {
      const { own, marks } = split(inputs);
      const earlier = before(old);
      const { state } = earlier;
      if (!state) return (await create(context, inputs)).state;
      const work = async () => ({ id, state: await inner.update(context, id, { ...earlier, state }, own) });
      if (!marks.outcome) return (await work()).state;
      const stays = { ...state, kept: { inputs: earlier.inputs } };
      return (await attempt(context, marks, work, () => ({ id, state: stays }))).state;
    },

    async delete(context, id, old) {
      const { inputs, state } = before(old);
      if (state) await inner.delete(context, id, { inputs, state });
    },
  };
}

const skipped = (because: readonly string[]): string => `skipped, because ${because.join(", ")} failed`;

function split<T extends object>(inputs: T): { own: T; marks: Marks } {
  const { outcome, blockedBy, faults, ...own } = inputs as T & Marks & Properties;
  const marks = { ...(outcome && { outcome }), ...(blockedBy && { blockedBy }), ...(faults && { faults }) };
  return { own: own as unknown as T, marks };
}

/** May be unknown during a preview. */
const known = (texts: unknown): readonly string[] =>
  Array.isArray(texts) ? texts.filter((text): text is string => typeof text === "string" && text !== UNKNOWN) : [];

const faultText = ({ property, reason }: InputFailure): string => (property === "" ? reason : `${property}: ${reason}`);
