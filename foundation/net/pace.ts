/** Bodies that come too slowly to be of use. */

import type { Bytes } from "./streams";

/** Slower than that after a while is on purpose, or of no use. */
const SLOWEST = { bytesPerSecond: 1024, afterMs: 60_000 };

/**
 * Passes a body on, and throws once it has been awaited for a minute and had less than 1 KiB a second. The time that
 * its reader takes is not counted. `now`: milliseconds of a clock.
 */
export async function* paced(body: Bytes, now: () => number = () => performance.now()): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let awaited = 0;
  let asked = now();
  for await (const chunk of body) {
    bytes += chunk.length;
    awaited += now() - asked;
    if (awaited > SLOWEST.afterMs && bytes < (awaited / 1000) * SLOWEST.bytesPerSecond)
      throw new Error(`it sends less than ${SLOWEST.bytesPerSecond} bytes a second`);
    yield chunk;
    asked = now();
  }
}
