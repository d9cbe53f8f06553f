import type { Resource } from "@pulumi/pulumi";
import { count, flag, matching } from "../../../foundation/schema/fields";
import type { ComponentDoc } from "../../contract/facts";
import type { Created, Site } from "../../contract/site";
import { ownStack } from "../../resources/ownState";
import { deploymentShape } from "../../runtime/deployment";
import { DEPLOYMENT_ID } from "../../runtime/names";
import type { PlanBase } from "../../runtime/planBase";
import { presentOf } from "../../runtime/present";
import type { Deployment } from "../../runtime/request/deployment";
import { runtimeSize, type SlotSize } from "../../runtime/size";
import type { RuntimePlan } from "../../runtime/types/registry";
import { provisionerKeys } from "../config/schema";

/** What the components for one runtime have in common: a deployment, without a platform and a stack of its own. */

const { environment, diskGb, annotations, state, version } = deploymentShape;

export const deploymentFields = {
  id: matching(DEPLOYMENT_ID, "1 to 100 of A-Z a-z 0-9 . _ -").describe("Id of the deployment."),
  slots: count("a whole number from 1", 100_000).describe("Number of slots, which determines CPU, memory and disk."),
  version: version.unwrap().describe("Tag of the runtime's image."),
  ...{ environment, diskGb, annotations, state },
  slot: provisionerKeys.slot,
  allowMove: flag()
    .default(false)
    .describe(
      "`true`: it may move to another cluster, namespace, pool or host. Its data is not copied. Otherwise such a change is an error.",
    ),
};

interface DeploymentSettings extends Omit<Deployment, "diskGb"> {
  readonly diskGb?: number | undefined;
  readonly slot: SlotSize;
  readonly allowMove: boolean;
}

export const runtimeOutputs: ComponentDoc["outputs"] = {
  host: { at: ["host"], description: "URL of the runtime." },
  audienceUrl: { at: ["audienceUrl"], description: "Audience (JWT) of the runtime." },
  dataDir: { at: ["dataDir"], description: "Directory for data." },
  cpu: { at: ["cpu"], type: "number", description: "Number of CPUs." },
  memoryGb: { at: ["memoryGb"], type: "number", description: "Memory in GB." },
  storageBytes: { at: ["storageBytes"], type: "number", description: "Disk in bytes." },
};

/** What a plan needs to know. `provisioner`: its name in records and annotations. */
export function planBaseOf(settings: DeploymentSettings, provisioner: string): Omit<PlanBase, "name"> {
  const { id, slots, version: tag, environment: at, annotations: own, state: wanted, diskGb: disk, slot } = settings;
  const deployment = {
    ...{ id, slots, version: tag, environment: at, annotations: own, state: wanted },
    ...(disk !== undefined && { diskGb: disk }),
  };
  return { provisioner, deployment, ...runtimeSize(deployment, slot) };
}

/** Creates the planned runtime with the name of the component, so that it stays the same at another place. */
export async function createOne(
  plan: RuntimePlan,
  { allowMove }: DeploymentSettings,
  { state: before, named, parent }: Site,
  more: { readonly ledgerUrl?: string; readonly dependsOn?: readonly Resource[] } = {},
): Promise<Created> {
  const { createRuntime } = await import("../../runtime/runtime.js");
  const outputs = await createRuntime(
    { ...plan, name: named("runtime") },
    {
      ...{ allowMove, parent, ...more },
      present: presentOf(await before),
      platform: ownStack(),
      command: "pulumi up",
      secretDeployment: false,
    },
  );
  return { outputs: { ...outputs } };
}
