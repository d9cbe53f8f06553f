/**
 * LoadBalancerGuard: is deleted before all that is in a cluster. AWS refuses to delete a VPC with load balancers in it, after
 * twenty minutes in which the cluster went, and with it the controllers that would have deleted them.
 */

import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN, type ResourceHandler } from "../../../foundation/pulumi/resource";
import { textInConfig } from "../../../foundation/pulumi/stackConfig";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import { isList } from "../../../kubernetes/client/objects";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
import { schema } from "./schema";
import { refusal, standing, type BalancerOwner } from "./standing";

interface GuardInputs {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly owners: readonly BalancerOwner[];
}

const KINDS = [
  { apiVersion: "v1", kind: "Service" },
  { apiVersion: "networking.k8s.io/v1", kind: "Ingress" },
];

const isAllowed = (): boolean => textInConfig("allowLeftovers") === "true";

export const loadBalancerGuard: ResourceHandler<GuardInputs, object> = {
  secretProperties: secretsOf(schema),

  check(_context, given) {
    const check = new InputCheck();
    check.keys("", given, inputsOf(schema));
    const { owners } = given;
    if (!isList(owners) && owners !== UNKNOWN) check.fail("owners", typeof owners, "a list");
    return Promise.resolve({ inputs: given, failures: check.failures });
  },

  // What it knows is of use when it is deleted; the engine notes other inputs without a change.
  diff: () => Promise.resolve({ changes: {} }),

  create: () => Promise.resolve({ id: "load-balancer-guard", state: {} }),

  read: (_context, _id, old) => Promise.resolve(old),

  update: () => Promise.resolve({}),

  async delete(context, _id, { inputs }) {
    if (isAllowed()) return;
    const { connect } = await import("../../../kubernetes/client/connect.js");
    const { unlessForbidden } = await import("../../../kubernetes/client/lookUp.js");
    const client = connect(inputs.kubeconfig, inputs.context, { signal: context.signal });
    try {
      const lists = await Promise.all(KINDS.map((kind) => unlessForbidden(client.list(kind))));
      const found = standing(
        lists.flatMap((list) => list ?? []),
        inputs.owners,
      );
      if (found.length > 0) throw new Error(refusal(found, /^urn:pulumi:([^:]+)::/.exec(context.urn)?.[1]));
    } catch (error) {
      // A cluster that is gone holds nothing back; what it left on AWS is listed by a command.
      if (!(error instanceof UnreachableError)) throw error;
      context.log(
        "warning",
        `${error.message}; so it is unknown whether load balancers are left: stackyard eks leftovers`,
      );
    }
  },
};
