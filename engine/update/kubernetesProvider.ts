import type { ChildProcess } from "node:child_process";
import { connect, type Socket } from "node:net";
import { portOf, startProvider } from "../../kubernetes/helmEngine/child";
import { findExecutable } from "../../kubernetes/helmEngine/executable";
import { EarlyListener } from "./listener";

/**
 * The Kubernetes provider, started next to the engine, so that its start (a tenth of a second) overlaps with other
 * work. Serves one update: the engine cancels its providers at the end.
 */
export class KubernetesProvider {
  private constructor(
    private readonly listener: EarlyListener,
    private readonly child: ChildProcess,
  ) {}

  /** Undefined if the provider can't be found or started this way. The engine then starts it, or reports the error. */
  static async start(env: NodeJS.ProcessEnv = process.env): Promise<KubernetesProvider | undefined> {
    const executable = process.platform === "win32" ? undefined : findExecutable(env);
    if (executable === undefined) return undefined;
    const listener = await EarlyListener.start();
    const child = startProvider(executable);
    const port = portOf(child);
    // The update may end before the port is known, and then no code awaits this promise.
    port.catch(() => undefined);
    listener.serve((socket) => {
      port.then(
        (found) => join(socket, connect(found, "127.0.0.1")),
        () => socket.destroy(),
      );
    });
    return new KubernetesProvider(listener, child);
  }

  /** The port for the engine. */
  get port(): number {
    return this.listener.port;
  }

  close(): void {
    this.listener.close();
    this.child.stdin?.end();
    // Inherited streams must not keep this process alive, however long the provider takes to end.
    this.child.stdout?.destroy();
    this.child.unref();
  }
}

function join(left: Socket, right: Socket): void {
  right.setNoDelay(true);
  left.pipe(right);
  right.pipe(left);
  // When one end closes, the other one closes too; the engine reports the effect on the update.
  const end = () => {
    left.destroy();
    right.destroy();
  };
  for (const socket of [left, right]) socket.once("error", end).once("close", end);
}
