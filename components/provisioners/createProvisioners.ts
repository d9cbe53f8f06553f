import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import type { Created } from "../contract/site";
import type { Platform } from "../runtime/platform/platform";
import type { ProvisionersPart } from "./config/decode";
import { provisionerRevisions } from "./plan";
import { ProvisionerSet } from "./provisionerSet";

/** The outputs that runtime stacks read, except those for databases. */
type Exported = Omit<Platform, "clickhouse" | "clickhouseRevisions">;

/** Creates the provisioner set, and exports what runtime stacks need. */
export function createProvisioners(
  config: ProvisionersPart,
  clusterServer: string | undefined,
  cluster: Cluster | undefined,
  guarded: readonly pulumi.Resource[],
): Created {
  const { provisioners, ledgerUrl, defaultProvisioner, environments, slot } = config;
  const args = { provisioners, ledgerUrl, cluster, clusterServer, guarded };
  const set = new ProvisionerSet("provisioners", args);
  const outputs: pulumi.Inputs & { [Field in keyof Exported]: pulumi.Input<Exported[Field]> } = {
    provisioners: set.provisioners,
    defaultProvisioner,
    environments,
    provisionerRevisions: provisionerRevisions(provisioners, slot),
    slot,
    // Optional ones are omitted, because Pulumi warns about undefined outputs.
    ...(ledgerUrl !== undefined && { ledgerUrl: pulumi.secret(ledgerUrl) }),
  };
  return { guarded: set.places, guards: [set], outputs };
}
