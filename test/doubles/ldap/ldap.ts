import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface, type Interface } from "node:readline";

/** Attributes by DN. */
export type Directory = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** An LDAP server as a process of a Python with `ldap3`. */
export class LdapServer {
  private constructor(
    private readonly server: ChildProcessWithoutNullStreams,
    private readonly lines: Interface,
    readonly port: number,
    /** Its certificate in PEM. */
    readonly certificate: string,
  ) {}

  static async start(python: string): Promise<LdapServer> {
    const server = spawn(python, [path.join(__dirname, "server.py")]);
    server.stderr.pipe(process.stderr);
    const lines = createInterface(server.stdout);
    const [line] = (await once(lines, "line")) as [string];
    const { port, certificate } = JSON.parse(line) as { port: number; certificate: string };
    return new LdapServer(server, lines, port, certificate);
  }

  /** Replaces all entries. */
  async set(directory: Directory): Promise<void> {
    this.server.stdin.write(`${JSON.stringify(directory)}\n`);
    for (;;) if (((await once(this.lines, "line")) as [string])[0] === "directory") return;
  }

  async stop(): Promise<void> {
    const ended = once(this.server, "exit");
    this.server.kill("SIGTERM");
    await ended;
  }
}
