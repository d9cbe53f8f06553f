import * as z from "zod";
import { template, type HelperFile, type Template } from "../../template";

/** A provisioner of type kubernetes: runtimes as objects in a namespace. */
export interface KubernetesProvisioner {
  readonly type: "kubernetes";
  /** Kubeconfig (YAML text). Not set for the cluster that the program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Server URL of the cluster, or `in-cluster`. Identifies the cluster. */
  readonly cluster: string;
  readonly namespace: string;
  /** URL of a runtime. Each `*` stands for the provision id. */
  readonly host: string;
  /** Image without a tag. */
  readonly image: string;
  readonly timeoutSeconds: number;
  readonly dataDir: string;
  /** Audience (JWT). Each `*` stands for the provision id. Default: the host. */
  readonly audienceUrl?: string;
  /** Path to request on the host, such as `/v1/ping`, or `off`. */
  readonly ping: string;
  /** In the order of application. Empty: the built-in templates. */
  readonly templates: readonly Template[];
  /** Files with definitions for the templates. Default: none. */
  readonly helpers?: readonly HelperFile[];
  /** Overrides the templates' retention of claims on destroy. */
  readonly claimsWhenDeleted?: "Retain" | "Delete";
}

/** What a runtime stack reads of a Kubernetes provisioner, except for the cluster. */
export type KubernetesSettings = Omit<KubernetesProvisioner, "type" | "kubeconfig" | "context" | "cluster">;

export const kubernetesSpec = z.object({
  type: z.literal("kubernetes"),
  kubeconfig: z.string().optional(),
  context: z.string().optional(),
  cluster: z.string(),
  namespace: z.string(),
  host: z.string(),
  image: z.string(),
  timeoutSeconds: z.number(),
  dataDir: z.string(),
  audienceUrl: z.string().optional(),
  ping: z.string(),
  templates: z.array(template),
  helpers: z.array(template.omit({ key: true })).optional(),
  claimsWhenDeleted: z.enum(["Retain", "Delete"]).optional(),
});
