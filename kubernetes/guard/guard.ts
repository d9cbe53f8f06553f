/** Checks every deletion of a resource that protects data: claims are deleted only if allowed by name. */

import type { Client } from "../client/client";
import { textAt, type KubeObject } from "../objects/objects";
import { capacityOf, requestedBytes } from "../claims/claims";
import { sizeText } from "../objects/bytes";
import { allowCommands, isLossAllowed, readAllowance, type Allowance, type ClaimName } from "./allowance";

export interface Guard {
  /** Sees all claims. Never impersonates a user, who may see fewer. */
  readonly client: Client;
  readonly allowance: Allowance;
  /** Name of the stack; undefined outside of one. */
  readonly stack: string | undefined;
  /** How the data of a runtime may go; then the stack's config allows nothing. Default: it allows claims by name. */
  readonly remedy?: string;
  /** Claims that were created after this time may be deleted, because they contain no data yet. */
  readonly since?: number;
}

/** A change would delete claims that the stack config does not allow to be deleted. */
class DataLossError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DataLossError";
  }
}

export const openGuard = (client: Client, urn: string): Guard => ({
  client,
  allowance: readAllowance(),
  stack: /^urn:pulumi:([^:]+)::/.exec(urn)?.[1],
});

/** Throws if `find` returns claims that may not be deleted. `what` begins the message. */
export async function refuseLoss(
  { guard }: { readonly guard?: Guard },
  what: string,
  find: (client: Client) => Promise<readonly KubeObject[]>,
): Promise<void> {
  if (!guard) return;
  const lost = await find(guard.client);
  const { allowance, remedy, since = Infinity } = guard;
  const isAllowed = (claim: KubeObject): boolean => remedy === undefined && isLossAllowed(allowance, nameOf(claim));
  const refused = lost.filter((claim) => createdAt(claim) < since && !isAllowed(claim));
  if (refused.length > 0) throw new DataLossError(messageOf(what, refused, guard));
}

/** The same operation, with permission to delete claims that were created after `time`. */
export const allowClaimsSince = <W extends { readonly guard?: Guard }>(work: W, time: number | undefined): W =>
  work.guard && time !== undefined ? { ...work, guard: { ...work.guard, since: time } } : work;

/** Timestamps of the cluster have a resolution of seconds, so this rounds up. */
const createdAt = ({ metadata }: KubeObject): number =>
  Date.parse(String(metadata["creationTimestamp"] ?? "1970-01-01T00:00:00Z")) + 999;

/** With this many claims in one namespace, the message suggests the namespace instead of each claim. */
const MANY = 4;
const SHOWN = 50;

function messageOf(what: string, claims: readonly KubeObject[], { allowance, remedy, stack }: Guard): string {
  const sorted = claims.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  const lines = sorted.slice(0, SHOWN).map((claim) => `  - ${textOf(claim)} (${detailsOf(claim)})`);
  const more = sorted.length > SHOWN ? [`  - and ${sorted.length - SHOWN} more`] : [];
  const [which, them] = sorted.length === 1 ? ["a claim with its data", "it"] : ["claims with their data", "them"];
  return [
    `${what} would delete ${which}, so nothing was deleted:`,
    ...lines,
    ...more,
    ...(remedy === undefined
      ? [
          ...allowance.faults,
          `To keep ${them}, take the change back. To let ${them} go, allow it by name and run the command again:`,
          ...allowCommands(allowance, stack, namesFor(sorted)).map((command) => `  ${command}`),
        ]
      : [`To keep ${them}, take the change back. ${remedy}`]),
  ].join("\n");
}

function namesFor(claims: readonly KubeObject[]): string[] {
  const byNamespace = Map.groupBy(claims.map(nameOf), ({ namespace }) => namespace);
  return [...byNamespace].flatMap(([namespace, own]) =>
    own.length >= MANY ? [`${namespace}/*`] : own.map(({ name }) => `${namespace}/${name}`),
  );
}

const nameOf = ({ metadata: { namespace = "", name } }: KubeObject): ClaimName => ({ namespace, name });

const textOf = (claim: KubeObject): string => {
  const { namespace, name } = nameOf(claim);
  return `${namespace}/${name}`;
};

function detailsOf(claim: KubeObject): string {
  const size = capacityOf(claim) ?? requestedBytes(claim);
  const volume = textAt(claim, "spec", "volumeName");
  const parts = [
    size === undefined ? undefined : sizeText(size),
    volume === undefined ? "no volume yet" : `volume ${volume}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}
