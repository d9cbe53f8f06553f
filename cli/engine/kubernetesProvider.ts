import { spawn, type ChildProcess } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { connect, type Socket } from "node:net";
import { homedir } from "node:os";
import * as path from "node:path";
import { createInterface } from "node:readline";
import { version } from "@pulumi/kubernetes/package.json";
import { EarlyListener } from "./listener";

const EXECUTABLE = "pulumi-resource-kubernetes";

/** Runs the provider until standard input ends, which it also does when this process is killed. */
const UNTIL_WE_ARE_GONE = '"$0" </dev/null & read -r _; kill $!; wait';

/** Where the engine itself would look first: PATH, then the plugin cache. */
function findExecutable(env: NodeJS.ProcessEnv): string | undefined {
  const home = env.PULUMI_HOME ?? path.join(homedir(), ".pulumi");
  const folders = [
    ...(env.PATH ?? "").split(path.delimiter),
    path.join(home, "plugins", `resource-kubernetes-v${version}`),
  ];
  return folders
    .filter((folder) => folder !== "")
    .map((folder) => path.join(folder, EXECUTABLE))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false; // Not in this folder.
      }
    });
}

/**
 * The Kubernetes provider, started beside the engine instead of by it, so that its start (a tenth of a second) is over
 * when the program asks for it. Serves one update: the engine cancels its providers at the end.
 */
export class KubernetesProvider {
  private constructor(
    private readonly listener: EarlyListener,
    private readonly child: ChildProcess,
  ) {}

  /** Undefined where the provider cannot be found or started this way; then the engine starts it, or says why not. */
  static async start(env: NodeJS.ProcessEnv = process.env): Promise<KubernetesProvider | undefined> {
    const executable = process.platform === "win32" ? undefined : findExecutable(env);
    if (executable === undefined) return undefined;
    const listener = await EarlyListener.start();
    const child = spawn("/bin/sh", ["-c", UNTIL_WE_ARE_GONE, executable], { stdio: ["pipe", "pipe", "ignore"] });
    const port = portOf(child);
    // An update may be over before it told its port, with nobody who asked for it.
    port.catch(() => undefined);
    listener.serve((socket) => {
      port.then(
        (found) => join(socket, connect(found, "127.0.0.1")),
        () => socket.destroy(),
      );
    });
    return new KubernetesProvider(listener, child);
  }

  /** Where the engine finds it. */
  get port(): number {
    return this.listener.port;
  }

  close(): void {
    this.listener.close();
    this.child.stdin?.end();
    this.child.unref();
  }
}

/** The first line that a provider prints is its port. */
function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(new Error(`${EXECUTABLE} ended before it told its port`)));
    if (child.stdout) createInterface({ input: child.stdout }).once("line", (line) => resolve(Number(line)));
  });
}

function join(left: Socket, right: Socket): void {
  right.setNoDelay(true);
  left.pipe(right);
  right.pipe(left);
  // One end going away takes the other with it; the engine tells what that means for the update.
  const end = () => {
    left.destroy();
    right.destroy();
  };
  for (const socket of [left, right]) socket.once("error", end).once("close", end);
}
