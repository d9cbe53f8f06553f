import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { joinDebugMessages } from "../../../../foundation/loader/debugMessages";

type Answer = (error: Error | null, answer: unknown) => void;
type Severity = Parameters<LogRequest["setSeverity"]>[0];

describe("debug messages", () => {
  let sent: LogRequest[];
  let log: (severity: Severity, message: string) => Promise<void>;
  let close: () => void;
  const end = new EventEmitter();
  let fails: Error | null;

  beforeEach(() => {
    sent = [];
    fails = null;
    end.removeAllListeners();
    let isClosed = false;
    const engine = {
      log: (request: LogRequest, answer: Answer) => {
        if (isClosed) throw new Error("Channel has been shut down");
        sent.push(request);
        setImmediate(() => answer(fails, undefined));
      },
      close: () => void (isClosed = true),
    };
    joinDebugMessages(engine as unknown as Parameters<typeof joinDebugMessages>[0], end);
    log = (severity, message) => {
      const request = new LogRequest();
      request.setSeverity(severity);
      request.setMessage(message);
      return new Promise((resolve) => engine.log(request, () => resolve()));
    };
    close = () => engine.close();
  });

  const messages = (): string[] => sent.map((request) => request.getMessage());

  it("wait for the next message of another kind, and are sent before it in one request", async () => {
    await log(LogSeverity.DEBUG, "a");
    await log(LogSeverity.DEBUG, "b");
    assert.deepEqual(messages(), []);
    await log(LogSeverity.WARNING, "careful");
    assert.deepEqual(messages(), ["a\nb", "careful"]);
    assert.deepEqual(
      sent.map((request) => request.getSeverity()),
      [LogSeverity.DEBUG, LogSeverity.WARNING],
    );
  });

  it("are sent at the end of the program if no other message follows", async () => {
    await log(LogSeverity.DEBUG, "a");
    end.emit("beforeExit");
    end.emit("beforeExit");
    assert.deepEqual(messages(), ["a"]);
  });

  it("are sent before the connection is closed, as after a resource that failed", async () => {
    await log(LogSeverity.DEBUG, "a");
    close();
    end.emit("beforeExit");
    assert.deepEqual(messages(), ["a"]);
  });

  it("are sent in batches of a hundred", async () => {
    for (let number = 0; number < 250; number++) await log(LogSeverity.DEBUG, String(number));
    assert.deepEqual(
      messages().map((message) => message.split("\n").length),
      [100, 100],
    );
    assert.ok(messages()[1]?.startsWith("100\n101\n"));
  });

  it("do not keep back other messages if they cannot be sent", async () => {
    fails = new Error("gone");
    await log(LogSeverity.DEBUG, "a");
    await log(LogSeverity.ERROR, "broken");
    assert.deepEqual(messages(), ["a", "broken"]);
  });
});
