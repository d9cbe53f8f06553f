import type { EventEmitter } from "node:events";
import type { IEngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";

/** Sends the SDK's debug messages in batches; the last one when `end` emits `beforeExit`. */
export function joinDebugMessages(engine?: Pick<IEngineClient, "log">, end?: EventEmitter): void;
