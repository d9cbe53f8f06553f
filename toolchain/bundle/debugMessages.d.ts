import type { EventEmitter } from "node:events";
import type { IEngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";

/** Sends the SDK's messages for debugging many at a time; the last ones when `end` says `beforeExit`. */
export function joinDebugMessages(engine?: Pick<IEngineClient, "log">, end?: EventEmitter): void;
