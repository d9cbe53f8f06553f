/**
 * Supports an input under its current and its former name. A resource that was created with the former name keeps it in
 * its state until it is replaced, so that neither a preview nor a refresh of an existing stack shows a change.
 */

import { IncompleteError, type Properties, type ResourceHandler } from "../../foundation/pulumi/resource";

type Earlier<I, S> = { readonly inputs: I; readonly state: S };

/** `inner` only knows the current name. */
export function renamed<I extends object, S extends object>(
  inner: ResourceHandler<I, S>,
  former: string,
  present: string,
): ResourceHandler<I, S> {
  const inward = <T extends object>(properties: T): T => rename(properties, former, present);
  const inwardBoth = ({ inputs, state }: Earlier<I, S>) => ({ inputs: inward(inputs), state: inward(state) });
  /** Uses the name that `like` has. */
  const outward = <T extends object>(properties: T, like: object): T =>
    former in like ? rename(properties, present, former) : properties;

  /** Also converts the state in an error. */
  const named = async <T>(inputs: I, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IncompleteError)) throw error;
      throw new IncompleteError(error.message, error.id, outward(error.state, inputs));
    }
  };

  return {
    ...inner,

    async check(context, given, origin) {
      if (former in given && present in given) {
        const reason = `found ${present} as well; expected one of them: ${former} is the former name of ${present}`;
        return { inputs: given, failures: [{ property: former, reason }] };
      }
      const before: Properties = origin?.old ?? {};
      const checked = await inner.check(context, inward(given), origin && { ...origin, old: inward(before) });
      return { ...checked, inputs: outward(checked.inputs, before) };
    },

    async diff(context, id, old, inputs) {
      const difference = await inner.diff(context, id, inwardBoth(old), inward(inputs));
      return { ...difference, changes: outward(difference.changes, inputs) };
    },

    create: (context, inputs) =>
      named(inputs, async () => {
        const { id, state } = await inner.create(context, inward(inputs));
        return { id, state: outward(state, inputs) };
      }),

    async read(context, id, old) {
      const found = await inner.read(context, id, inwardBoth(old));
      return found && { inputs: outward(found.inputs, old.inputs), state: outward(found.state, old.inputs) };
    },

    update: (context, id, old, inputs) =>
      named(inputs, async () => outward(await inner.update(context, id, inwardBoth(old), inward(inputs)), inputs)),

    delete: (context, id, old) => inner.delete(context, id, inwardBoth(old)),
  };
}

function rename<T extends object>(properties: T, from: string, to: string): T {
  if (!(from in properties)) return properties;
  const entries = Object.entries(properties).map(
    ([key, value]) => [key === from ? to : key, value as unknown] as const,
  );
  return Object.fromEntries(entries) as T;
}
