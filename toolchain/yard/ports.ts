import { createHash, randomInt } from "node:crypto";
import * as net from "node:net";

/** Servers of a yard. */
export const LISTENERS = [
  "apiserver",
  "etcd",
  "etcdPeer",
  "kwok",
  "controllerManager",
  "scheduler",
  "postgres",
] as const;
type Listener = (typeof LISTENERS)[number];
export type Ports = Readonly<Record<Listener, number>>;

/** Below the range of ephemeral ports, so that the ports of a stopped yard stay free. */
const FIRST = 20_000;
const LAST = 29_999;

/** Whether a local port is free. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Waits for a port to become free, because a killed program may hold it for a moment. */
export async function becomesFree(port: number, patienceMs = 3000): Promise<boolean> {
  for (const deadline = Date.now() + patienceMs; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    if (await isFree(port)) return true;
    if (Date.now() > deadline) return false;
  }
}

/**
 * Chooses free ports for a yard. The folder's name determines where the search starts, so that concurrent yards don't
 * choose the same ones.
 */
export async function choosePorts(
  directory: string,
  free: (port: number) => Promise<boolean> = isFree,
): Promise<Ports> {
  const size = LAST - FIRST + 1;
  const start = createHash("sha256").update(directory).digest().readUInt32BE(0) % size;
  const found: number[] = [];
  for (let step = 0; step < size && found.length < LISTENERS.length; step++) {
    const port = FIRST + ((start + step) % size);
    if (await free(port)) found.push(port);
  }
  if (found.length < LISTENERS.length) {
    throw new Error(
      `only ${found.length} free ports between ${FIRST} and ${LAST}; expected ${LISTENERS.length} for the local yard. Stop what occupies them`,
    );
  }
  return Object.fromEntries(LISTENERS.map((name, index) => [name, found[index]])) as Record<Listener, number>;
}

/** Between the ports of yards and the ephemeral ports; no common server listens there by default. */
const OTHERS_FIRST = 30_000;
const OTHERS_LAST = 32_767;

/**
 * Returns different free ports for a program that binds them later. A port that the system picks (`listen(0)`) may be
 * used as the local port of another connection in between; these can't.
 */
export async function portsToBind(
  count: number,
  free: (port: number) => Promise<boolean> = isFree,
): Promise<readonly number[]> {
  const size = OTHERS_LAST - OTHERS_FIRST + 1;
  const start = randomInt(size);
  const found: number[] = [];
  for (let step = 0; step < size && found.length < count; step++) {
    const port = OTHERS_FIRST + ((start + step) % size);
    if (await free(port)) found.push(port);
  }
  if (found.length < count) {
    throw new Error(`only ${found.length} free ports between ${OTHERS_FIRST} and ${OTHERS_LAST}; expected ${count}`);
  }
  return found;
}

/** Returns one such port. */
export async function portToBind(): Promise<number> {
  const [port] = await portsToBind(1);
  return port!;
}
