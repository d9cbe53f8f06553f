import { closeLedgers } from "../../provider/ledger/database";
import type { Workspace, Workspaces } from "../../foundation/pulumi/backend";
import { platformNames, readPlatform } from "../stack/platformOutputs";
import { RUNTIME_PROJECT } from "../stack/names";
import type { StackState } from "../pulumi/state/checkpoint";
import { withStore } from "../pulumi/state/store";
import { KINDS } from "./kinds";
import { KnownOwners } from "./known";
import type { Look, Orphan } from "./orphan";
import { Search } from "./search";

export interface Orphans {
  /** Sorted by id. */
  readonly orphans: readonly Orphan[];
  /** Platforms, ledgers and clusters that could not be read, each with the reason. */
  readonly unseen: readonly string[];
}

/**
 * Searches the ledgers, clusters and ClickHouse servers of all platforms in the state backend. States are read before
 * and after: what is created or deleted in between is no orphan. Sources that are unavailable are reported in `unseen`;
 * they don't throw. Parts that another backend's platform of another name created are no orphans, except those of the
 * deployment `everywhere`.
 */
export async function findOrphans({ platforms, runtimes }: Workspaces, everywhere?: string): Promise<Orphans> {
  const states = (): Promise<StackState[]> => withStore(runtimes, (store) => store.list(RUNTIME_PROJECT));
  const names = await platformNames(platforms);
  const before = await states();
  const search = new Search(everywhere);
  try {
    const looks: Look[] = [];
    for (const name of names) {
      looks.push(...((await search.look(`platform ${name}`, () => lookAround(platforms, name, search))) ?? []));
    }
    const known = new KnownOwners([...before, ...(await states())]);
    const found = await Promise.all(looks.map((look) => search.look("disks of an orphan", async () => look(known))));
    const orphans = found.flatMap((one) => one ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
    return { orphans, unseen: search.unseen };
  } finally {
    await closeLedgers();
  }
}

/** Searches places of one kind after the other. */
async function lookAround(workspace: Workspace, name: string, search: Search): Promise<Look[]> {
  const platform = await readPlatform(workspace, name);
  const looks: Look[] = [];
  for (const kind of Object.values(KINDS)) looks.push(...(await kind.look(name, platform, search)));
  return looks;
}

/** Returns the orphans of one deployment, filtered by provisioner if given. */
export const orphansOf = ({ orphans }: Pick<Orphans, "orphans">, id: string, provisioner?: string): Orphan[] =>
  orphans.filter((orphan) => orphan.id === id && (provisioner ?? orphan.provisioner) === orphan.provisioner);
