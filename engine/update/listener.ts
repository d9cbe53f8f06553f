import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/**
 * A local port that is open before the server behind it is ready. The engine starts with the port while the server's
 * modules are still loading; early connections wait and are handed over then.
 */
export class EarlyListener {
  private readonly waiting: Socket[] = [];
  private readonly open = new Set<Socket>();
  private take: ((socket: Socket) => void) | undefined;

  private constructor(private readonly server: Server) {
    server.on("connection", (socket) => {
      this.open.add(socket);
      socket.once("close", () => this.open.delete(socket));
      // The reader handles broken connections; an unhandled error would end the process.
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

  /** Passes every connection to `take`, starting with those that are waiting. */
  serve(take: (socket: Socket) => void): void {
    this.take = take;
    for (const socket of this.waiting.splice(0)) take(socket);
  }

  /** Closes all connections and the port. */
  close(): void {
    this.server.close();
    for (const socket of this.open) socket.destroy();
  }
}
