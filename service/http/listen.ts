import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Address } from "../environment";

/** An address could not be taken: said by its message alone. */
export class AddressError extends Error {
  override readonly name = "AddressError";
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses it",
  EACCES: "this user may not use it",
  EADDRNOTAVAIL: "this machine does not have it",
  ENOTFOUND: "there is no host of this name",
};

/** Listens on the address of a variable. Answers where: the port may have been any. */
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

/** Takes no new requests, and lets those that are in progress come to their end until the time is over. */
export async function closeWithin(server: Server, ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), ms);
  await closed;
  clearTimeout(timer);
}
