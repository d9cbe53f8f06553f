/** The engine's log. In a separate file, because it is loaded on the first line: most updates log nothing. */

import { credentials } from "@grpc/grpc-js";
import { EngineClient, LogRequest, LogSeverity } from "../../../foundation/pulumi/protocol/engine";
import type { Context } from "../../../foundation/pulumi/resource";

export type Severity = Parameters<Context["log"]>[0];

const SEVERITIES: Record<Severity, LogSeverity> = {
  info: LogSeverity.INFO,
  status: LogSeverity.INFO,
  warning: LogSeverity.WARNING,
  error: LogSeverity.ERROR,
};

export class EngineLog {
  readonly #client: EngineClient;

  /** `address` of the engine, as `host:port`. */
  constructor(address: string) {
    this.#client = new EngineClient(address, credentials.createInsecure());
  }

  /**
   * Resolves when the engine has received the line, and also when the engine is gone, which the work itself reports.
   */
  send(urn: string, severity: Severity, message: string): Promise<void> {
    const request = new LogRequest();
    request.setSeverity(SEVERITIES[severity]);
    request.setMessage(message);
    request.setUrn(urn);
    request.setEphemeral(severity === "status");
    return new Promise((resolve) => this.#client.log(request, () => resolve()));
  }

  close(): void {
    this.#client.close();
  }
}
