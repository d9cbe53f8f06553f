import { registrationOwner } from "../../../components/runtime/types/gardener/registrationOwner";
import { messageOf } from "../../../foundation/errors";
import { Director } from "../../../provider/director/director";
import { findRegistration } from "../../../provider/resources/directorRuntime/registration";
import { PLATFORM_PROJECT } from "../../stack/names";
import type { Orphan } from "../../orphans/orphan";

const PATIENCE_MS = 60_000;

/**
 * Unregisters orphans from the Directors of their provisioners. This runs before their clusters are deleted, so that an
 * interrupted removal can find the rest again. A Director that does not answer does not stop the deletion.
 */
export async function unregisterOrphans(orphans: readonly Orphan[], note: (text: string) => void): Promise<void> {
  for (const orphan of orphans) {
    if (orphan.type !== "gardener") continue;
    const { id, platform, spec, shoot } = orphan;
    const tenant = shoot.metadata.labels?.["account"];
    if (spec?.director === undefined || tenant === undefined) continue;
    const director = new Director({ ...spec.director, tenant }, AbortSignal.timeout(PATIENCE_MS));
    const owner = registrationOwner(`organization/${PLATFORM_PROJECT}/${platform}`, id);
    try {
      const registered = await findRegistration(director, { owner });
      if (registered === undefined) continue;
      await director.unregister(registered);
      note(`the runtime ${registered} of ${id} is removed from the Director`);
    } catch (error) {
      note(`${id} may still be registered in the Director ${spec.director.url}: ${messageOf(error)}`);
    }
  }
}
