import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startTracing, wantsTraces } from "../../../../service/tracing/start";
import { currentTrace, inSpan } from "../../../../service/tracing/span";
import { projectRoot } from "../../../../toolchain/root";
import { TraceReceiver } from "../../../doubles/traces";

/** A process of its own, since tracing is one for a whole process. Says whether the SDK was loaded. */
const PROGRAM = `
  const { startTracing } = require(${JSON.stringify(join(projectRoot(), "service/tracing/start.ts"))});
  const { currentTrace, inSpan } = require(${JSON.stringify(join(projectRoot(), "service/tracing/span.ts"))});
  (async () => {
    const end = await startTracing(process.env);
    let kept;
    await inSpan("request", { parent: process.env.CALLER ?? null }, async () => { kept = currentTrace(); });
    // Another process, later.
    await inSpan("operation", { parent: kept }, () =>
      inSpan("stage", {}, async () => { throw new TypeError("the password is hunter2"); }).catch(() => undefined));
    await end();
    const isLoaded = Object.keys(require.cache).some((file) => file.includes("@opentelemetry/sdk-trace"));
    console.log(JSON.stringify({ kept, isLoaded }));
  })();
`;

const run = async (env: Readonly<Record<string, string>>): Promise<{ kept: string | null; isLoaded: boolean }> => {
  const options = { cwd: projectRoot(), env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "-e", PROGRAM], options);
  return JSON.parse(stdout) as { kept: string | null; isLoaded: boolean };
};

describe("traces of the service", () => {
  const receiver = new TraceReceiver();
  let env: Readonly<Record<string, string>>;
  before(async () => (env = await receiver.start()));
  after(() => receiver.stop());

  it("continue the trace of a caller, also in another process", async () => {
    const caller = { trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331" };
    const { kept } = await run({ ...env, OTEL_SERVICE_NAME: "mine", CALLER: `00-${caller.trace}-${caller.span}-01` });
    const named = (name: string) => receiver.spans.find((span) => span.name === name);
    const [request, operation, stage] = ["request", "operation", "stage"].map(named);
    assert.deepEqual(
      [request, operation, stage].map((span) => span?.traceId),
      Array(3).fill(caller.trace),
    );
    assert.deepEqual(
      [request, operation, stage].map((span) => span?.parentSpanId),
      [caller.span, request?.spanId, operation?.spanId],
    );
    assert.equal(kept, `00-${caller.trace}-${request?.spanId}-01`);
    assert.deepEqual([...receiver.services], ["mine"]);
    assert.deepEqual(stage?.status, { code: 2, message: "TypeError" }, "the text of an error may have a secret");
  });

  it("do not load the SDK if they are disabled", async () => {
    const before = receiver.requests;
    assert.deepEqual(await run({ ...env, OTEL_SDK_DISABLED: "true" }), { kept: null, isLoaded: false });
    assert.equal(receiver.requests, before);
  });

  it("are enabled if the variables name an endpoint", () => {
    const wanted = [
      {},
      { OTEL_EXPORTER_OTLP_ENDPOINT: "" },
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" },
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector:4318/v1/traces" },
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_TRACES_EXPORTER: "none" },
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_SDK_DISABLED: "TRUE" },
    ].map(wantsTraces);
    assert.deepEqual(wanted, [false, false, true, true, false, false]);
  });

  it("are rejected with a protocol that the service does not support", async () => {
    await assert.rejects(
      startTracing({ ...env, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }),
      /OTEL_EXPORTER_OTLP_PROTOCOL: found "grpc"; expected one of http\/protobuf, http\/json/,
    );
  });

  it("are not required for work to succeed or fail", async () => {
    assert.equal(await inSpan("work", {}, () => Promise.resolve(currentTrace() ?? "done")), "done");
    await assert.rejects(
      inSpan("work", {}, () => Promise.reject(new Error("no"))),
      /^Error: no$/,
    );
  });
});
