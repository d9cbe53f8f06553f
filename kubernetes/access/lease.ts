/** Ways to a cluster that end after a while and are asked for again. */

import type { Access, Identity } from "./kubeconfig";

export interface Lease {
  /** What it leads to, for messages. */
  readonly name: string;
  /** The way, the same object as long as it is good. */
  access(): Promise<Access>;
  /** Drops what was refused, so that it is asked for again. */
  refused(): void;
}

/** The same way for another identity. */
export function leaseAs(lease: Lease, as: Identity): Lease {
  let last: { readonly own: Access; readonly theirs: Access } | undefined;
  return {
    name: lease.name,
    refused: () => lease.refused(),
    async access() {
      const own = await lease.access();
      if (last?.own !== own) last = { own, theirs: { ...own, as } };
      return last.theirs;
    },
  };
}
