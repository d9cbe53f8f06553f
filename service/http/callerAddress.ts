import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP } from "node:net";

/** Proxies in front of the service, whose header `X-Forwarded-For` is believed. */
export type TrustedProxies = Pick<BlockList, "check">;

/** Returns whether addresses belong to one of these networks, such as `10.0.0.0/8`. */
export function trustedProxies(networks: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** An address without its port, and an IPv4 address in IPv6 as IPv4. Undefined if it is none. */
function plain(text: string): string | undefined {
  const address = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Returns the address of the caller. Each proxy appends the address that it was called from, so the header is read from
 * the right, as long as the address so far is a trusted proxy: what is further left may have been sent by the caller.
 */
export function callerAddress(
  remote: string | undefined,
  headers: IncomingHttpHeaders,
  trusted: TrustedProxies,
): string | undefined {
  let address = plain(remote ?? "");
  const hops = String(headers["x-forwarded-for"] ?? "").split(",");
  while (address !== undefined && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")) {
    const before = plain(hops.pop() ?? "");
    if (before === undefined) break;
    address = before;
  }
  return address;
}
