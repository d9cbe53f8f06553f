/** Serves the provider on a local port. */

import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "../../foundation/pulumi/protocol/plugin";
import { service, type Provider } from "./service";
import { Sessions } from "./session";

export interface Served {
  readonly port: number;
  /** Cancels running work and stops listening. */
  close(): void;
}

/**
 * Listens on a free port of 127.0.0.1. A program that uses it for several updates sets
 * `PULUMI_DEBUG_PROVIDERS=stackyard:<port>` for the engine. Any number of engines may use it, one after the other or at
 * the same time. `backend`: the name of theirs.
 */
export async function serveProvider(provider: Provider, backend: string): Promise<Served> {
  // A set of a thousand manifests exceeds gRPC's default limit of 4 MB.
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  const sessions = new Sessions();
  server.addService(ResourceProviderService, service(provider, sessions, backend));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(new Error(`the stackyard provider cannot listen on 127.0.0.1: ${error.message}`)) : resolve(bound),
    );
  });
  return {
    port,
    close() {
      sessions.close();
      server.forceShutdown();
    },
  };
}
