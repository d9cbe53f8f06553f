import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span in OTLP's JSON format. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly code?: number; readonly message?: string };
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** Receives traces by OTLP over HTTP, as JSON. */
export class TraceReceiver {
  readonly spans: SentSpan[] = [];
  /** Names of the services that sent them. */
  readonly services = new Set<string>();
  requests = 0;
  private readonly server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      this.requests += 1;
      if (request.url !== "/v1/traces") return void response.writeHead(404).end();
      for (const { resource, scopeSpans } of (JSON.parse(text) as Sent).resourceSpans) {
        const name = resource.attributes.find(({ key }) => key === "service.name");
        this.services.add(name?.value.stringValue ?? "");
        this.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });

  /** Starts the receiver. Returns the variables of a process that sends its traces here. */
  async start(): Promise<Readonly<Record<string, string>>> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: "200",
    };
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
