import { databasesOn } from "../../provider/resources/clickHouseDatabase/notedDatabases";
import { closeLedgers } from "../../provider/ledger/database";
import { readSlotOwners } from "../../provider/ledger/slots/held";
import { readUsage } from "../../provider/ledger/usage";
import { connect } from "../../kubernetes/connect/connect";
import type { Workspace, Workspaces } from "../../foundation/pulumi/backend";
import { platformNames, readPlatform } from "../stack/platformOutputs";
import { RUNTIME_PROJECT } from "../stack/names";
import type { StackState } from "../state/checkpoint";
import { withStore } from "../state/store";
import { clustersOf, runtimesIn, setOrphans } from "./cluster";
import { databaseOrphans, serversOf } from "./databases";
import { gardensOf, shootOrphans, shootsIn } from "./gardener/shoots";
import { KnownOwners } from "./known";
import { slotOrphans } from "./ledger";
import type { Orphan } from "./orphan";
import { Search } from "./search";

export interface Orphans {
  /** Sorted by id. */
  readonly orphans: readonly Orphan[];
  /** Platforms, ledgers and clusters that could not be read, each with the reason. */
  readonly unseen: readonly string[];
}

/** Short, because a user is waiting. */
const PATIENCE_MS = 5_000;

/** Finishes a search once the states are known. */
type Look = (known: KnownOwners) => Promise<readonly Orphan[]> | readonly Orphan[];

/**
 * Searches the ledgers, clusters and ClickHouse servers of all platforms in the state backend. States are read before
 * and after: what is created or deleted in between is no orphan. Sources that are unavailable are reported in `unseen`;
 * they don't throw.
 */
export async function findOrphans({ platforms, runtimes }: Workspaces): Promise<Orphans> {
  const states = (): Promise<StackState[]> => withStore(runtimes, (store) => store.list(RUNTIME_PROJECT));
  const names = await platformNames(platforms);
  const before = await states();
  const search = new Search();
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

async function lookAround(workspace: Workspace, name: string, search: Search): Promise<Look[]> {
  const platform = await readPlatform(workspace, name);
  const { ledgerUrl } = platform;
  const ledger =
    ledgerUrl !== undefined
      ? await search.look(`the ledger of platform ${name}`, () => {
          const options = { signal: AbortSignal.timeout(PATIENCE_MS) };
          return Promise.all([readUsage(ledgerUrl, undefined, options), readSlotOwners(ledgerUrl, options)]);
        })
      : undefined;
  const looks: Look[] = ledger ? [(known) => slotOrphans(name, platform, ledger[0], known, ledger[1])] : [];
  for (const [spec, ...others] of clustersOf(platform)) {
    if (!spec) continue;
    const client = connect(spec.kubeconfig, spec.context, { patienceMs: PATIENCE_MS });
    const namespaces = [...new Set([spec, ...others].map(({ namespace }) => namespace))];
    const runtimes = await search.look(`cluster ${spec.cluster}`, () => runtimesIn(client, name, namespaces));
    const { kubeconfig, context, cluster } = spec;
    if (runtimes)
      looks.push((known) => setOrphans(client, runtimes, known, platform, { kubeconfig, context, cluster }));
  }
  for (const [garden] of gardensOf(platform)) {
    const client = connect(garden.kubeconfig, garden.context, { patienceMs: PATIENCE_MS });
    const shoots = await search.look(`Gardener ${garden.cluster}`, () => shootsIn(client, garden.namespace));
    if (shoots) looks.push((known) => shootOrphans(name, platform, garden, shoots, known));
  }
  for (const server of serversOf(platform)) {
    const databases = await search.look(`the ClickHouse server of provisioner ${server.provisioner}`, () =>
      databasesOn(server.spec.url, AbortSignal.timeout(PATIENCE_MS), 1),
    );
    if (databases) looks.push((known) => databaseOrphans(name, platform, server, databases, known));
  }
  return looks;
}

/** Returns the orphans of one deployment, filtered by provisioner if given. */
export const orphansOf = ({ orphans }: Pick<Orphans, "orphans">, id: string, provisioner?: string): Orphan[] =>
  orphans.filter((orphan) => orphan.id === id && (provisioner ?? orphan.provisioner) === orphan.provisioner);
