import { isForbidden } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import type { KubeObject, Ref } from "../../kubernetes/objects/objects";

/** Least time between the begins of two rounds. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 20_000;
/** A round that takes long is followed by a pause of this many times its duration. */
const PAUSE_FACTOR = 20;
/** Shoots that a round reads one by one; more are read by one list. */
const FEW = 2;

interface Look {
  readonly ref: Ref;
  readonly found: (shoot: KubeObject | undefined) => void;
  readonly failed: (error: Error) => void;
}

/**
 * Reads the Shoots of one project for operations that wait for them, in rounds: however many wait, Gardener gets at most
 * two requests a second. A look always gets what was read after it was asked for.
 */
export class Looks {
  #waiting: Look[] = [];
  #isScheduled = false;
  #nextAt = 0;

  /** `client` has the patience of a single request. */
  constructor(
    private readonly client: Client,
    private readonly pauseMs = PAUSE_MS,
  ) {}

  /** Undefined if there is no Shoot. Throws if Gardener does not answer, or when the signal aborts. */
  of(ref: Ref, signal?: AbortSignal): Promise<KubeObject | undefined> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = (): void => reject(signal?.reason as Error);
      signal?.addEventListener("abort", abort, { once: true });
      const ended = (): void => signal?.removeEventListener("abort", abort);
      this.#waiting.push({
        ref,
        found: (shoot) => (ended(), resolve(shoot)),
        failed: (error) => (ended(), reject(error)),
      });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setTimeout(() => void this.#round(), Math.max(0, this.#nextAt - Date.now()));
  }

  async #round(): Promise<void> {
    const began = Date.now();
    const looks = this.#waiting.splice(0);
    await (looks.length > FEW ? this.#byList(looks) : this.#oneByOne(looks));
    const pause = Math.min(LONGEST_PAUSE_MS, (Date.now() - began) * PAUSE_FACTOR);
    this.#nextAt = Math.max(began + this.pauseMs, looks.length > FEW ? Date.now() + pause : 0);
    this.#isScheduled = false;
    this.#schedule();
  }

  async #oneByOne(looks: readonly Look[]): Promise<void> {
    await Promise.all(looks.map(({ ref, found, failed }) => this.client.get(ref).then(found, failed)));
  }

  async #byList(looks: readonly Look[]): Promise<void> {
    const { apiVersion, kind, namespace } = looks[0]!.ref;
    try {
      const all = await this.client.list({ apiVersion, kind, namespace });
      const shoots = new Map(all.map((shoot) => [shoot.metadata.name, shoot]));
      for (const { ref, found } of looks) found(shoots.get(ref.name));
    } catch (error) {
      // Some accounts may read Shoots, and not list them.
      if (isForbidden(error)) return this.#oneByOne(looks);
      for (const { failed } of looks) failed(error as Error);
    }
  }
}
