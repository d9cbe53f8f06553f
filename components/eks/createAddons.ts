import { Addon, getAddonVersionOutput } from "@pulumi/aws/eks";
import type * as pulumi from "@pulumi/pulumi";
import { addonValues, EBS_DRIVER, plannedAddons, type PlannedAddon } from "./addons";
import type { EksConfig } from "../cluster/onEks/eksConfig";

interface AddonsArgs {
  readonly clusterName: pulumi.Input<string>;
  readonly config: EksConfig;
  /** Versions by add-on. Others get their default version. */
  readonly versions: Readonly<Record<string, string>>;
  readonly when: PlannedAddon["when"];
  /** Dependencies of the add-ons. */
  readonly after: readonly pulumi.Resource[];
  /** Role of the EBS CSI driver, for IRSA. */
  readonly driverRole?: pulumi.Input<string> | undefined;
}

/** Creates a cluster's add-ons as children of its component. */
export function createAddons(
  name: string,
  { clusterName, config, versions, when, after, driverRole }: AddonsArgs,
  parent: pulumi.Resource,
): Addon[] {
  return plannedAddons(config)
    .filter((addon) => addon.when === when)
    .map((addon) => {
      const addonName = addon.name;
      const usual = () => getAddonVersionOutput({ addonName, kubernetesVersion: config.version }, { parent });
      return new Addon(
        `${name}-${addonName}`,
        {
          clusterName,
          addonName,
          addonVersion: versions[addonName] ?? usual().version,
          configurationValues: addonValues(addon, config.addonValues[addonName]),
          ...roleOf(addonName, config, driverRole),
          resolveConflictsOnCreate: "OVERWRITE",
          resolveConflictsOnUpdate: "PRESERVE",
        },
        { parent, dependsOn: [...after] },
      );
    });
}

function roleOf(addon: string, config: EksConfig, driverRole: pulumi.Input<string> | undefined) {
  const { roleArn, serviceAccount } = config.moreAddons[addon] ?? {};
  if (addon === EBS_DRIVER) return { serviceAccountRoleArn: driverRole };
  if (roleArn === undefined) return {};
  return serviceAccount === undefined
    ? { serviceAccountRoleArn: roleArn }
    : { podIdentityAssociations: [{ roleArn, serviceAccount }] };
}
