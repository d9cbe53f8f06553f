import type { Context } from "../../foundation/pulumi/resource";
import { openGuard } from "../guard/guard";
import { deploymentOf } from "../identity/origin";
import { isOfAnother, otherOwner, type SetOwner } from "../owners/ownership";
import { openWork, type Work } from "../work/work";
import { DEFAULT_TIMEOUT_SECONDS, type SetInputs } from "./set";

/** An operation on one set. */
export interface Site extends Work {
  readonly owner: SetOwner;
  readonly inputs: SetInputs;
}

export function openSite(context: Context, inputs: SetInputs, ownerId: string | undefined): Site {
  const { name: set, namespace } = inputs;
  const { kubeconfig, context: name, as, timeoutSeconds, protectData } = inputs;
  const place = { kubeconfig, context: name, as, timeoutSeconds, protectData };
  const work = openWork(context, `set ${namespace}/${set}`, place, DEFAULT_TIMEOUT_SECONDS);
  return withRemedy(ownedBy({ ...work, inputs }, { set, namespace, id: ownerId }));
}

/** For an update. One of a runtime never deletes its disk, also where a template lets it go: nobody has named it. */
export function openUpdate(context: Context, inputs: SetInputs, ownerId: string | undefined): Site {
  const site = openSite(context, inputs, ownerId);
  return inputs.record === undefined ? site : withRemedy({ guard: openGuard(site.client, context.urn), ...site });
}

/** The disk of a runtime goes by a command for that runtime, and not by the config of a stack. */
function withRemedy(site: Site): Site {
  const { guard, inputs } = site;
  if (guard === undefined || inputs.record === undefined) return site;
  const id = deploymentOf(inputs.objects) ?? "ID";
  const remedy = inputs.protectData
    ? `The deployment is protected; an administrator removes the protection with: stackyard runtime unprotect ${id}`
    : `To let the data go, destroy the runtime and create it again: stackyard runtime destroy ${id}`;
  return { ...site, guard: { ...guard, remedy } };
}

/** The operation as one of this owner. */
export const ownedBy = (site: Omit<Site, "owner">, owner: SetOwner): Site => ({
  ...site,
  owner,
  foreign: (live) => (isOfAnother(live, owner) ? otherOwner(live, owner) : undefined),
});
