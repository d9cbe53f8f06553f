import type { Platform } from "../../../components/runtime/platform/platform";
import type { GardenerProvisioner } from "../../../components/runtime/types/gardener/spec";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { GARDENER } from "../../../kubernetes/gardener/shoot";
import { originOn } from "../../../kubernetes/identity/origin";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { PLATFORM_PROJECT } from "../../stack/names";
import type { KnownOwners } from "../known";
import type { ShootOrphan } from "../orphan";

/** Groups the platform's Gardener provisioners by project, so that each project is listed once. */
export function gardensOf({ provisioners }: Platform): [GardenerProvisioner, ...GardenerProvisioner[]][] {
  const specs = Object.values(provisioners).filter((spec) => spec.type === "gardener");
  const projects = Map.groupBy(specs, ({ kubeconfig, context, namespace }) =>
    JSON.stringify([kubeconfig, context, namespace]),
  );
  return [...projects.values()].flatMap(([first, ...others]) => (first ? [[first, ...others]] : []));
}

export const shootsIn = (client: Client, namespace: string): Promise<KubeObject[]> =>
  client.list({ apiVersion: GARDENER, kind: "Shoot", namespace });

/**
 * Returns the Shoots of a platform that no stack knows. Shoots without a recorded owner are ignored: the Kyma Runtime
 * Provisioner or a user may have created them. Shoots of other platforms are ignored too. Pure.
 */
export function shootOrphans(
  name: string,
  { provisioners }: Platform,
  garden: GardenerProvisioner,
  shoots: readonly KubeObject[],
  known: KnownOwners,
): ShootOrphan[] {
  return shoots.flatMap((shoot): ShootOrphan[] => {
    const { deployment: id, platform, provisioner } = originOn(shoot);
    const owner = ownerIdOn(shoot);
    const isIts = platform?.endsWith(`/${PLATFORM_PROJECT}/${name}`) ?? false;
    if (!isIts || id === undefined || provisioner === undefined || owner === undefined) return [];
    const { uid, namespace = "", name: shootName } = shoot.metadata;
    if (known.hasShoot({ namespace, name: shootName, uid, owner })) return [];
    const own = Object.hasOwn(provisioners, provisioner) ? provisioners[provisioner] : undefined;
    const spec = own?.type === "gardener" ? own : undefined;
    return [{ type: "gardener", id, platform: name, provisioner, spec, garden, owner, shoot }];
  });
}
