import { getRole } from "@pulumi/aws/iam";
import type { Provider } from "@pulumi/aws/provider";
import * as pulumi from "@pulumi/pulumi";
import { messageOf } from "../../../foundation/errors";
import type { EksConfig } from "../../cluster/onEks/eksConfig";
import { LAUNCHERS } from "../../cluster/serviceAccountRole/diskGrants";
import { claimedPools } from "../../cluster/nodePool/pools";
import { NO_ROLE } from "./roleNames";

const ROLE = LAUNCHERS.spot;

/**
 * Throws if the account has no service-linked role of Spot and a pool of Karpenter uses Spot: Karpenter may not create
 * it, and every launch would fail with `AuthFailure.ServiceLinkedRoleCreationNotPermitted`. Auto Scaling, which launches
 * the nodes of node groups, creates it by itself.
 */
export async function checkSpotRole(config: Pick<EksConfig, "nodes" | "nodePools">, provider: Provider): Promise<void> {
  const [pool] = Object.entries(claimedPools(config)).find(([, { capacity }]) => capacity === "spot") ?? [];
  if (config.nodes !== "karpenter" || pool === undefined) return;
  try {
    await getRole({ name: ROLE }, { provider });
  } catch (error) {
    const message = messageOf(error);
    if (!NO_ROLE.test(message)) return pulumi.log.debug(`Whether the role ${ROLE} exists is not known: ${message}`);
    throw new pulumi.RunError(
      [
        `stackyard:cluster.nodePools.${pool}.capacity: found "spot", and the account has no role ${ROLE}; expected that role, without which Karpenter starts no Spot instance:`,
        "  aws iam create-service-linked-role --aws-service-name spot.amazonaws.com",
        "Nothing was changed.",
      ].join("\n"),
    );
  }
}
