import * as z from "zod";
import { mismatch, type Path } from "../../../../foundation/schema/faults";
import { foundAt } from "../../../../foundation/schema/issues";
import { count, flag, listOf, matching, strict } from "../../../../foundation/schema/fields";
import { context, kubeconfig } from "../../../cluster/access/kubeconfigSchema";
import { resolveAccess } from "../../../cluster/access/resolveAccess";
import type { DecodeContext } from "../../../contract/decoding";
import { callers, objectName } from "../../request/cluster/fields";
import { PROVIDERS, providerNames } from "../../request/cluster/providers";
import { clusterSchema } from "../../request/cluster/schema";
import { maintenanceWindow } from "../../request/cluster/shape";
import { withoutUndefined } from "../../../../foundation/json/withoutUndefined";
import { directorSettings, kymaSettings, type KymaSettings } from "./kyma/settings";
import type { ProvisionerConfig } from "../provisionerType";
import type { GardenerSettings } from "./spec";

const namesByCloud = (what: string) =>
  strict(
    `an object with ${providerNames.join(", ")}`,
    Object.fromEntries(
      providerNames.map((name) => [name, objectName(what).optional().describe(`Name for ${PROVIDERS[name].title}.`)]),
    ),
  );

const byCloud = (what: string) => namesByCloud(what).default({});

const REGIONS = "an object by region";
const url = () => matching(/^https?:\/\/\S+$/, "an http or https URL");
const text = (what: string) => matching(/\S/, what);

const tenant = strict("an object with tenantID, serviceURL, secretName", {
  tenantID: text("the id of a tenant").describe("Tenant of the logs."),
  serviceURL: url().describe("URL of the log service."),
  secretName: objectName("the name of a Secret").describe("Secret in the Gardener project with the credentials."),
});

/** By provider of the Seed, then by region. */
export const auditTenants = z.record(z.string(), z.record(z.string(), tenant, { error: REGIONS }), {
  error: "an object by provider",
});

/** By region. */
export const maintenanceWindows = z.record(z.string(), maintenanceWindow(), { error: REGIONS });

const auditLogs = strict("an object with policyConfigMap, tenants", {
  policyConfigMap: objectName("the name of a ConfigMap")
    .optional()
    .describe(
      "ConfigMap in the Gardener project with the audit policy of API servers. Default: Gardener's audit policy.",
    ),
  tenants: auditTenants.optional().describe("Log services by provider of the Seed and by region. Default: none."),
});

export const groupName = () => matching(/^(?!system:)\S/, "the name of a group that does not begin with system:");

/** Groups of operators and the roles that they are bound to. */
const operatorGroups = strict("an object with view, admin", {
  view: groupName().optional().describe("Group that is bound to the ClusterRole `view`. Default: none."),
  admin: groupName().optional().describe("Group that is bound to the ClusterRole `cluster-admin`. Default: none."),
});

const seconds = (limit: string) =>
  count("a whole number of seconds from 1 to 172800", 172_800).optional().describe(limit);

const timeouts = strict("an object of seconds by stage", {
  WaitingForClusterDomain: seconds("Until a new cluster has a domain. Default: 600."),
  WaitingForClusterCreation: seconds("Until a new cluster is ready. Default: 3600."),
  WaitingForShootNewVersion: seconds("Until Gardener has seen a change. Default: 300."),
  WaitingForShootUpgrade: seconds("Until a change is done. Default: 1800."),
  WaitForHibernation: seconds("Until a cluster is hibernated or awake. Default: 3600."),
  DeprovisionCluster: seconds("Until a deletion has begun. Default: 1800."),
  WaitForClusterDeletion: seconds("Until a cluster is deleted. Default: 3600."),
});

