/**
 * ClusterIdentity: the identity of a cluster, stored in the state for resources that must detect whether it is still
 * the same cluster. Creates nothing. It is read again only when the connection changes.
 */

import { checkInputs, secretsOf } from "../../framework/resourceSchema";
import { CLUSTER_RULES } from "../../framework/clusterFields";
import { changesBetween } from "../../../foundation/pulumi/changes";
import { hasUnknown, UNKNOWN, type Context, type ResourceHandler } from "../../../foundation/pulumi/resource";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import type { ClusterAccess } from "../../../kubernetes/identity/clusterAccess";
import { schema } from "./clusterIdentitySchema";

export interface IdentityState extends ClusterAccess {
  /** The UID; the address if the user may not read it. */
  readonly identifier: string;
}

const PREVIEW_PATIENCE_MS = 2_000;

async function identify(context: Context, inputs: ClusterAccess, before: string | undefined): Promise<IdentityState> {
  const { clusterUidBy, IDENTITY_RIGHT } = await import("../../../kubernetes/identity/clusterUid.js");
  const later = { ...inputs, identifier: before ?? UNKNOWN };
  if (hasUnknown(inputs)) return later;
  try {
    const patienceMs = context.preview ? PREVIEW_PATIENCE_MS : undefined;
    const uid = await clusterUidBy(inputs, { signal: context.signal, patienceMs });
    if (uid !== undefined) return { ...inputs, identifier: uid };
    context.log("warning", `${inputs.cluster} is known by its address, because its user lacks ${IDENTITY_RIGHT}`);
    return { ...inputs, identifier: inputs.cluster };
  } catch (error) {
    if (!context.preview || !(error instanceof UnreachableError)) throw error;
    context.log("warning", `${error.message}; so the cluster could not be identified`);
    return later;
  }
}

export const clusterIdentity: ResourceHandler<ClusterAccess, IdentityState> = {
  secretProperties: secretsOf(schema),

  check: (_context, given) => Promise.resolve(checkInputs(schema, given, CLUSTER_RULES)),

  diff: (_context, _id, old, inputs) => Promise.resolve({ changes: changesBetween(old.inputs, inputs) }),

  async create(context, inputs) {
    const state = await identify(context, inputs, undefined);
    return { id: state.identifier, state };
  },

  read(_context, id, old) {
    if (typeof old.inputs?.cluster === "string") return Promise.resolve(old);
    throw new Error(`a ClusterIdentity can't be imported (${id}): run pulumi up`);
  },

  update: (context, _id, old, inputs) => identify(context, inputs, old.state.identifier),

  delete: () => Promise.resolve(),
};
