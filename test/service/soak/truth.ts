import { refOf, inventoryKey } from "../../../kubernetes/objects/objects";
import { readOwner, recordRef } from "../../../kubernetes/owners/store";
import { SET_LABEL } from "../../../kubernetes/owners/ownership";

import type { Client } from "../../../kubernetes/client/client";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { markedIn } from "../../tools/markedIn";
import { readSlotOwners } from "../../../provider/ledger/slots/held";

/** What the cluster has of runtimes, with their disks. */
export async function objectsIn(client: Client, namespace: string): Promise<string[]> {
  const marked = await markedIn(client, namespace);
  return marked
    .map((object) => inventoryKey(refOf(object)))
    .filter((key) => key.includes("runtime-"))
    .sort();
}

/** Whose the things are, by the records of owners in the cluster and the ledger: `<thing> <stack>`. */
export async function ownersOf(client: Client, namespace: string, ledgerUrl: string, pool: string): Promise<string[]> {
  const marked = await markedIn(client, namespace);
  const sets = Map.groupBy(marked, ({ metadata }) => metadata.labels?.[SET_LABEL] ?? "");
  const owners: string[] = [];
  for (const [set, objects] of sets) {
    if (!objects.some(({ metadata }) => metadata.name.includes("runtime-"))) continue;
    const found = await readOwner(client, recordRef({ name: set, namespace }));
    const ids = [...new Set(objects.flatMap((object) => ownerIdOn(object) ?? []))];
    const { record } = found ?? {};
    const isOne = ids.length === 1 && ids[0] === record?.owner && record?.phase === "applied";
    owners.push(isOne ? `${set} ${record.stack}` : `${set} has ${JSON.stringify({ ids, record })}`);
  }
  for (const [slots, { phase, stack }] of await readSlotOwners(ledgerUrl)) {
    if (!slots.startsWith(`${pool}/`)) continue;
    owners.push(phase === "applied" ? `${slots} ${stack}` : `${slots} is ${phase} for ${stack}`);
  }
  return owners.sort();
}
