import { ChoiceError } from "../../choiceError";
import type { GardenerProvisioner, Platform } from "../../platform/platform";
import type { RuntimeRecord } from "../../request/record";

/** What the environment of the service says of Gardener. A provisioner that says it itself is right. */
export type ServiceDefaults = Partial<
  Pick<GardenerProvisioner, "director" | "auditLogs" | "maintenanceWindows" | "operatorGroups">
> & {
  /** Brokers whose ServiceInstances are deleted before Kyma is removed. */
  readonly brokerUrlPrefix?: string;
};

export interface Served {
  readonly platform: Platform;
  /** What the provisioner has from the service, by its fields. */
  readonly fromService: readonly string[];
}

/**
 * The platform, whose provisioner has what the service says. A run without the service would remove what a deployment has
 * from there, such as its registration in a Director: it is refused. Pure.
 */
export function withServiceDefaults(
  platform: Platform,
  provisioner: string,
  defaults: ServiceDefaults | undefined,
  { deployment, serviceDefaults: had = [] }: Pick<RuntimeRecord, "serviceDefaults"> & { readonly deployment: string },
): Served {
  const spec = platform.provisioners[provisioner];
  if (spec?.type !== "gardener") return { platform, fromService: [] };
  const merged = merge(spec, defaults ?? {});
  const fromService = FIELDS.filter(
    (field) => valueAt(spec, field) === undefined && valueAt(merged, field) !== undefined,
  );
  const missing = had.filter((field) => valueAt(merged, field) === undefined);
  if (defaults === undefined && missing.length > 0) {
    throw new ChoiceError(
      `deployment "${deployment}" has ${missing.join(", ")} from the environment of the service; found a run without the service, and no such fields of provisioner "${provisioner}"; expected a request to the service, or the fields in the spec of the provisioner`,
    );
  }
  return { platform: { ...platform, provisioners: { ...platform.provisioners, [provisioner]: merged } }, fromService };
}

/** Fields that may come from the service, as the spec of a provisioner names them. */
const FIELDS = [
  "director",
  "auditLogs.policyConfigMap",
  "auditLogs.tenants",
  "maintenanceWindows",
  "operatorGroups.view",
  "operatorGroups.admin",
  "kyma.brokerUrlPrefix",
] as const;

function valueAt(spec: GardenerProvisioner, field: string): unknown {
  const { director, auditLogs, maintenanceWindows, operatorGroups, kyma } = spec;
  switch (field) {
    case "director":
      return director;
    case "auditLogs.policyConfigMap":
      return auditLogs.policyConfigMap;
    case "auditLogs.tenants":
      return auditLogs.tenants;
    case "maintenanceWindows":
      return Object.keys(maintenanceWindows).length > 0 ? maintenanceWindows : undefined;
    case "operatorGroups.view":
      return operatorGroups?.view;
    case "operatorGroups.admin":
      return operatorGroups?.admin;
    case "kyma.brokerUrlPrefix":
      return kyma?.brokerUrlPrefix;
    default:
      return undefined;
  }
}

function merge(spec: GardenerProvisioner, defaults: ServiceDefaults): GardenerProvisioner {
  const { brokerUrlPrefix = defaults.brokerUrlPrefix } = spec.kyma ?? {};
  return {
    ...spec,
    ...(defaults.director && { director: spec.director ?? defaults.director }),
    auditLogs: { ...defaults.auditLogs, ...spec.auditLogs },
    maintenanceWindows: { ...defaults.maintenanceWindows, ...spec.maintenanceWindows },
    ...(defaults.operatorGroups && { operatorGroups: { ...defaults.operatorGroups, ...spec.operatorGroups } }),
    ...(spec.kyma && brokerUrlPrefix !== undefined && { kyma: { ...spec.kyma, brokerUrlPrefix } }),
  };
}
