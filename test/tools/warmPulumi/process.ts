import * as path from "node:path";
import * as grpc from "@grpc/grpc-js";
import { log, ResourceError, RunError } from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import { backendName } from "../../../foundation/pulumi/backend";
import { LanguageRuntimeService, LanguageServer } from "../../../foundation/pulumi/protocol/program";
import { keepWarm, kubernetesProvider, runEngine } from "../../../engine/update/warm";
import type * as provider from "../../../provider/main";
import type { Asked, Ended } from "./warmPulumi";

/*
 * Runs commands of the Pulumi CLI one after the other, with the engine and Pulumi's SDK loaded once. The bundles of the
 * program and of our provider are loaded for each command, so that none finds what another left in them.
 */

interface Loaders {
  readonly loadProvider: () => Pick<typeof provider, "serveInProcess">;
  readonly loadProgram: (main: string) => PulumiFn;
}

/** Serves the process that started this one, and ends with it. */
export function serve(loaders: Loaders): void {
  process.on("message", (asked: Asked) => {
    void run(asked, loaders).then((ended) => process.send?.(ended));
  });
  process.on("disconnect", () => process.exit());
}

let isWarm = false;

async function run({ args, folder, main, backend, config }: Asked, loaders: Loaders): Promise<Ended> {
  // As the language host does, for the program and for the provider, which find the project's files from there.
  process.chdir(path.dirname(main));
  process.env["PULUMI_CONFIG"] = config;
  const workspace = { folder, backend };
  const served = await loaders.loadProvider().serveInProcess(backendName(workspace));
  const program = await serveProgram(reporting(loaders.loadProgram(main)));
  if (!isWarm) keepWarm(workspace);
  isWarm = true;
  const inline = [`--client=127.0.0.1:${program.port}`, "--exec-kind", "auto.inline"];
  const attached = [`stackyard:${served.port}`];
  // A runtime only renders templates with it, so that one is kept, as a worker of the service keeps it.
  const kubernetes = main.endsWith("runtime/entry.js") ? await kubernetesProvider() : undefined;
  if (kubernetes !== undefined) attached.push(`kubernetes:${kubernetes.port}`);
  const variables = { PULUMI_DEBUG_PROVIDERS: attached.join(",") };
  try {
    const { code, stdout, stderr } = await runEngine([...args, ...inline], workspace, variables).finished;
    return { code, stdout, stderr };
  } finally {
    served.close();
    program.server.forceShutdown();
  }
}

/** Listens for the engine, which asks for the program. */
async function serveProgram(program: PulumiFn): Promise<{ readonly port: number; readonly server: grpc.Server }> {
  const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  server.addService(LanguageRuntimeService, new LanguageServer(program));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, server };
}

/** Reports an error as the language host does; the SDK's server for inline programs does not. */
const reporting =
  (program: PulumiFn): PulumiFn =>
  async () => {
    try {
      return await program();
    } catch (error) {
      if (ResourceError.isInstance(error) && error.hideStack) await log.error(error.message, error.resource);
      else if (RunError.isInstance(error)) await log.error(error.message);
      else await log.error(`Running program failed with an unhandled exception:\n${String((error as Error).stack)}`);
      throw error;
    }
  };
