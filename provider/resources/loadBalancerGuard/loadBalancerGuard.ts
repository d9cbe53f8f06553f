/**
 * LoadBalancerGuard: deleted before everything else in a cluster. AWS refuses to delete a VPC that has load balancers,
 * but only after twenty minutes, when the cluster and the controllers that could delete them are already gone.
 */

import { messageOf } from "../../../foundation/errors";
import type { Context, ResourceHandler } from "../../../foundation/pulumi/resource";
import { textInConfig } from "../../../foundation/pulumi/stackConfig";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import { isList } from "../../../kubernetes/objects/objects";
import { checkInputs, secretsOf, type InputRules } from "../../framework/resourceSchema";
import { schema } from "./loadBalancerGuardSchema";
import { permitted, standingText, standing, volumesLeft, type BalancerOwner } from "./standing";

interface GuardInputs {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly owners: readonly BalancerOwner[];
}

const KINDS = [
  { apiVersion: "v1", kind: "Service" },
  { apiVersion: "networking.k8s.io/v1", kind: "Ingress" },
  { apiVersion: "gateway.networking.k8s.io/v1", kind: "Gateway" },
];
const VOLUME = { apiVersion: "v1", kind: "PersistentVolume" };

const isAllowed = (): boolean => textInConfig("allowLeftovers") === "true";

const RULES: InputRules = {
  owners(check, owners) {
    if (!isList(owners)) check.fail("owners", typeof owners, "a list");
  },
};

export const loadBalancerGuard: ResourceHandler<GuardInputs, object> = {
  secretProperties: secretsOf(schema),

  check: (_context, given) => Promise.resolve(checkInputs(schema, given, RULES)),

  // The inputs are only used for the deletion, and the engine stores them without an update.
  diff: () => Promise.resolve({ changes: {} }),

  create: () => Promise.resolve({ id: "load-balancer-guard", state: {} }),

  read: (_context, _id, old) => Promise.resolve(old),

  update: () => Promise.resolve({}),

  async delete(context, _id, { inputs }) {
    const stack = /^urn:pulumi:([^:]+)::/.exec(context.urn)?.[1];
    const isPermitted = isAllowed();
    try {
      const { found, volumes } = await look(context, inputs);
      if (found.length > 0 && !isPermitted) throw new Error(standingText(found, stack));
      if (found.length > 0) context.log("warning", permitted(found, stack));
      const left = volumesLeft(volumes, stack);
      if (left !== undefined) context.log("warning", left);
    } catch (error) {
      // An unreachable cluster does not block the deletion, nor does one whose leftovers may stay. A command lists what
      // remains on AWS.
      if (!(error instanceof UnreachableError) && !isPermitted) throw error;
      context.log(
        "warning",
        `${messageOf(error)}; so it is unknown whether load balancers are left: stackyard eks leftovers`,
      );
    }
  },
};

async function look(context: Context, { kubeconfig, context: name, owners }: GuardInputs) {
  const { connect } = await import("../../../kubernetes/connect/connect.js");
  const { ifKnown, unlessForbidden } = await import("../../../kubernetes/client/lookUp.js");
  const client = connect(kubeconfig, name, { signal: context.signal });
  const list = async (kind: (typeof KINDS)[number]) => (await ifKnown(unlessForbidden(client.list(kind)))) ?? [];
  const [volumes, ...lists] = await Promise.all([list(VOLUME), ...KINDS.map(list)]);
  return { found: standing(lists.flat(), owners), volumes };
}
