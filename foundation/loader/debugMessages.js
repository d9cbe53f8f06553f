"use strict";

/** Keeps requests small, and shows the messages while the program runs. */
const AT_ONCE = 100;

/**
 * Sends the SDK's debug messages in batches, in order. The SDK logs four per resource and waits for the engine's
 * response to each, which is a tenth of the CPU time of an update without changes.
 * @param {import("@pulumi/pulumi/proto/engine_grpc_pb").IEngineClient & { close(): void }} [engine]
 * @param {NodeJS.EventEmitter} [end] Emits `beforeExit` when the program has nothing left to do.
 */
function joinDebugMessages(engine = connected(), end = process) {
  if (!engine) return;
  const { LogRequest, LogSeverity } = require("@pulumi/pulumi/proto/engine_pb");
  const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
  /** @type {(request: InstanceType<typeof LogRequest>, callback: (error: unknown, answer?: unknown) => void) => void} */
  const send = engine.log.bind(engine);
  const close = engine.close.bind(engine);
  /** @type {string[]} */
  let kept = [];
  /** @param {() => void} then */
  const flush = (then) => {
    if (kept.length === 0) return then();
    const joined = new LogRequest();
    joined.setSeverity(LogSeverity.DEBUG);
    joined.setMessage(kept.join("\n"));
    kept = [];
    // The SDK also ignores failures to send a debug message.
    send(joined, () => then());
  };
  Object.assign(engine, {
    /** @type {typeof send} */
    log(request, callback) {
      if (request.getSeverity() !== LogSeverity.DEBUG || request.getUrn() !== "")
        return flush(() => send(request, callback));
      kept.push(request.getMessage());
      const answer = () => callback(null, new Empty());
      if (kept.length < AT_ONCE) answer();
      else flush(answer);
    },
    // After a resource failed, the SDK disconnects before the program ends.
    close() {
      flush(() => undefined);
      close();
    },
  });
  end.on("beforeExit", () => flush(() => undefined));
}

/** The SDK's connection to the engine: a client of gRPC, which its type does not say. */
const connected = () =>
  /** @type {import("@pulumi/pulumi/proto/engine_grpc_pb").EngineClient | undefined} */ (
    require("@pulumi/pulumi").runtime.getEngine()
  );

module.exports = { joinDebugMessages };
