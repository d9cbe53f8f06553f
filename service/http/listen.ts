import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Address } from "../environment";

/** An address could not be bound. Reported by its message alone, without a stack trace. */
export class AddressError extends Error {
  override readonly name = "AddressError";
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses it",
  EACCES: "this user may not use it",
  EADDRNOTAVAIL: "this machine does not have it",
  ENOTFOUND: "there is no host of this name",
};

/** Listens on an address from the variable `variable`. Returns the actual URL, because the port may have been 0. */
export function listen(server: Server, { host, port }: Address, variable: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code = "", message }: NodeJS.ErrnoException) => {
      const why = REASONS[code] ?? message;
      reject(new AddressError(`${variable}: ${host}:${port} cannot be listened on: ${why}; choose another address`));
    });
    server.listen({ port, ...(host !== "" && { host }) }, () => {
      const { port: taken, address, family } = server.address() as AddressInfo;
      const open = address === "::" || address === "0.0.0.0";
      const name = open ? "localhost" : family === "IPv6" ? `[${address}]` : address;
      resolve(`http://${name}:${taken}`);
    });
  });
}

/** Stops accepting requests, and waits up to the time limit for those in progress. */
export async function closeWithin(server: Server, ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), ms);
  await closed;
  clearTimeout(timer);
}
