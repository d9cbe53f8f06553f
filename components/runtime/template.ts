import * as z from "zod";

const helperFile = z.object({
  /** File as the config names it, for messages. */
  file: z.string(),
  text: z.string(),
});

const template = helperFile.extend({
  /** Key in the config: statefulset, deployment, pvc, service, http_ingress, grpc_ingress. */
  key: z.string(),
});

/** A file of Go templates with definitions for other templates. It renders no object. */
export type HelperFile = Readonly<z.output<typeof helperFile>>;
/** A Go template from the user, with its source. */
export type Template = Readonly<z.output<typeof template>>;

/** The templates of a provisioner, in its outputs. */
export const templateFields = {
  /** In the order of application. */
  templates: z.array(template).readonly(),
  /** Default: none. */
  helpers: z.array(helperFile).readonly().optional(),
  /** Overrides the templates' retention of claims on destroy. */
  claimsWhenDeleted: z.enum(["Retain", "Delete"]).optional(),
};

/** The way to a cluster, in the outputs of a platform. */
export const clusterFields = {
  /** Kubeconfig (YAML text). Not set for the cluster that the program runs in. */
  kubeconfig: z.string().optional(),
  context: z.string().optional(),
  /** Server URL of the cluster, or `in-cluster`. Identifies the cluster. */
  cluster: z.string(),
  /** UID of the cluster, or of the namespace of a Gardener project. Not set by older platforms, or if the kubeconfig\'s user may not read it. */
  clusterUid: z.string().optional(),
};
