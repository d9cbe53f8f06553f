/** Stops bodies that arrive too slowly. */

import type { Bytes } from "./streams";

/** Minimum rate, enforced after the given time. A slower server is broken or malicious. */
const SLOWEST = { bytesPerSecond: 1024, afterMs: 60_000 };

/**
 * Passes a body on. Throws once the caller has waited for more than a minute in total and received less than 1 KiB per
 * second. The time that the reader spends between chunks does not count. `now`: a clock in milliseconds.
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
