import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../../components/runtime/platform/platform";
import { Failure } from "../../foundation/errors";
import type { Log } from "../log";

export interface PlatformPlace {
  /** Reads the outputs of a platform, at most `mostAgeMs` old. */
  readonly platform: (name: string, mostAgeMs?: number) => Promise<Platform>;
  readonly log: Pick<Log, "warn">;
}

/** How long a request waits for a platform that can't be read. */
const PATIENCE_MS = 5_000;

/** Reads a platform for a request that waits: undefined if that fails or takes long, a Failure if there is none. */
export async function platformSoon(
  { platform, log }: PlatformPlace,
  name: string,
  mostAgeMs?: number,
): Promise<Platform | Failure | undefined> {
  const late = new AbortController();
  try {
    return await Promise.race([
      platform(name, mostAgeMs),
      sleep(PATIENCE_MS, undefined, { ref: false, signal: late.signal }).then(() => undefined),
    ]);
  } catch (error) {
    if (error instanceof Failure && error.kind === "input") return error;
    log.warn({ platform: name, err: error }, "the platform could not be read");
    return undefined;
  } finally {
    late.abort();
  }
}
