import { EnvironmentError } from "../environment";
import { PROTOCOLS, type EndTracing, type Protocol } from "./protocol";

/** OpenTelemetry's variables that enable tracing and set its destination. */
export interface TracingVariables {
  readonly OTEL_SDK_DISABLED?: string;
  readonly OTEL_TRACES_EXPORTER?: string;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;
  readonly OTEL_EXPORTER_OTLP_PROTOCOL?: string;
  readonly OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?: string;
}

/** Whether traces are enabled, which requires an endpoint. Pure. */
export function wantsTraces(env: TracingVariables): boolean {
  const { OTEL_SDK_DISABLED: disabled = "", OTEL_TRACES_EXPORTER: exporter = "" } = env;
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? "";
  return endpoint !== "" && disabled.toLowerCase() !== "true" && exporter !== "none";
}

function protocolOf(env: TracingVariables): Protocol {
  const found = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? PROTOCOLS[0];
  const known = PROTOCOLS.find((each) => each === found);
  if (known !== undefined) return known;
  throw new EnvironmentError([
    `OTEL_EXPORTER_OTLP_PROTOCOL: found ${JSON.stringify(found)}; expected one of ${PROTOCOLS.join(", ")}`,
  ]);
}

/** Records traces if the environment enables them. Otherwise nothing is loaded, and spans cost nothing. */
export async function startTracing(env: NodeJS.ProcessEnv): Promise<EndTracing> {
  if (!wantsTraces(env)) return () => Promise.resolve();
  const protocol = protocolOf(env);
  return (await import("./record.js")).record(protocol);
}
