import { isObject } from "../../../../foundation/json/isObject";
import { valueAt } from "../../../../foundation/schema/describe";
import { ChoiceError } from "../../choiceError";
import type { GardenerProvisioner } from "./spec";
import type { RuntimeRecord } from "../../record/record";

/** Settings of Gardener from the environment of the service. A provisioner's own settings take precedence. */
export type ServiceDefaults = Partial<
  Pick<GardenerProvisioner, "director" | "auditLogs" | "maintenanceWindows" | "operatorGroups">
> & {
  /** Service brokers whose ServiceInstances are deleted before Kyma is removed. */
  readonly brokerUrlPrefix?: string;
};

interface Served<P> {
  readonly platform: P;
  /** Fields of the provisioner that come from the service. */
  readonly fromService: readonly string[];
}

/**
 * Completes the provisioner with the defaults of the service. Rejects a run without the service if the deployment uses
 * such defaults, because it would remove, for example, its registration in a Director. Pure.
 */
export function withServiceDefaults<P extends { readonly provisioners: Readonly<Record<string, unknown>> }>(
  platform: P,
  provisioner: string,
  defaults: ServiceDefaults | undefined,
  { deployment, serviceDefaults: had = [] }: Pick<RuntimeRecord, "serviceDefaults"> & { readonly deployment: string },
): Served<P> {
  const spec = platform.provisioners[provisioner];
  if (!isGardener(spec)) return { platform, fromService: [] };
  const merged = merge(spec, defaults ?? {});
  const fromService = FIELDS.filter((field) => !isGiven(spec, field) && isGiven(merged, field));
  const missing = had.filter((field) => !isGiven(merged, field));
  if (defaults === undefined && missing.length > 0) {
    throw new ChoiceError(
      `deployment "${deployment}" has ${missing.join(", ")} from the environment of the service; found a run without the service, and no such fields of provisioner "${provisioner}"; expected a request to the service, or the fields in the spec of the provisioner`,
    );
  }
  return { platform: { ...platform, provisioners: { ...platform.provisioners, [provisioner]: merged } }, fromService };
}

const isGardener = (spec: unknown): spec is GardenerProvisioner => isObject(spec) && spec["type"] === "gardener";

/** Fields that may come from the service, named as in a provisioner's spec. */
const FIELDS = [
  "director",
  "auditLogs.policyConfigMap",
  "auditLogs.tenants",
  "maintenanceWindows",
  "operatorGroups.view",
  "operatorGroups.admin",
  "kyma.brokerUrlPrefix",
] as const;

/** A provisioner always has maintenance windows; none count as not given. */
function isGiven(spec: GardenerProvisioner, field: string): boolean {
  if (field === "maintenanceWindows") return Object.keys(spec.maintenanceWindows).length > 0;
  return valueAt(spec, field.split(".")) !== undefined;
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
