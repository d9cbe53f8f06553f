import { keptDiskName, type Disks, type FoundDisk } from "../../engine/disks/disks";
import { pageOf, type Page, type PageArgs } from "../database/queries/page";
import type { DeploymentRow, KeptDiskRecord } from "../database/tables";

export interface DiskFilter {
  /** Id of the deployment in the API. */
  readonly deployment?: string;
  readonly provisioner?: string;
  /** Platform stack, as organization/project/stack. */
  readonly platform?: string;
}

export interface DiskPage extends Page<KeptDiskRecord> {
  /** Size of all matching disks. */
  readonly totalGib: number;
  /** What could not be read. */
  readonly unseen: readonly string[];
}

/** A disk in a cluster, and its deployment if the service knows it. */
export interface OwnedDisk {
  readonly found: FoundDisk;
  readonly owner: DeploymentRow | undefined;
}

/** Disks with their owners, and what could not be read. */
export interface OwnedDisks extends Pick<Disks, "unseen"> {
  readonly disks: readonly OwnedDisk[];
}

const GIB = 2 ** 30;

/** Returns the disks of a tenant's deployments. Without a tenant: all. `rows`: deployments by stack. Pure. */
export function ownedDisks(
  disks: readonly FoundDisk[],
  rows: ReadonlyMap<string, DeploymentRow>,
  tenant: string | undefined,
): OwnedDisk[] {
  const owned = disks.map((found) => ({ found, owner: ownerOf(found, rows.get(found.deployment ?? "")) }));
  return owned.filter(({ owner }) => tenant === undefined || owner?.tenant === tenant);
}

/** A disk that was kept before the tenant had the stack is not the tenant's. */
const ownerOf = ({ since }: FoundDisk, row: DeploymentRow | undefined): DeploymentRow | undefined =>
  row && since !== "" && new Date(since) >= row.ownedSince ? row : undefined;

/** Returns a page of a tenant's disks, oldest first. Pure. */
export function diskPage(
  { disks, unseen }: OwnedDisks,
  { tenant, filter = {}, ...place }: PageArgs<DiskFilter>,
): DiskPage {
  const matching = disks
    .map(recordOf)
    .filter(
      ({ deployment, provisioner, platform }) =>
        deployment === (filter.deployment ?? deployment) &&
        provisioner === (filter.provisioner ?? provisioner) &&
        platform === (filter.platform ?? platform),
    )
    .sort((a, b) => (cursorOf(a) < cursorOf(b) ? -1 : 1));
  const { last, after, before } = place;
  const rest = matching.filter(
    (disk) => (after === undefined || cursorOf(disk) > after) && (before === undefined || cursorOf(disk) < before),
  );
  if (last !== undefined) rest.reverse();
  const page = pageOf(rest, place, { total: matching.length, cursorOf });
  const totalGib = matching.reduce((sum, { gib }) => sum + gib, 0);
  // Reasons have the addresses of clusters, which tenants share.
  const reasons = tenant === undefined || unseen.length === 0 ? unseen : ["some clusters could not be read"];
  return { ...page, totalGib, unseen: reasons };
}

/** Returns a disk as the API shows it. Pure. */
export function recordOf({ found, owner }: OwnedDisk): KeptDiskRecord {
  const { uid = null, deployment, set, platform = null, provisioner = null, bytes, since } = found;
  return {
    uid,
    name: keptDiskName(found),
    deployment: owner?.name ?? deployment ?? set,
    tenant: owner?.tenant ?? null,
    platform,
    provisioner,
    gib: bytes / GIB,
    keptAt: since === "" ? null : since,
  };
}

/** A place in the order of the list, which stays the same when other disks are deleted. */
const cursorOf = ({ keptAt, uid }: KeptDiskRecord): string => `${keptAt ?? ""}/${uid ?? ""}`;
