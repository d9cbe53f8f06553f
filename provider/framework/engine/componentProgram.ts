/** The program that serves components. Pulumi's SDK does that, in a process that only programs with components start. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "../../../foundation/pulumi/protocol/plugin";

export const COMPONENTS = "--components";

export interface ComponentProgram {
  readonly client: ResourceProviderClient;
  /** Ends the process. */
  close(): void;
}

/** Starts `program`. `engine`: the address that it logs to. */
export async function startComponents(program: string | undefined, engine: string): Promise<ComponentProgram> {
  if (program === undefined) throw new Error("components are served only by the provider's own process");
  // It ends when its stdin does.
  const child = spawn(process.execPath, [program, COMPONENTS, engine], { stdio: ["pipe", "pipe", "inherit"] });
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).once("line", (line) => resolve(Number(line)));
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`the program of components ended with ${signal ?? code}`)));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
  });
  return {
    client,
    close() {
      client.close();
      child.stdin.end();
    },
  };
}
