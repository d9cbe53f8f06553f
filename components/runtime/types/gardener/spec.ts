import * as z from "zod";
import { clusterSchema } from "../../request/cluster/schema";
import { clusterFields } from "../../template";
import { directorSettings, kymaSettings } from "./kyma/settings";

const byName = z.record(z.string(), z.string().optional());

export const gardenerSpec = z.object({
  type: z.literal("gardener"),
  /** The way to Gardener. */
  ...clusterFields,
  project: z.string(),
  /** Namespace of the project. */
  namespace: z.string(),
  /** CredentialsBindings by cloud. Not set by older platforms. */
  credentialsBindings: byName.optional(),
  /** SecretBindings by cloud. */
  secretBindings: byName,
  /** CloudProfiles by cloud, which override the default ones. */
  cloudProfiles: byName,
  /** Default values of clusters. */
  defaults: clusterSchema,
  /** Maintenance windows of production clusters, by region. */
  maintenanceWindows: z.record(z.string(), z.object({ begin: z.string(), end: z.string() })),
  auditLogs: z.object({
    policyConfigMap: z.string().optional(),
    /** By provider of the Seed, then by region. */
    tenants: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.string()))).optional(),
  }),
  /** Ranges that may call every API server. Not set by older platforms. */
  allowedCidrs: z.array(z.string()).optional(),
  /** Groups with permissions in every cluster. Not set by older platforms. */
  operatorGroups: z.object({ view: z.string().optional(), admin: z.string().optional() }).optional(),
  /** Kyma settings, for deployments that request it. */
  kyma: kymaSettings.optional(),
  /** The cluster in which Lifecycle Manager runs, for Kyma by modules. */
  kymaControlPlane: z.object(clusterFields).optional(),
  /** The Director in which runtimes are registered. */
  director: directorSettings.optional(),
  /** Timeouts in seconds, by stage. */
  timeouts: z.record(z.string(), z.number().optional()),
  allowForceDeletion: z.boolean(),
});

/** A provisioner of type gardener: a cluster for each deployment. */
export type GardenerProvisioner = Readonly<z.output<typeof gardenerSpec>>;

/** What a runtime stack reads of a Gardener provisioner, except for the access to Gardener. */
export type GardenerSettings = Omit<GardenerProvisioner, "type" | keyof typeof clusterFields>;
