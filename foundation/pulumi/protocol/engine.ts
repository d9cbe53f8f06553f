/** The engine's log, as plugins and programs write to it. */

export { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
export { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
