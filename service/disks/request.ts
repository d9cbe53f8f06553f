import { wantedProvisioner } from "../../components/runtime/choice";
import type { Platform } from "../../components/runtime/platform/platform";
import { decodeRuntimeConfig } from "../../components/runtime/deployment";
import { keptDiskName } from "../../engine/disks/disks";
import { messageOf } from "../../foundation/errors";
import type { DiskCheck } from "../operations/checks";
import { OperationError } from "../operations/error";
import { unread, type Disks } from "./disks";

export interface DiskCheckOptions {
  readonly disks: Pick<Disks, "search">;
  readonly platform: (name: string) => Promise<Platform>;
}

/** A runtime may use a disk that a deployment of its id and tenant left where the runtime will be. */
export function diskCheck({ disks, platform }: DiskCheckOptions): DiskCheck {
  return async ({ tenant, disk, deployment: id, desiredConfig }) => {
    const { platform: stack, deployment } = decodeRuntimeConfig(
      { platform: desiredConfig.platform, deployment: desiredConfig.deployment },
      id,
    );
    let outputs: Platform;
    try {
      outputs = await platform(stack);
    } catch (error) {
      const reason = `the platform of the disk could not be read: ${messageOf(error)}`;
      return new OperationError("UNAVAILABLE", { reason, component: "platform", path: "disk" }, { cause: error });
    }
    const { provisioner } = wantedProvisioner(outputs, deployment);
    const spec = outputs.provisioners[provisioner];
    const found = `found ${JSON.stringify(disk)}`;
    if (spec?.type !== "kubernetes") {
      const reason = `${found}; expected nothing, because provisioner ${provisioner} is of type ${spec?.type}, which has no kept disks`;
      return new OperationError("BAD_INPUT", { reason, component: "input", path: "disk" });
    }
    const { cluster, namespace } = spec;
    const own = await disks.search(tenant);
    const isThere = own.disks.some(
      ({ found: each, owner }) =>
        each.clusters.includes(cluster) &&
        each.namespace === namespace &&
        // Not by the stack, which has another name.
        owner?.name === id &&
        [each.name, keptDiskName(each)].includes(disk),
    );
    if (isThere) return undefined;
    if (own.unseen.length > 0) return unread("disk");
    const reason = `${found}; expected a kept disk of ${id} and its tenant in namespace ${namespace}, where provisioner ${provisioner} creates runtimes`;
    return new OperationError("NOT_FOUND", { reason, path: "disk", advice: "keptDisks lists them" });
  };
}
