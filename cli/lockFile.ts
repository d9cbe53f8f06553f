import { Failure } from "../foundation/errors";
import type { LockRead } from "../foundation/lockFile";
import { textIfThere } from "../foundation/wholeFile";

/** Reads a lock file; `none` if it does not exist. `shown`: the file's name in an error. */
export async function readLockFile<Lock>(
  file: string,
  shown: string,
  parse: (text: string) => LockRead<Lock>,
  none: Lock,
): Promise<Lock> {
  const text = await textIfThere(file);
  if (text === undefined) return none;
  const read = parse(text);
  if ("lock" in read) return read.lock;
  throw new Failure(`${shown}: found ${read.trouble}; expected a lock file; delete it to start over`);
}
