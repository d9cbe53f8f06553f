/** What belongs to one engine that uses the provider: where its log is, and whether it has canceled. */

import type { EngineLog, Severity } from "./engineLog";

/** How long an answer may wait for the lines that were logged before it. */
const FLUSH_MS = 1000;

export class Session {
  #engine: EngineLog | undefined;
  #address = "";
  #cancelled = new AbortController();
  #pending: Promise<void> = Promise.resolve();

  /** Takes the address of an engine that begins an update; what an earlier one canceled is over. */
  begin(address: string): void {
    this.#cancelled = new AbortController();
    if (address === this.#address) return;
    this.#engine?.close();
    this.#engine = undefined;
    this.#address = address;
  }

  /** Aborted once the engine cancels the update that is running now. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  cancel(): void {
    this.#cancelled.abort();
  }

  /** Sends a line to the engine; lines arrive in the order in which they were logged. */
  log(urn: string, severity: Severity, message: string): void {
    if (this.#address === "") return; // Served without an engine, so nobody reads it.
    this.#pending = this.#pending.then(() => this.#send(urn, severity, message));
  }

  /** Waits until what was logged has arrived, so that no line comes after the end of its resource. */
  async flush(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
    await Promise.race([this.#pending, late]);
    clearTimeout(timer);
  }

  close(): void {
    this.cancel();
    this.#engine?.close();
    this.#engine = undefined;
  }

  async #send(urn: string, severity: Severity, message: string): Promise<void> {
    this.#engine ??= new (await import("./engineLog.js")).EngineLog(this.#address);
    await this.#engine.send(urn, severity, message);
  }
}

/**
 * Sessions by connection, because several engines may use one served provider at the same time,
 * and what one of them cancels must not stop the others.
 */
export class Sessions {
  readonly #byPeer = new Map<string, Session>();

  of(peer: string): Session {
    let session = this.#byPeer.get(peer);
    if (!session) this.#byPeer.set(peer, (session = new Session()));
    return session;
  }

  close(): void {
    for (const session of this.#byPeer.values()) session.close();
    this.#byPeer.clear();
  }
}
