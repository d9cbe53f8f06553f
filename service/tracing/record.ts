import { OTLPExporterBase } from "@opentelemetry/otlp-exporter-base";
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from "@opentelemetry/otlp-exporter-base/node-http";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-node";
import type { EndTracing, Protocol } from "./protocol";

const SERVICE_NAME = "stackyard-service";

/*
 * The parts of OpenTelemetry's SDK that Pulumi's SDK installs anyway. They read endpoint, headers, certificates, time
 * limits, sampler and attributes from the standard variables.
 */

const FORMS = {
  "http/protobuf": { type: "application/x-protobuf", serializer: ProtobufTraceSerializer },
  "http/json": { type: "application/json", serializer: JsonTraceSerializer },
} as const;

/** Records spans and sends them by OTLP over HTTP. */
export function record(protocol: Protocol): EndTracing {
  const { type, serializer } = FORMS[protocol];
  const options = convertLegacyHttpOptions({}, "TRACES", "v1/traces", { "Content-Type": type });
  const exporter = new OTLPExporterBase<ReadableSpan[]>(createOtlpHttpExportDelegate(options, serializer));
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": SERVICE_NAME }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  // Also registers W3C propagation and the context of asynchronous calls.
  provider.register();
  return () => provider.shutdown();
}
