/** Restricts the addresses that a response from an untrusted server may lead to. */

import * as dns from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Refused } from "./errors";

/**
 * How far an address reaches. `machine`: this machine. `link`: its network link, including the metadata service of a
 * cloud, which returns credentials. `private`: a private network. `nowhere`: not the address of a single host.
 */
type Reach = "public" | "private" | "machine" | "link" | "nowhere";

/** The first kind whose ranges contain an address applies. */
const RANGES = {
  machine: ["127.0.0.0/8", "::1/128"],
  // Clouds also serve metadata at public and private addresses.
  link: [
    ...["169.254.0.0/16", "fe80::/10", "fd00:ec2::/32", "fd20:ce::254/128"],
    ...["100.100.100.200/32", "192.0.0.192/32", "168.63.129.16/32"],
  ],
  nowhere: [
    ...["0.0.0.0/8", "192.0.0.0/24", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4"],
    // `64:ff9b:1::/48` and `2001::/32` embed an IPv4 address that can't be determined.
    ...["::/128", "ff00::/8", "64:ff9b:1::/48", "2001::/32"],
  ],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10"],
} as const;

/** IPv6 ranges that embed an IPv4 address, and the group where it starts. */
const EMBEDDING_RANGES: readonly [BlockList, number][] = [
  [blockList(["::ffff:0:0/96", "::/96", "64:ff9b::/96"]), 6],
  [blockList(["2002::/16"]), 1],
];

const LISTS = (["machine", "link", "nowhere", "private"] as const).map(
  (reach) => [reach, blockList(RANGES[reach])] as const,
);

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits = ""] = range.split("/");
    list.addSubnet(network, Number(bits), network.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

export function reachOf(address: string): Reach {
  const bare = address.replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 0) return "nowhere";
  const kind = family === 4 ? "ipv4" : "ipv6";
  const [found] = LISTS.find(([, list]) => list.check(bare, kind)) ?? [];
  if (found !== undefined || family === 4) return found ?? "public";
  for (const [list, at] of EMBEDDING_RANGES) if (list.check(bare, kind)) return reachOf(embeddedIpv4(bare, at));
  return "public";
}

const isNear = (reach: Reach): boolean => reach !== "public" && reach !== "private";

const WORDS: Readonly<Record<Reach, string>> = {
  public: "public",
  private: "in a private network",
  machine: "on this machine",
  link: "on this machine's link, or its cloud's metadata",
  nowhere: "at no address of one host",
};

/** Extracts the IPv4 address embedded in an IPv6 address, starting at the group `at`. */
function embeddedIpv4(address: string, at: number): string {
  // The URL parser normalizes the address.
  const [front = "", back = ""] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const [left, right] = [front, back].map((part) => part.split(":").filter((group) => group !== ""));
  const groups = [
    ...(left ?? []),
    ...Array<string>(8 - (left?.length ?? 0) - (right?.length ?? 0)).fill("0"),
    ...(right ?? []),
  ];
  const [high = 0, low = 0] = groups.slice(at, at + 2).map((group) => parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Whether a host name states explicitly that it is this machine. */
const isLocalName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

/**
 * Guards the requests for one source against server-side request forgery. The source's own host may have any address,
 * because a user configured it. Redirects, token servers and other addresses of that name must be public, or of the
 * same kind as the source's own address: a source on this machine may redirect to this machine, but not to its link.
 * Addresses are checked when a connection is made, so DNS rebinding has no effect.
 */
export class Guard {
  readonly #origin: string;
  #allowed: Reach | undefined;

  constructor(origin: URL) {
    this.#origin = bareHost(origin);
    const literal = isIP(this.#origin) > 0;
    if (literal) this.#allowed = reachOf(this.#origin);
    else if (isLocalName(this.#origin)) this.#allowed = "machine";
  }

  /** Throws {@link Refused} if the URL's host is a forbidden IP address. `lookup` checks host names. */
  check(url: URL): void {
    const host = bareHost(url);
    if (isIP(host) > 0) this.#admit(host, [host]);
  }

  /** The `lookup` option of `http.request`. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    dns.lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      try {
        this.#admit(
          host,
          found.map(({ address }) => address),
        );
      } catch (refusal) {
        return callback(refusal as Error, []);
      }
      if (options.all === true) callback(null, found);
      else callback(null, found[0]?.address ?? "", found[0]?.family);
    });
  };

  #admit(host: string, addresses: readonly string[]): void {
    const reaches = addresses.map(reachOf);
    // The first lookup of the source's own name determines its kind. Only an explicitly local name such as `localhost`
    // may resolve to this machine.
    if (host === this.#origin && this.#allowed === undefined && !reaches.some(isNear)) {
      this.#allowed = reaches.includes("public") ? "public" : "private";
    }
    // Addresses of kind `nowhere` share no network, so a source there may lead only to itself.
    const itself = (address: string): boolean => address === this.#origin;
    const mayBe = (reach: Reach | undefined): boolean =>
      reach === "public" || (reach !== "nowhere" && reach === this.#allowed);
    const wrong = addresses.find((address, index) => !mayBe(reaches[index]) && !itself(address));
    if (wrong === undefined) return;
    const where = WORDS[reachOf(wrong)];
    const name = host === wrong ? "" : `, which is ${wrong}`;
    throw new Refused(
      host === this.#origin
        ? `${host}${name}, is ${where}; expected an address that is public, or the address itself as the host`
        : `${this.#origin} leads to ${host}${name}, ${where}; expected a public address`,
    );
  }
}
