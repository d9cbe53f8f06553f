/** Plans the add-ons of an existing cluster. Pure. */

import type * as eks from "@aws-sdk/client-eks";
import { load } from "js-yaml";
import { ADDONS, ADDON_NAMES } from "../../../components/eks/addons";
import type { ImportedResource } from "../../../components/cluster/onEks/eksImports";
import { record } from "../../../foundation/lockFile";
import type { ImportNotes, SeenEks } from "./seen";

interface PlannedImports extends ImportNotes {
  readonly addonVersions: Readonly<Record<string, string>>;
  readonly addons: Readonly<Record<string, object>>;
  readonly imports: readonly ImportedResource[];
}

const FIELDS = ["configurationValues", "serviceAccountRoleArn", "podIdentityAssociations", "namespaceConfig", "tags"];

/** Its values and role stay, because what runs may depend on them. */
const imported = (cluster: string, addon: string): ImportedResource => ({
  ...{ type: "aws:eks/addon:Addon", name: addon, id: `${cluster}:${addon}`, keep: FIELDS, retain: false },
});

export function planAddons({ cluster: { name = "" }, addons: seen }: SeenEks): PlannedImports {
  const present = new Map(seen.map((addon) => [addon.addonName ?? "", addon]));
  const own = ADDON_NAMES.filter((addon) => present.has(addon));
  const more = [...present.keys()].filter((addon) => !ADDON_NAMES.includes(addon));
  const missing = ADDON_NAMES.filter((addon) => !present.has(addon));
  const differing = ADDONS.filter(({ name: addon, values }) => {
    const { configurationValues: text } = present.get(addon) ?? {};
    return present.has(addon) && (values !== undefined || (text !== undefined && text !== ""));
  });
  return {
    addonVersions: Object.fromEntries(own.map((addon) => [addon, present.get(addon)?.addonVersion ?? ""])),
    addons: Object.fromEntries(more.map((addon) => [addon, settingsOf(present.get(addon)!)])),
    imports: [...own, ...more].map((addon) => imported(name, addon)),
    kept: [
      ...differing.map(
        ({ name: addon, values }) =>
          `addonValues.${addon}: the add-on keeps its values; remove configurationValues from keep for ${
            values ? "those of the platform and of" : "those of"
          } addonValues`,
      ),
      ...[...own, ...more].flatMap((addon) => roleKept(present.get(addon)!)),
    ],
    changed: missing.map(
      (addon) => `add-on ${addon} is created; EKS takes over what has its name in kube-system, such as one of a chart`,
    ),
    outside: [],
  };
}

const roleOf = ({ serviceAccountRoleArn, podIdentityAssociations = [] }: eks.Addon): string | undefined =>
  serviceAccountRoleArn ?? podIdentityAssociations[0];

const roleKept = (addon: eks.Addon): string[] =>
  roleOf(addon) === undefined
    ? []
    : [
        `add-on ${addon.addonName} keeps its role; remove serviceAccountRoleArn or podIdentityAssociations from keep for that of the platform`,
      ];

function settingsOf({ addonVersion, configurationValues = "", serviceAccountRoleArn }: eks.Addon): object {
  const values = configurationValues === "" ? undefined : record(load(configurationValues));
  return {
    ...(addonVersion !== undefined && { version: addonVersion }),
    ...(values && { values }),
    ...(serviceAccountRoleArn !== undefined && { roleArn: serviceAccountRoleArn }),
  };
}
