/** State of one engine that uses the provider: its log, and whether it has canceled. */

import type { ResourceProviderClient } from "../../foundation/pulumi/protocol/plugin";
import type { ComponentProgram } from "./engine/componentProgram";
import type { EngineLog, Severity } from "./engine/engineLog";

/** How long a response may wait for the lines that were logged before it. */
const FLUSH_MS = 1000;

export class Session {
  #engine: EngineLog | undefined;
  #components: Promise<ComponentProgram> | undefined;
  #address = "";
  #cancelled = new AbortController();
  #pending: Promise<void> = Promise.resolve();

  /** Registers an engine that starts an update, and resets an earlier cancellation. */
  begin(address: string): void {
    this.#cancelled = new AbortController();
    if (address === this.#address) return;
    this.#disconnect();
    this.#address = address;
  }

  /** Aborted when the engine cancels the current update. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  cancel(): void {
    this.#cancelled.abort();
  }

  /** Sends a line to the engine. Lines arrive in the order of the calls. */
  log(urn: string, severity: Severity, message: string): void {
    if (this.#address === "") return; // Served without an engine, so there is no receiver.
    this.#pending = this.#pending.then(() => this.#send(urn, severity, message));
  }

  /** Waits for the logged lines to arrive, so that no line follows the end of its resource. */
  async flush(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
    await Promise.race([this.#pending, late]);
    clearTimeout(timer);
  }

  /** Starts `program`, which serves components to this engine, on first use. */
  async components(program: string | undefined): Promise<ResourceProviderClient> {
    this.#components ??= import("./engine/componentProgram.js").then((module) =>
      module.startComponents(program, this.#address),
    );
    return (await this.#components).client;
  }

  close(): void {
    this.cancel();
    this.#disconnect();
  }

  #disconnect(): void {
    this.#engine?.close();
    this.#engine = undefined;
    void this.#components?.then(
      (components) => components.close(),
      () => undefined, // It did not start.
    );
    this.#components = undefined;
  }

  async #send(urn: string, severity: Severity, message: string): Promise<void> {
    this.#engine ??= new (await import("./engine/engineLog.js")).EngineLog(this.#address);
    await this.#engine.send(urn, severity, message);
  }
}

/**
 * Sessions by connection. Several engines may use one served provider at the same time, and a cancellation by one must
 * not stop the others.
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
