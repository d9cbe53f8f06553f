import * as pulumi from "@pulumi/pulumi";
import type { Created, Site } from "../contract/site";
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
  { named, parent, guarded, provided: { cluster } }: Site,
): Created {
  const { provisioners, ledgerUrl, defaultProvisioner, environments, slot } = config;
  const args = { provisioners, ledgerUrl, cluster, clusterServer, guarded };
  const set = new ProvisionerSet(named("provisioners"), args, { parent });
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
