import { Addon, getAddonVersionOutput } from "@pulumi/aws/eks";
import * as pulumi from "@pulumi/pulumi";
import { addonRoles } from "../cluster/serviceAccountRole/addonRoles";
import { roleName } from "../cluster/serviceAccountRole/plan";
import { ServiceAccountRole, type RoleCluster } from "../cluster/serviceAccountRole/serviceAccountRole";
import { addonValues, plannedAddons, type PlannedAddon } from "./addons";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import { rolePrefix } from "../cluster/onEks/onEks";

interface AddonsArgs {
  readonly clusterName: pulumi.Input<string>;
  readonly config: EksConfig;
  /** Versions by add-on. Others get their default version. */
  readonly versions: Readonly<Record<string, string>>;
  readonly when: PlannedAddon["when"];
  /** Dependencies of the add-ons. */
  readonly after: readonly pulumi.Resource[];
  /** Roles that the platform creates, by add-on. Each is a dependency of its add-on. */
  readonly roles: Readonly<Record<string, ServiceAccountRole>>;
}

/** Creates a cluster's add-ons as children of its component. */
export function createAddons(
  name: string,
  { clusterName, config, versions, when, after, roles }: AddonsArgs,
  parent: pulumi.Resource,
): Addon[] {
  const made = new Map<string, Addon>();
  const wanted = plannedAddons(config).filter((addon) => addon.when === when);
  // Those that another one needs come first.
  for (const addon of wanted.toSorted((a, b) => Number(a.after !== undefined) - Number(b.after !== undefined))) {
    const addonName = addon.name;
    const needed = addon.after === undefined ? undefined : made.get(addon.after);
    const role = roles[addonName];
    const usual = () => getAddonVersionOutput({ addonName, kubernetesVersion: config.version }, { parent });
    made.set(
      addonName,
      new Addon(
        `${name}-${addonName}`,
        {
          clusterName,
          addonName,
          addonVersion: versions[addonName] ?? usual().version,
          configurationValues: addonValues(addon, config.addonValues[addonName]),
          ...(role ? annotated(role) : givenRole(addonName, config)),
          resolveConflictsOnCreate: "OVERWRITE",
          resolveConflictsOnUpdate: "PRESERVE",
        },
        { parent, dependsOn: [...after, ...[role, needed].filter((one) => one !== undefined)] },
      ),
    );
  }
  return [...made.values()];
}

/** With Pod Identity, the association has the role. */
const annotated = ({ identity, roleArn }: ServiceAccountRole) =>
  identity === "irsa" ? { serviceAccountRoleArn: roleArn } : {};

function givenRole(addon: string, config: EksConfig) {
  const { roleArn, serviceAccount } = config.moreAddons[addon] ?? {};
  if (roleArn === undefined) return {};
  return serviceAccount === undefined
    ? { serviceAccountRoleArn: roleArn }
    : { podIdentityAssociations: [{ roleArn, serviceAccount }] };
}

/** Creates the roles of a cluster's add-ons, by add-on. */
export const createAddonRoles = (
  name: string,
  {
    cluster,
    config,
    partition,
  }: { readonly cluster: RoleCluster; readonly config: EksConfig; readonly partition: pulumi.Input<string> },
  parent: pulumi.Resource,
): Record<string, ServiceAccountRole> =>
  Object.fromEntries(
    addonRoles(config).map(({ addon, name: end, resource = end, namespace = "kube-system", ...role }) => {
      const { identity = config.identity, policies = {}, serviceAccounts, statements } = role;
      const args = {
        cluster,
        roleName: roleName(rolePrefix(config), end),
        identity,
        subjects: { [namespace]: serviceAccounts },
        serviceAccounts: "none" as const,
        statements,
        managedPolicies: Object.fromEntries(
          Object.entries(policies).map(([key, policy]) => [
            key,
            pulumi.interpolate`arn:${partition}:iam::aws:policy/${policy}`,
          ]),
        ),
      };
      return [addon, new ServiceAccountRole(`${name}-${resource}`, args, { parent })];
    }),
  );
