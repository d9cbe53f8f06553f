import type { Socket } from "node:net";
import * as grpc from "@grpc/grpc-js";
import { log } from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import { skipSilentTraces } from "../../foundation/loader/traces";
import { backendName, type Workspace } from "../../foundation/pulumi/backend";
import { Empty, ResourceProviderService } from "../../foundation/pulumi/protocol/plugin";
import {
  EventsService,
  LanguageRuntimeService,
  LanguageServer,
  type EventRequest,
} from "../../foundation/pulumi/protocol/program";
import { service } from "../../provider/framework/service";
import { Sessions } from "../../provider/framework/session";
import { provider } from "../../provider/main";
import { parseEvent, type EngineEvent } from "../pulumi/events";

/** The SDK's message size limit, large enough for any state. */
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

/**
 * The servers that the engine connects to during an operation: the program, our provider, and the receiver of its
 * events.
 */
export interface EngineServer {
  connect(socket: Socket): void;
  close(): void;
}

/**
 * `program` runs when the engine requests it, which `pulumi destroy` never does. `onEvent` receives each event in the
 * engine's order.
 */
export function engineServer(
  workspace: Workspace,
  program: PulumiFn,
  onEvent: (event: EngineEvent) => void,
): EngineServer {
  skipSilentTraces();
  // The SDK sends four debug messages for each resource to the engine, which sends them back as events that nobody reads.
  Object.assign(log, { debug: () => Promise.resolve() });
  const server = new grpc.Server({ "grpc.max_receive_message_length": MAX_MESSAGE_BYTES });
  server.addService(LanguageRuntimeService, new LanguageServer(program));
  server.addService(EventsService, { streamEvents: eventReader(onEvent) });
  const sessions = new Sessions();
  server.addService(ResourceProviderService, service(provider, sessions, backendName(workspace)));
  const injector = server.createConnectionInjector(grpc.ServerCredentials.createInsecure());
  return {
    connect: (socket) => injector.injectConnection(socket),
    close: () => {
      sessions.close();
      injector.destroy();
      server.forceShutdown();
    },
  };
}

function eventReader(onEvent: (event: EngineEvent) => void): grpc.handleClientStreamingCall<EventRequest, Empty> {
  return (call, callback) => {
    call.on("data", (request: EventRequest) => {
      const event = parseEvent(request.getEvent());
      if (event) onEvent(event);
    });
    call.once("end", () => callback(null, new Empty()));
    // The engine exited during the call; its exit code has the reason.
    call.once("error", () => undefined);
  };
}