export const gardenerSchema = strict("an object", {
  type: z.literal("gardener").describe("Every deployment gets its own Kubernetes cluster from Gardener."),
  spec: strict("an object with project and kubeconfig", {
    project: matching(
      /^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/,
      "the name of a Gardener project, 10 characters at most",
    ).describe("Gardener project; its namespace is `garden-<project>`."),
    kubeconfig: kubeconfig.describe("Kubeconfig of a service account of the project."),
    context,
    credentialsBindings: namesByCloud("the name of a CredentialsBinding")
      .optional()
      .describe(
        "CredentialsBindings with the cloud accounts, by provider, for deployments without `targetSecret`. They are used instead of SecretBindings. Default: none.",
      ),
    secretBindings: byCloud("the name of a SecretBinding").describe(
      "SecretBindings with the cloud accounts, by provider, for deployments without `targetSecret`. Gardener takes only CredentialsBindings from Kubernetes 1.34 on; without `credentialsBindings`, the same name is used.",
    ),
    cloudProfiles: byCloud("the name of a CloudProfile").describe(
      `CloudProfiles by provider. Default: ${providerNames.map((name) => PROVIDERS[name].profile).join(", ")}.`,
    ),
    defaults: clusterSchema.default({}).describe("Default values of `cluster` for deployments."),
    maintenanceWindows: maintenanceWindows
      .default({})
      .describe("Maintenance windows of clusters with the purpose `production`, by region. Default: Gardener's."),
    allowedCidrs: listOf(callers(), "ranges")
      .optional()
      .describe(
        "Ranges that every access list of an API server (`allowedCidrs` of a cluster) has too: those of the operators and of the service. Default: none.",
      ),
    operatorGroups: operatorGroups
      .optional()
      .describe("Groups of operators with rights in every cluster. Default: none."),
    kyma: kymaSettings
      .optional()
      .describe("How to install Kyma for deployments that request it. Default: deployments can't request it."),
    director: directorSettings.optional().describe("Director where runtimes are registered. Default: none."),
    auditLogs: auditLogs.default({}).describe("Audit logs of clusters."),
    timeouts: timeouts
      .default({})
      .describe("Time limits of the stages in which a cluster is created, changed or deleted."),
    allowForceDeletion: flag()
      .default(false)
      .describe(
        "`true`: force a deletion that Gardener can't finish. Cloud resources that Gardener did not delete then stay in the cloud account.",
      ),
  }).describe("The Gardener project and the settings of its clusters."),
});

/** Returns undefined and adds faults if the kubeconfig is invalid. */
export function decodeGardener(
  decoding: DecodeContext,
  base: Path,
  { spec }: z.output<typeof gardenerSchema>,
): ProvisionerConfig | undefined {
  const { kubeconfig: file, context: chosen, kyma: asked, ...settings } = spec;
  const access = resolveAccess(decoding, base, file, chosen);
  const kyma = asked && decodeKyma(decoding, [...base, "kyma"], asked);
  const all: GardenerSettings = { ...settings, ...kyma, namespace: `garden-${spec.project}` };
  return access && { type: "gardener", access, settings: all };
}

/** Settings that only Kyma by modules has. */
const OF_MODULES = ["controlPlane", "channel", "modules", "labels"] as const;

/** The way to the control plane apart from the settings, as it may change at any time. */
function decodeKyma(
  decoding: DecodeContext,
  base: Path,
  { controlPlane, ...kyma }: KymaSettings,
): Pick<GardenerSettings, "kyma" | "kymaControlPlane"> {
  const fault = (key: string, expected: string): void =>
    void decoding.faults.push(mismatch([...base, key], foundAt(decoding.place, [...base, key]), expected));
  const byModules = kyma.mode === "modules";
  if (byModules && controlPlane === undefined) {
    fault("controlPlane", "the access to the cluster in which Lifecycle Manager runs, for mode modules");
  }
  const given = { controlPlane, ...kyma };
  for (const key of byModules ? [] : OF_MODULES.filter((one) => given[one] !== undefined)) {
    fault(key, `nothing with mode ${kyma.mode}; modules are those of mode modules`);
  }
  if (!byModules || controlPlane === undefined) return { kyma };
  const at = [...base, "controlPlane"];
  const access = resolveAccess(decoding, at, controlPlane.kubeconfig, controlPlane.context);
  if (access === undefined) return { kyma };
  const { kubeconfig, context: name, server } = access;
  return { kyma, kymaControlPlane: withoutUndefined({ kubeconfig, context: name, cluster: server }) };
}
