import * as z from "zod";
import { clusterFields, templateFields } from "../../template";

export const kubernetesSpec = z.object({
  type: z.literal("kubernetes"),
  ...clusterFields,
  namespace: z.string(),
  /** URL of a runtime. Each `*` stands for the provision id. */
  host: z.string(),
  /** Image without a tag. */
  image: z.string(),
  timeoutSeconds: z.number(),
  dataDir: z.string(),
  /** Audience (JWT). Each `*` stands for the provision id. Default: the host. */
  audienceUrl: z.string().optional(),
  /** Path to request on the host, such as `/v1/ping`, or `off`. */
  ping: z.string(),
  /** No templates: the built-in ones. */
  ...templateFields,
});

/** A provisioner of type kubernetes: runtimes as objects in a namespace. */
export type KubernetesProvisioner = Readonly<z.output<typeof kubernetesSpec>>;

/** What a runtime stack reads of a Kubernetes provisioner, except for the cluster. */
export type KubernetesSettings = Omit<KubernetesProvisioner, "type" | keyof typeof clusterFields>;
