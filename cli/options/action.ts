import type { Context } from "../context";

/** The implementation of a command: it gets the arguments and the options. */
type Verb = (context: Context, ...given: never[]) => Promise<void> | void;

/** Returns the actions of commands, which load their implementation when they run: a call of another command doesn't. */
export const actions =
  (context: Context) =>
  (load: () => Promise<Verb>) =>
  async (...given: unknown[]): Promise<void> => {
    const verb = await load();
    // Commander adds the command itself.
    await verb(context, ...(given.slice(0, -1) as never[]));
  };
