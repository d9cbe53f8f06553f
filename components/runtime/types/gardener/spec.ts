import * as z from "zod";
import { clusterSchema } from "../../request/cluster/schema";
import type { ClusterRequest } from "../../request/cluster/shape";
import { directorSettings, kymaSettings, type DirectorSettings, type KymaSettings } from "./kyma/settings";

/** A provisioner of type gardener: a cluster for each deployment. */
export interface GardenerProvisioner {
  readonly type: "gardener";
  /** Kubeconfig of the Gardener project (YAML text). Not set for the cluster that the program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Server URL of Gardener. */
  readonly cluster: string;
  readonly project: string;
  /** Namespace of the project. */
  readonly namespace: string;
  /** CredentialsBindings by cloud. Not set by older platforms. */
  readonly credentialsBindings?: Readonly<Partial<Record<string, string>>> | undefined;
  /** SecretBindings by cloud. */
  readonly secretBindings: Readonly<Partial<Record<string, string>>>;
  /** CloudProfiles by cloud, which override the default ones. */
  readonly cloudProfiles: Readonly<Partial<Record<string, string>>>;
  /** Default values of clusters. */
  readonly defaults: ClusterRequest;
  /** Maintenance windows of production clusters, by region. */
  readonly maintenanceWindows: Readonly<Record<string, { readonly begin: string; readonly end: string }>>;
  readonly auditLogs: {
    readonly policyConfigMap?: string | undefined;
    /** By provider of the Seed, then by region. */
    readonly tenants?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> | undefined;
  };
  /** Groups with permissions in every cluster. Not set by older platforms. */
  readonly operatorGroups?: { readonly view?: string | undefined; readonly admin?: string | undefined } | undefined;
  /** Kyma settings, for deployments that request it. */
  readonly kyma?: KymaSettings | undefined;
  /** The Director in which runtimes are registered. */
  readonly director?: DirectorSettings | undefined;
  /** Timeouts in seconds, by stage. */
  readonly timeouts: Readonly<Partial<Record<string, number>>>;
  readonly allowForceDeletion: boolean;
}

/** What a runtime stack reads of a Gardener provisioner, except for the access to Gardener. */
export type GardenerSettings = Omit<GardenerProvisioner, "type" | "kubeconfig" | "context" | "cluster">;

export const gardenerSpec = z.object({
  type: z.literal("gardener"),
  kubeconfig: z.string().optional(),
  context: z.string().optional(),
  cluster: z.string(),
  project: z.string(),
  namespace: z.string(),
  credentialsBindings: z.record(z.string(), z.string()).optional(),
  secretBindings: z.record(z.string(), z.string()),
  cloudProfiles: z.record(z.string(), z.string()),
  defaults: clusterSchema,
  maintenanceWindows: z.record(z.string(), z.object({ begin: z.string(), end: z.string() })),
  auditLogs: z.object({
    policyConfigMap: z.string().optional(),
    tenants: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.string()))).optional(),
  }),
  operatorGroups: z.object({ view: z.string().optional(), admin: z.string().optional() }).optional(),
  kyma: kymaSettings.optional(),
  director: directorSettings.optional(),
  timeouts: z.record(z.string(), z.number()),
  allowForceDeletion: z.boolean(),
});
