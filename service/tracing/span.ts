import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
} from "@opentelemetry/api";

const tracer = () => trace.getTracer("stackyard-service");

export interface SpanOptions {
  readonly attributes?: Attributes;
  /** Trace that it continues, as W3C's traceparent. Default: the one of the caller. */
  readonly parent?: string | null;
}

/** What a span's work may say of itself. */
export interface Noting {
  attributes(attributes: Attributes): void;
  /** It did not succeed, although nothing is thrown. */
  failed(reason: string): void;
}

/** Runs some work as a span; without tracing it only runs the work. */
export function inSpan<T>(
  name: string,
  { attributes, parent }: SpanOptions,
  work: (span: Noting) => Promise<T>,
): Promise<T> {
  return tracer().startActiveSpan(name, { attributes }, contextOf(parent), async (span) => {
    const failed = (message: string): void => void span.setStatus({ code: SpanStatusCode.ERROR, message });
    try {
      return await work({ attributes: (more) => void span.setAttributes(more), failed });
    } catch (error) {
      // Its text may be long and is in the operation; a trace leaves the house.
      failed(error instanceof Error ? error.name : "error");
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The trace of whoever calls this, as W3C's traceparent; null if there is none. */
export function currentTrace(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

function contextOf(parent: string | null | undefined): Context {
  if (parent === undefined) return context.active();
  return parent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: parent });
}
