import {
  disksNamed,
  findDisks,
  keptDiskName,
  protectedAmong,
  removeDisks,
  type DiskPlace,
} from "../../engine/disks/disks";
import { messageOf } from "../../foundation/errors";
import type { Database } from "../database/database";
import { byIds } from "../database/queries/deployments";
import type { PageArgs } from "../database/queries/page";
import { NO_KEYS, type Vault } from "../database/sealing/vault";
import type { KeptDiskRecord } from "../database/tables";
import { audit, auditRefusal } from "../operations/audit";
import { OperationError } from "../operations/error";
import { runOnce } from "../operations/idempotency";
import type { Asking, Caller } from "../operations/input";
import {
  diskPage,
  ownedDisks,
  recordOf,
  type DiskFilter,
  type DiskPage,
  type OwnedDisk,
  type OwnedDisks,
} from "./owned";

export interface DiskOptions {
  readonly database: Database;
  readonly place: DiskPlace;
  /** Opens sealed idempotency records. Default: nothing is sealed. */
  readonly vault?: Vault;
}

/** Most disks of one request. */
const MOST = 500;

/** Disks that stayed when the runtimes of deployments were deleted. */
export class Disks {
  constructor(private readonly options: DiskOptions) {}

  /** One page of a tenant's disks, oldest first. Without a tenant: of all disks. */
  async page(args: PageArgs<DiskFilter>): Promise<DiskPage> {
    return diskPage(await this.search(args.tenant), args);
  }

  /**
   * Deletes disks by `namespace/claim`, all or none, and returns them. `tenant`: only of this one. A repeated request with
   * the same key deletes what an interrupted one has left.
   */
  delete(
    names: readonly string[],
    caller: Caller,
    tenant: string | undefined,
    { idempotencyKey: key, dryRun = false }: Pick<Asking, "idempotencyKey" | "dryRun"> = {},
  ): Promise<readonly KeptDiskRecord[]> {
    const { database, vault = NO_KEYS } = this.options;
    const audited = { action: "deleteKeptDisks", target: names.join(" "), ...(dryRun && { details: { plan: true } }) };
    return auditRefusal(database, caller, audited, async () => {
      if (caller.role === "viewer") {
        throw new OperationError("FORBIDDEN", { reason: "a viewer may not ask for deleteKeptDisks" });
      }
      if (dryRun) return (await this.named(names, tenant)).map(recordOf);
      const request = { deleteKeptDisks: [...new Set(names)].sort() };
      // Recorded before anything is deleted, so that the audit trail has every deletion.
      const { disks } = await runOnce(database, "disks", { key, request, caller, vault }, async (transaction) => {
        const accepted = { disks: (await this.named(names, tenant)).map(recordOf) };
        await audit(transaction, caller, { ...audited, details: { ...accepted } }, "accepted");
        return accepted;
      });
      await this.remove(disks);
      return disks;
    });
  }

  /** Finds disks, with their owners. With a tenant: only those of its deployments. */
  async search(tenant: string | undefined): Promise<OwnedDisks> {
    const { disks, unseen } = await findDisks(this.options.place);
    const stacks = [...new Set(disks.flatMap(({ deployment }) => deployment ?? []))];
    const rows = new Map((await byIds(this.options.database, stacks)).map((row) => [row.id, row]));
    return { disks: ownedDisks(disks, rows, tenant), unseen };
  }

  private async named(names: readonly string[], tenant: string | undefined): Promise<readonly OwnedDisk[]> {
    const path = "names";
    if (names.length === 0 || names.length > MOST) {
      const reason = `found ${names.length} names; expected 1 to ${MOST}`;
      throw new OperationError("BAD_INPUT", { reason, path, component: "input" });
    }
    const { disks, unseen } = await this.search(tenant);
    const { named, faults } = disksNamed(
      disks.map(({ found }) => found),
      names,
    );
    if (faults.length > 0 && unseen.length > 0) throw unread(path);
    if (faults.length > 0) {
      throw new OperationError("NOT_FOUND", { reason: faults.join("\n"), path, advice: "keptDisks lists them" });
    }
    const chosen = disks.filter(({ found }) => named.includes(found));
    const inStates = await protectedAmong(named, this.options.place);
    const isProtected = ({ found, owner }: OwnedDisk): boolean =>
      inStates.includes(found.deployment ?? "") || (owner?.protected === true && owner.deletedAt === null);
    const kept = chosen.filter(isProtected);
    if (kept.length > 0) {
      const reason = kept.map(
        (disk) => `${keptDiskName(disk.found)} is a disk of ${recordOf(disk).deployment}, which is protected`,
      );
      const advice = "Ask an administrator to remove the protection of the deployment";
      throw new OperationError("PROTECTED", { reason: reason.join("\n"), path, advice });
    }
    return chosen;
  }

  private async remove(accepted: readonly KeptDiskRecord[]): Promise<void> {
    const { disks, unseen } = await findDisks(this.options.place);
    const uids = new Set(accepted.map(({ uid }) => uid));
    const there = disks.filter(({ uid }) => uid !== undefined && uids.has(uid));
    if (there.length < accepted.length && unseen.length > 0) throw unread("names");
    try {
      await removeDisks(there);
    } catch (error) {
      const advice = "Send the request again: with its idempotency key, it deletes what is left";
      throw new OperationError(
        "UNAVAILABLE",
        { reason: messageOf(error), component: "cluster", path: "names", advice },
        { cause: error },
      );
    }
  }
}

export const unread = (path: string): OperationError =>
  new OperationError("UNAVAILABLE", {
    reason: "some clusters could not be read, which may have the disk",
    component: "cluster",
    path,
    advice: "Try again later; keptDisks says which clusters to an administrator of all tenants",
  });
