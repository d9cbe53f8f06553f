/** The services that the engine connects to when a program runs in a process that exists already. */

import { setImmediate } from "node:timers/promises";
import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import { log } from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import * as automation from "@pulumi/pulumi/automation/server";
// eslint-disable-next-line @typescript-eslint/no-require-imports -- what `import` gives can't be changed
import sdk = require("@pulumi/pulumi/runtime/settings");

export { EventsService } from "@pulumi/pulumi/proto/events_grpc_pb";
export type { EventRequest } from "@pulumi/pulumi/proto/events_pb";
export { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";

/** The part of the SDK that runs an inline program. It has no public type. */
export const { LanguageServer } = automation as unknown as {
  LanguageServer: new (program: PulumiFn) => UntypedServiceImplementation;
};

const settings = sdk as typeof sdk & { waitForRPCs: () => Promise<void> };
const { disconnect, waitForRPCs } = settings;

/*
 * When an inline program has returned, the SDK lets the engine delete what was not registered, even if the program has
 * reported an error or a promise that it does not await failed. The SDK's language host does not, and so we don't.
 */
Object.assign(settings, {
  disconnect: async (lets: boolean) => {
    await waitForRPCs();
    // A rejected promise is reported after all callbacks of promises.
    await setImmediate();
    await disconnect(lets && !log.hasErrors());
  },
});
