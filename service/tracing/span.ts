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
  /** Parent trace, as W3C traceparent. Default: the current one. */
  readonly parent?: string | null;
}

/** Methods with which work annotates its span. */
export interface SpanReporter {
  attributes(attributes: Attributes): void;
  /** Marks the span as failed although nothing is thrown. */
  failed(reason: string): void;
}

/** Runs work in a span. Without tracing, only runs the work. */
export function inSpan<T>(
  name: string,
  { attributes, parent }: SpanOptions,
  work: (span: SpanReporter) => Promise<T>,
): Promise<T> {
  return tracer().startActiveSpan(name, { attributes }, contextOf(parent), async (span) => {
    const failed = (message: string): void => void span.setStatus({ code: SpanStatusCode.ERROR, message });
    try {
      return await work({ attributes: (more) => void span.setAttributes(more), failed });
    } catch (error) {
      // The full message may be long and is in the operation; traces go to another system.
      failed(error instanceof Error ? error.name : "error");
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Returns the current trace as W3C traceparent; null if there is none. */
export function currentTrace(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

function contextOf(parent: string | null | undefined): Context {
  if (parent === undefined) return context.active();
  return parent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: parent });
}
