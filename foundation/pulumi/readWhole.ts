import { retrying } from "../backOff";

/**
 * The file backend writes the attributes beside a state in place (gocloud.dev 0.46, `fileblob.setAttrs`), so whoever
 * reads the state at that moment finds them empty.
 */
const BEING_WRITTEN = /failed to load checkpoint: (?:unexpected )?EOF/;
const TRIES = 40;
const PAUSE_MS = 25;

/** Reads a state by a function of the engine, and again while it is being written. */
export const readWhole = <T>(read: () => Promise<T>): Promise<T> =>
  retrying(read, (error, attempt) => (attempt < TRIES && BEING_WRITTEN.test(String(error)) ? PAUSE_MS : undefined));
