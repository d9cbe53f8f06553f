/** Which addresses an answer from outside may lead us to. */

import * as dns from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Refused } from "../errors";

/** `own`: this machine, its link and what is no address of one host. `private`: a network behind it. */
export type Reach = "public" | "private" | "own";

const RANGES: Readonly<Record<"private" | "own", readonly string[]>> = {
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10"],
  own: [
    ..."0.0.0.0/8 127.0.0.0/8 169.254.0.0/16 192.0.0.0/24 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4".split(" "),
    ..."::/128 ::1/128 fe80::/10 ff00::/8".split(" "),
  ],
};

/** Addresses that hold one of IPv4, and where in them. */
const CARRIERS: readonly [BlockList, number][] = [
  [blockList(["::ffff:0:0/96", "::/96", "64:ff9b::/96"]), 6],
  [blockList(["2002::/16"]), 1],
];

const LISTS = { own: blockList(RANGES.own), private: blockList(RANGES.private) };

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
  if (family === 0) return "own";
  const kind = family === 4 ? "ipv4" : "ipv6";
  const found = (["own", "private"] as const).find((reach) => LISTS[reach].check(bare, kind));
  if (found !== undefined || family === 4) return found ?? "public";
  for (const [list, at] of CARRIERS) if (list.check(bare, kind)) return reachOf(carried(bare, at));
  return "public";
}

/** The IPv4 address in two groups of an IPv6 address, from the group `at`. */
function carried(address: string, at: number): string {
  // The URL parser writes an address in one way only.
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

/** A name that says itself that it is this machine. */
const isLocalName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

/**
 * Guards the requests for one source. The source's own host may be anywhere, because its owner named it; but whatever it
 * answers, be it a redirect, the server for tokens or another address for its name, leads to public addresses only, or to
 * such as the source itself has. Addresses are looked at when connections are made, so a name can't change in between.
 */
export class Guard {
  readonly #origin: string;
  #allowed: Reach | undefined;

  constructor(origin: URL) {
    this.#origin = bareHost(origin);
    const literal = isIP(this.#origin) > 0;
    if (literal) this.#allowed = reachOf(this.#origin);
    else if (isLocalName(this.#origin)) this.#allowed = "own";
  }

  /** Throws {@link Refused} for a URL whose host is an address that must not be asked; names are checked by the lookup. */
  check(url: URL): void {
    const host = bareHost(url);
    if (isIP(host) > 0) this.#admit(host, [host]);
  }

  /** For `http.request`. */
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
    // The first lookup of the source's own name decides where it is; this machine it is only when it says so itself.
    if (host === this.#origin && this.#allowed === undefined && !reaches.includes("own")) {
      this.#allowed = reaches.includes("public") ? "public" : "private";
    }
    const wrong = addresses.find((_, index) => reaches[index] !== "public" && reaches[index] !== this.#allowed);
    if (wrong === undefined) return;
    const where = reachOf(wrong) === "own" ? "on this machine or its own link" : "in a private network";
    const name = host === wrong ? "" : `, which is ${wrong}`;
    throw new Refused(
      host === this.#origin
        ? `${host}${name}, is ${where}; expected an address that is public, or the address itself as the host`
        : `${this.#origin} leads to ${host}${name}, ${where}; expected a public address`,
    );
  }
}
