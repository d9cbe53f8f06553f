/** Messages and services of Pulumi's plugin protocol. The SDK publishes no types of its own for them: engine/pulumi/README.md. */

export { PluginInfo, type PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
export { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
export * from "@pulumi/pulumi/proto/provider_pb";
export { Status } from "@pulumi/pulumi/proto/status_pb";
export { Any } from "google-protobuf/google/protobuf/any_pb";
export { Empty } from "google-protobuf/google/protobuf/empty_pb";
