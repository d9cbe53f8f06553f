import type { Context } from "../../../foundation/pulumi/resource";

/** The context of a call to a handler; `said` receives what is logged. */
export const contextOf = (said: (line: string) => void, more: Partial<Context> = {}): Context => ({
  urn: "urn:test",
  backend: "file:///state",
  preview: false,
  signal: new AbortController().signal,
  timeoutSeconds: undefined,
  log: (severity, message) => said(`${severity}: ${message}`),
  ...more,
});
