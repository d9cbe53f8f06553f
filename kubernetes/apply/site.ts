import type { Context } from "../../foundation/pulumi/resource";
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
  return ownedBy({ ...work, inputs }, { set, namespace, id: ownerId });
}

/** The operation as one of this owner. */
export const ownedBy = (site: Omit<Site, "owner">, owner: SetOwner): Site => ({
  ...site,
  owner,
  foreign: (live) => (isOfAnother(live, owner) ? otherOwner(live, owner) : undefined),
});
