"use strict";

/** How gRPC and Pulumi's SDK report a call that the engine cut off, or that came after it had closed its connections. */
const CUT_OFF =
  /Channel closed before call started|Channel has been shut down|the client connection is closing|Resource monitor is terminating/;

/** Only after the end: a provider that is away before it is a fault of its own. */
const AWAY = /14 UNAVAILABLE/;

/**
 * @typedef {import("@pulumi/pulumi/proto/engine_pb").LogRequest} LogRequest
 * @typedef {(error: unknown, answer?: unknown) => void} Callback
 * @typedef {{ log: (this: unknown, request: LogRequest, callback: Callback) => unknown, close: (this: unknown) => void }} Client
 */

/**
 * Skips what only follows from the end of an update whose resource has failed: calls that were on their way fail then,
 * each with a stack trace, and would be reported beside the error of the resource as if they were its cause. The SDK
 * closes its client of the engine then, and makes another one for later messages.
 * @param {Client} [prototype] Of the clients.
 * @param {(text: string) => void} [print] For messages that the engine can't take any more.
 */
function skipLateMessages(prototype = clients(), print = console.error) {
  const { LogSeverity } = require("@pulumi/pulumi/proto/engine_pb");
  const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
  const { log, close } = prototype;
  let ended = false;
  /** @type {Client} */
  const replaced = {
    log(request, callback) {
      const message = request.getMessage();
      const severity = request.getSeverity();
      const late = severity === LogSeverity.ERROR && (CUT_OFF.test(message) || (ended && AWAY.test(message)));
      if (late) return callback(null, new Empty());
      try {
        return log.call(this, request, callback);
      } catch {
        // A closed client. The SDK would also print all later messages, with this error before each.
        if (severity !== LogSeverity.DEBUG) print(message);
        return callback(null, new Empty());
      }
    },
    close() {
      ended = true;
      close.call(this);
    },
  };
  Object.assign(prototype, replaced);
}

/** The SDK's class is a client of gRPC, which its type does not say. */
const clients = () =>
  /** @type {{ prototype: Client }} */ (
    /** @type {unknown} */ (require("@pulumi/pulumi/proto/engine_grpc_pb").EngineClient)
  ).prototype;

module.exports = { skipLateMessages };
