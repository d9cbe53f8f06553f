/** Access that expires and must be requested again. */

import type { Access, ImpersonatedUser } from "./kubeconfig";

export interface Lease {
  /** Name of the target, for messages. */
  readonly name: string;
  /** The current access. Returns the same object while it is valid. */
  access(): Promise<Access>;
  /** Drops access that the server rejected, so that the next call requests a new one. */
  refused(): void;
}

/** The same access, impersonating another identity. */
export function leaseAs(lease: Lease, as: ImpersonatedUser): Lease {
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
