/** Disks that stayed when their runtimes were destroyed, on all platforms of a state backend. */

import { Failure, messageOf } from "../../foundation/errors";
import type { Workspaces } from "../../foundation/pulumi/backend";
import { keptDisks, removeKept, type KeptDisk } from "../../kubernetes/disks/kept";
import { connect } from "../../kubernetes/connect/connect";
import { forAll } from "../../kubernetes/client/pool";
import type { Platform } from "../../components/runtime/platform/platform";
import { clustersOf } from "../orphans/cluster";
import { Search } from "../orphans/search";
import { isProtectedIn } from "../runtime/request/recorded";
import { RUNTIME_PROJECT } from "../stack/names";
import { platformNames, readPlatform } from "../stack/platformOutputs";
import { withStore } from "../pulumi/state/store";

/** Short, because a user is waiting. */
const PATIENCE_MS = 5_000;

export interface DiskPlace extends Workspaces {
  /** Reads the outputs of a platform stack. Default: from the state. */
  readonly platform?: (stack: string) => Promise<Platform>;
}

export interface FoundDisk extends KeptDisk {
  /** Addresses of its cluster: platforms may have different ones. */
  readonly clusters: readonly string[];
  /** Deletes it with its data; false if it is gone already. Throws if a runtime uses it by now. */
  readonly remove: () => Promise<boolean>;
}

export interface Disks {
  /** Oldest first. */
  readonly disks: readonly FoundDisk[];
  /** Clusters that could not be read, each with the reason. */
  readonly unseen: readonly string[];
}

/** Searches the clusters of all platforms in the state backend. */
export async function findDisks({ platforms, platform }: DiskPlace): Promise<Disks> {
  const search = new Search();
  const found = new Map<string, FoundDisk>();
  const lookIn = async ([spec, ...others]: ReturnType<typeof clustersOf>[number]): Promise<void> => {
    if (spec === undefined) return;
    const client = connect(spec.kubeconfig, spec.context, { patienceMs: PATIENCE_MS });
    const namespaces = [...new Set([spec, ...others].map(({ namespace }) => namespace))];
    for (const disk of await keptDisks(client, namespaces)) {
      // Two platforms may share a cluster, and by its UID a disk is listed once.
      const key = disk.uid ?? keptDiskName(disk);
      const clusters = [...new Set([...(found.get(key)?.clusters ?? []), spec.cluster])];
      found.set(key, { ...disk, clusters, remove: () => removeKept(client, disk) });
    }
  };
  await forAll(await platformNames(platforms), (name) =>
    search.look(`platform ${name}`, async () => {
      const outputs = await (platform?.(name) ?? readPlatform(platforms, name));
      await forAll(clustersOf(outputs), (specs) => search.look(`cluster ${specs[0]?.cluster}`, () => lookIn(specs)));
    }),
  );
  return { disks: [...found.values()].sort((a, b) => a.since.localeCompare(b.since)), unseen: search.unseen };
}

/** Disks that were named, and the faults of names. */
interface NamedDisks {
  readonly named: readonly FoundDisk[];
  readonly faults: readonly string[];
}

/** Returns the disks with these names. A name that no disk or more than one has is a fault. Pure. */
export function disksNamed(disks: readonly FoundDisk[], names: readonly string[]): NamedDisks {
  const named: FoundDisk[] = [];
  const faults: string[] = [];
  for (const name of new Set(names)) {
    const [first, ...others] = disks.filter((disk) => keptDiskName(disk) === name);
    if (first === undefined) faults.push(`${name} is no kept disk`);
    else if (others.length === 0) named.push(first);
    else faults.push(`${name} is a kept disk in several clusters; delete it with kubectl`);
  }
  return { named, faults };
}

/** The protected ones among the deployments that disks are from, according to the states of their stacks. */
export async function protectedAmong(disks: readonly KeptDisk[], { runtimes }: DiskPlace): Promise<string[]> {
  const stacks = [...new Set(disks.flatMap(({ deployment }) => deployment ?? []))];
  const states = await withStore(runtimes, (store) =>
    Promise.all(stacks.map((stack) => store.find(RUNTIME_PROJECT, stack))),
  );
  return states.flatMap((state) => (state && isProtectedIn(state) ? state.name : []));
}

/** Deletes disks. Throws if one could not be deleted, with what was deleted and what was not. */
export async function removeDisks(disks: readonly FoundDisk[]): Promise<void> {
  const results = await forAll(disks, async (disk) => {
    try {
      await disk.remove();
      return { name: keptDiskName(disk) };
    } catch (error) {
      return { name: keptDiskName(disk), fault: messageOf(error) };
    }
  });
  const failed = results.filter(({ fault }) => fault !== undefined);
  if (failed.length === 0) return;
  const gone = results.filter(({ fault }) => fault === undefined).map(({ name }) => name);
  const reasons = failed.map(({ name, fault }) => `${name} was not deleted: ${fault}`);
  throw new Failure([...reasons, `deleted: ${gone.join(", ") || "nothing"}`].join("\n"));
}

export const keptDiskName = ({ namespace, name }: Pick<KeptDisk, "namespace" | "name">): string =>
  `${namespace}/${name}`;
