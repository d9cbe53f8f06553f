import assert from "node:assert/strict";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { skipLateMessages } from "../../../../foundation/loader/lateMessages";

type Severity = Parameters<LogRequest["setSeverity"]>[0];

describe("messages of a program", () => {
  const sent: string[] = [];
  const printed: string[] = [];
  let engine: { log: (request: LogRequest, answer: () => void) => void; close: () => void };
  let another: typeof engine;

  beforeEach(() => {
    sent.length = 0;
    printed.length = 0;
    const prototype = {
      closed: false,
      log(this: { closed: boolean }, request: LogRequest, answer: (error: unknown) => void): void {
        if (this.closed) throw new Error("Channel has been shut down");
        sent.push(request.getMessage());
        answer(null);
      },
      close(this: { closed: boolean }): void {
        this.closed = true;
      },
    };
    skipLateMessages(prototype as Parameters<typeof skipLateMessages>[0], (text) => printed.push(text));
    [engine, another] = [Object.create(prototype) as typeof engine, Object.create(prototype) as typeof engine];
  });

  function log(
    message: string,
    { by = engine, severity }: { by?: typeof engine; severity?: Severity } = {},
  ): Promise<void> {
    const request = new LogRequest();
    request.setSeverity(severity ?? LogSeverity.ERROR);
    request.setMessage(message);
    return new Promise((resolve) => by.log(request, () => resolve()));
  }

  const AWAY = "unhandled exception: Error: 14 UNAVAILABLE: connection error: connect: connection refused";

  it("are sent to the engine, also about a provider that is away", async () => {
    await log("the chart can't be fetched");
    await log(AWAY);
    await log("waits until a channel is there: Channel has been shut down", { severity: LogSeverity.INFO });
    assert.equal(sent.length, 3);
  });

  it("are skipped if they only report a call that the engine has cut off", async () => {
    await log("stackyard:ray.default: renderChart: grpc: the client connection is closing");
    engine.close();
    await log("error serializing property: Channel has been shut down");
    await log("Error: 14 UNAVAILABLE: Channel closed before call started", { by: another });
    await log(AWAY, { by: another });
    assert.deepEqual([sent, printed], [[], []]);
  });

  it("are sent by the next client after the first one was closed, and printed where there is none", async () => {
    engine.close();
    await log("the ledger can't be reached", { by: another });
    await log("read 20 resources", { severity: LogSeverity.DEBUG });
    await log("the database can't be reached");
    assert.deepEqual([sent, printed], [["the ledger can't be reached"], ["the database can't be reached"]]);
  });
});
