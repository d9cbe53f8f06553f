/** The services that the engine connects to when a program runs in a process that exists already. */

import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import * as automation from "@pulumi/pulumi/automation/server";

export { EventsService } from "@pulumi/pulumi/proto/events_grpc_pb";
export type { EventRequest } from "@pulumi/pulumi/proto/events_pb";
export { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";

/** The part of the SDK that runs an inline program. It has no public type. */
export const { LanguageServer } = automation as unknown as {
  LanguageServer: new (program: PulumiFn) => UntypedServiceImplementation;
};
