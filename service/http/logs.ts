import { pino, type DestinationStream, type Logger } from "pino";

/** Fields that are never logged, at any depth. Their names decide, because log entries have no schema. */
const SECRETS = ["password", "token", "secret", "authorization", "kubeconfig", "value"];

/** Creates a logger that writes one JSON line per entry to standard output. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "[secret]" },
    serializers: { error: serialized },
    messageKey: "message",
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Error messages of drivers may contain URLs with passwords. */
const masked = (text: string): string => text.replace(/(\w+:\/\/[^\s:/@]*):[^\s@]*@/g, "$1:[secret]@");

function serialized(error: unknown): object {
  if (!(error instanceof Error)) return { message: masked(String(error)) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    name,
    message: masked(message),
    ...(typeof code === "string" && { code }),
    ...(stack !== undefined && { stack: masked(stack) }),
    ...(cause !== undefined && { cause: serialized(cause) }),
  };
}
