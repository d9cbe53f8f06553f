import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderService } from "../../foundation/pulumi/protocol/plugin";
import { portOf, startProvider } from "../../kubernetes/helmEngine/child";
import { findExecutable } from "../../kubernetes/helmEngine/executable";

/** The provider keeps a connection to the engine of each update, so it is replaced after this number of updates. */
const MOST_USES = 200;
const NO_LIMIT = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const EMPTY = Buffer.alloc(0);

const asItIs = (bytes: Buffer): Buffer => bytes;

/** The provider's gRPC service with unparsed messages. */
const SERVICE = Object.fromEntries(
  Object.entries(ResourceProviderService as unknown as Record<string, grpc.MethodDefinition<unknown, unknown>>)
    .filter(([, { requestStream, responseStream }]) => !requestStream && !responseStream)
    .map(([name, method]) => [
      name,
      {
        ...method,
        requestSerialize: asItIs,
        requestDeserialize: asItIs,
        responseSerialize: asItIs,
        responseDeserialize: asItIs,
      },
    ]),
) as grpc.ServiceDefinition;

/**
 * The Kubernetes provider, started once for many updates. The engine cancels its providers at the end of each update,
 * after which they stop working. So the engine connects to a relay that does not forward the cancellation. Only for
 * programs that use the provider to render templates: work in progress at an interrupt ends with this process.
 */
export class KeptProvider {
  private uses = 0;
  private isGone = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly server: grpc.Server,
    private readonly client: grpc.Client,
    private readonly port: number,
  ) {
    child.stdout?.once("close", () => (this.isGone = true));
  }

  /** Undefined if the provider can't be found or started this way. The engine then starts it, or reports the error. */
  static async start(env: NodeJS.ProcessEnv = process.env): Promise<KeptProvider | undefined> {
    const executable = process.platform === "win32" ? undefined : findExecutable(env);
    if (executable === undefined) return undefined;
    const child = startProvider(executable);
    let upstream: number;
    try {
      upstream = await portOf(child);
    } catch {
      child.stdin?.end();
      return undefined;
    }
    // The provider ends with this process and must not keep it alive.
    child.unref();
    for (const stream of [child.stdin, child.stdout] as unknown as (Socket | null)[]) stream?.unref();
    const client = new grpc.Client(`127.0.0.1:${upstream}`, grpc.credentials.createInsecure(), NO_LIMIT);
    const server = new grpc.Server(NO_LIMIT);
    server.addService(SERVICE, relay(client));
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    return new KeptProvider(child, server, client, port);
  }

  get isFit(): boolean {
    return !this.isGone && this.uses < MOST_USES;
  }

  use(): { readonly port: number; close(): void } {
    this.uses += 1;
    return { port: this.port, close: () => undefined };
  }

  end(): void {
    this.server.forceShutdown();
    this.client.close();
    this.child.stdin?.end();
    this.child.stdout?.destroy();
  }
}

function relay(client: grpc.Client): grpc.UntypedServiceImplementation {
  const handlers = Object.entries(SERVICE).map(([name, { path }]) => {
    const pass: grpc.handleUnaryCall<Buffer, Buffer> = (call, callback) => {
      const running = client.makeUnaryRequest(path, asItIs, asItIs, call.request, call.metadata, (error, answer) =>
        callback(error, answer),
      );
      call.once("cancelled", () => running.cancel());
    };
    const ignore: grpc.handleUnaryCall<Buffer, Buffer> = (_call, callback) => callback(null, EMPTY);
    return [name, name === "cancel" ? ignore : pass] as const;
  });
  return Object.fromEntries(handlers);
}
