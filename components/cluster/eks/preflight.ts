import { getInstanceTypeOfferings } from "@pulumi/aws/ec2";
import { getCallerIdentity } from "@pulumi/aws/getCallerIdentity";
import type { Provider } from "@pulumi/aws/provider";
import * as pulumi from "@pulumi/pulumi";
import type { StateResource } from "../../resources/ownState";
import { callerFault, whoMayUse } from "./caller";
import { runningCluster } from "./changes";
import type { EksConfig } from "./eksConfig";

/**
 * Asks AWS what only AWS knows, before anything is made: who makes the cluster, and whether the region has the instance
 * types. Costs nothing where cluster and types are in the state already.
 */
export async function preflight(
  config: EksConfig,
  state: Readonly<Record<string, StateResource>>,
  provider: Provider,
): Promise<void> {
  const resources = Object.values(state);
  await Promise.all([
    runningCluster(resources) === undefined ? checkCaller(config, provider) : undefined,
    checkInstanceTypes(config, resources, provider),
  ]);
}

async function checkCaller({ access }: EksConfig, provider: Provider): Promise<void> {
  const { arn } = await getCallerIdentity({}, { provider });
  const fault = callerFault(arn, access);
  if (fault === undefined) return pulumi.log.info(whoMayUse(arn, access));
  // A preview may run under a role of its own, which makes nothing.
  if (!pulumi.runtime.isDryRun()) throw new pulumi.RunError(`${fault}. Nothing was changed.`);
  await pulumi.log.warn(`${fault}. An update as ${arn} would stop before it changes anything.`);
}

async function checkInstanceTypes(
  { region, nodePools }: EksConfig,
  resources: readonly StateResource[],
  provider: Provider,
): Promise<void> {
  const known = new Set(resources.flatMap(({ outputs }) => [outputs["instanceTypes"] ?? []].flat()));
  const asked = Object.entries(nodePools).flatMap(([pool, { instanceTypes }]) =>
    instanceTypes.filter((type) => !known.has(type)).map((type) => ({ pool, type })),
  );
  if (asked.length === 0) return;
  const filters = [{ name: "instance-type", values: [...new Set(asked.map(({ type }) => type))].sort() }];
  const offered = await getInstanceTypeOfferings({ locationType: "region", filters }, { provider });
  const missing = asked.filter(({ type }) => !offered.instanceTypes.includes(type));
  if (missing.length === 0) return;
  const faults = missing.map(
    ({ pool, type }) =>
      `stackyard:cluster.nodePools.${pool}.instanceTypes: found "${type}"; expected a type that ${region} has`,
  );
  throw new pulumi.RunError(`${faults.join("\n")}\nNothing was changed.`);
}
