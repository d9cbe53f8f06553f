/** Supported OTLP protocols, by their names in OpenTelemetry's variables. */
export const PROTOCOLS = ["http/protobuf", "http/json"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** Flushes pending spans and ends tracing. */
export type EndTracing = () => Promise<void>;
