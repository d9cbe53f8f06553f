import { isIPv4, isIPv6 } from "node:net";

/** Ranges with a shorter prefix count as the whole internet. */
const SHORTEST = { v4: 8, v6: 16 } as const;

/** Whether a range is the internet, or a large part of it: `0.0.0.0/0`, `128.0.0.0/1`, `0::/0`, `2000::/3`. */
export function isInternet(cidr: string): boolean {
  const [address = "", bits = ""] = cidr.trim().split("/");
  if (!/^\d{1,3}$/.test(bits)) return false;
  if (isIPv4(address)) return Number(bits) < SHORTEST.v4;
  // Unique local addresses are not routed on the internet.
  return isIPv6(address) && Number(bits) < SHORTEST.v6 && !/^f[cd]/i.test(address);
}
