/** Disks that stayed when their runtimes were destroyed, on all platforms of a state backend. */

import { Failure, messageOf } from "../../foundation/errors";
import { CLAIM } from "../../kubernetes/claims/claims";
import { keptDisks, type KeptDisk } from "../../kubernetes/claims/kept";
import { connect } from "../../kubernetes/client/connect";
import { forAll } from "../../kubernetes/client/pool";
import { clustersOf } from "../orphans/cluster";
import { PLATFORM_PROJECT } from "../stack/names";
import { readPlatform } from "../stack/platformOutputs";
import { withStore } from "../state/store";

/** Short, because a user is waiting. */
const PATIENCE_MS = 5_000;

export interface FoundDisk extends KeptDisk {
  /** Address of its cluster. */
  readonly cluster: string;
}

/** A kept disk, and how to delete it. */
interface Reachable {
  readonly disk: FoundDisk;
  readonly remove: () => Promise<boolean>;
}

export interface Disks {
  readonly disks: readonly FoundDisk[];
  /** Clusters that could not be read, each with the reason. */
  readonly unseen: readonly string[];
}

export async function findDisks(root: string): Promise<Disks> {
  const { found, unseen } = await look(root);
  return { disks: found.map(({ disk }) => disk), unseen };
}

/** Deletes kept disks by `namespace/claim`, all or none: every name must be one of a kept disk. */
export async function removeDisks(root: string, names: readonly string[]): Promise<readonly FoundDisk[]> {
  const { found, unseen } = await look(root);
  const chosen = names.map((name) => {
    const all = found.filter(({ disk }) => nameOf(disk) === name);
    const [first, ...others] = all;
    if (first === undefined) {
      const where = unseen.length > 0 ? `; not looked at: ${unseen.join("; ")}` : "";
      throw new Failure(`${name} is no kept disk${where}. "stackyard runtime disks" lists them`, "input");
    }
    if (others.length > 0) {
      const clusters = all.map(({ disk }) => disk.cluster).join(", ");
      throw new Failure(`${name} is a kept disk in several clusters (${clusters}); delete it with kubectl`, "input");
    }
    return first;
  });
  await forAll(chosen, ({ remove }) => remove());
  return chosen.map(({ disk }) => disk);
}

export const nameOf = ({ namespace, name }: KeptDisk): string => `${namespace}/${name}`;

async function look(
  root: string,
): Promise<{ readonly found: readonly Reachable[]; readonly unseen: readonly string[] }> {
  const platforms = await withStore(root, (store) => store.list(PLATFORM_PROJECT));
  const unseen: string[] = [];
  const found = new Map<string, Reachable>();
  const seen = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      unseen.push(`${what}: ${messageOf(error)}`);
    }
  };
  await forAll(
    platforms.filter(({ outputs }) => outputs["provisioners"] !== undefined),
    ({ name }) =>
      seen(`platform ${name}`, async () => {
        const platform = await readPlatform(root, name);
        await forAll(clustersOf(platform), ([spec, ...others]) =>
          spec === undefined
            ? Promise.resolve()
            : seen(`cluster ${spec.cluster}`, async () => {
                const client = connect(spec.kubeconfig, spec.context, { patienceMs: PATIENCE_MS });
                const namespaces = [...new Set([spec, ...others].map(({ namespace }) => namespace))];
                for (const disk of await keptDisks(client, namespaces)) {
                  const ref = { ...CLAIM, namespace: disk.namespace, name: disk.name };
                  // Two platforms may share a cluster, and by its UID a disk is listed once.
                  found.set(disk.uid ?? nameOf(disk), {
                    disk: { ...disk, cluster: spec.cluster },
                    remove: () => client.remove(ref, { uid: disk.uid }),
                  });
                }
              }),
        );
      }),
  );
  return { found: [...found.values()].sort((a, b) => a.disk.since.localeCompare(b.disk.since)), unseen };
}
