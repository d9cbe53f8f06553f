import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/**
 * A port on this host that is open before anything can answer on it. The engine is started with the port while the
 * modules that will serve it are still being loaded; connections made meanwhile wait and are handed over then.
 */
export class EarlyListener {
  private readonly waiting: Socket[] = [];
  private readonly open = new Set<Socket>();
  private take: ((socket: Socket) => void) | undefined;

  private constructor(private readonly server: Server) {
    server.on("connection", (socket) => {
      this.open.add(socket);
      socket.once("close", () => this.open.delete(socket));
      // A connection that breaks is the reader's affair; without a listener it would end the process.
      socket.on("error", () => socket.destroy());
      socket.setNoDelay(true);
      if (this.take) this.take(socket);
      else this.waiting.push(socket);
    });
  }

  static async start(): Promise<EarlyListener> {
    const server = createServer({ pauseOnConnect: false });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    return new EarlyListener(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on every connection goes to `take`, those that waited first. */
  serve(take: (socket: Socket) => void): void {
    this.take = take;
    for (const socket of this.waiting.splice(0)) take(socket);
  }

  /** Ends all connections and gives the port back. */
  close(): void {
    this.server.close();
    for (const socket of this.open) socket.destroy();
  }
}
