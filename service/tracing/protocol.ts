/** How traces are sent: protocols of OTLP by their names in OpenTelemetry's variables. */
export const PROTOCOLS = ["http/protobuf", "http/json"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** Sends what is still to be sent. */
export type EndTracing = () => Promise<void>;
