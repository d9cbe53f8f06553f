import type { ChildProcess } from "node:child_process";
import { connect, type Socket } from "node:net";
import { portOf, startProvider } from "../../kubernetes/helmEngine/child";
import { findExecutable } from "../../kubernetes/helmEngine/executable";
import { EarlyListener } from "./listener";

/**
 * The Kubernetes provider, started beside the engine instead of by it, so that its start (a tenth of a second) is over
 * when the program asks for it. Serves one update: the engine cancels its providers at the end.
 */
export class KubernetesProvider {
  private constructor(
    private readonly listener: EarlyListener,
    private readonly child: ChildProcess,
  ) {}

  /** Undefined if the provider cannot be found or started this way; then the engine starts it, or says why not. */
  static async start(env: NodeJS.ProcessEnv = process.env): Promise<KubernetesProvider | undefined> {
    const executable = process.platform === "win32" ? undefined : findExecutable(env);
    if (executable === undefined) return undefined;
    const listener = await EarlyListener.start();
    const child = startProvider(executable);
    const port = portOf(child);
    // An update may be over before it reported its port, with nobody who asked for it.
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
    // What it inherited from us must not keep this process alive, however long it takes to end.
    this.child.stdout?.destroy();
    this.child.unref();
  }
}

function join(left: Socket, right: Socket): void {
  right.setNoDelay(true);
  left.pipe(right);
  right.pipe(left);
  // One end going away takes the other with it; the engine says what that means for the update.
  const end = () => {
    left.destroy();
    right.destroy();
  };
  for (const socket of [left, right]) socket.once("error", end).once("close", end);
}
