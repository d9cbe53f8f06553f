import * as z from "zod";
import { mismatch, type Fault, type Path } from "../../../../foundation/schema/faults";
import {
  checkImage,
  checkedText,
  count,
  flag,
  matching,
  NAMESPACE,
  oneOf,
  strict,
  list,
} from "../../../../foundation/schema/fields";
import { checkWildcardHost } from "../../../../foundation/schema/urls";
import { context, file, kubeconfig } from "../../../cluster/access/kubeconfigSchema";
import { resolveClusterAccess } from "../../../cluster/access/resolveAccess";
import type { DecodeContext } from "../../../contract/decoding";
import { namespaceFields } from "../../../namespaces/config/schema";
import { namespaceConfig } from "../../../namespaces/settings";
import { readTemplates } from "../../templates/readTemplates";
import { absolute, audience } from "../fields";
import type { CheckContext, ProvisionerConfig } from "../provisionerType";
import { checkClasses } from "./classes";
import type { KubernetesSettings } from "./spec";

const templates = strict("an object of template files", {
  statefulset: file("a template")
    .optional()
    .describe("The workload, with its disk in a claim template. Not together with `deployment`."),
  deployment: file("a template")
    .optional()
    .describe("The workload, with its disk from `pvc`. Not together with `statefulset`."),
  pvc: file("a template").optional().describe("The PersistentVolumeClaim of the disk, for `deployment`."),
  service: file("a template").optional().describe("The service."),
  httpIngress: file("a template").optional().describe("The ingress for HTTP."),
  grpcIngress: file("a template").optional().describe("The ingress for gRPC."),
  helpers: list(file("a helper file"), "helper files").describe(
    "Files that contain only `{{ define }}` blocks for the templates.",
  ),
});

export const kubernetesSchema = strict("an object", {
  type: z.literal("kubernetes").describe("Every deployment gets its own workload in Kubernetes."),
  spec: strict("an object with namespace, host and image", {
    kubeconfig: kubeconfig.optional().describe("A cluster other than the platform's."),
    cluster: oneOf(["platform"]).optional().describe("`platform`: the platform's cluster. This is the default."),
    context,
    namespace: matching(NAMESPACE, "a legal name: a-z, 0-9 and inner -, 63 characters at most").describe(
      "Namespace of the runtimes.",
    ),
    createNamespace: flag()
      .default(false)
      .describe(
        "`true`: the platform creates the namespace. It stays when the provisioner is removed, because it may contain disks.",
      ),
    host: checkedText(
      "a URL with a * in its host name, such as https://*.example.com, without port and path",
      checkWildcardHost,
      /^https?:\/\/[^\/:]*\*[^\/:]*$/,
    ).describe(
      "URL of a runtime. Every `*` is replaced with the provision id, so that each deployment has its own host.",
    ),
    image: checkedText(
      "an image without tag, such as example/runtime",
      checkImage,
      /^[^@:]+(:[0-9]+\/[^@:]+)?$/,
    ).describe("Image without tag. The deployment's version is the tag."),
    timeoutSeconds: count("a whole number of seconds from 1 to 86400", 86_400)
      .default(300)
      .describe("Seconds until a runtime must be ready."),
    dataDir: absolute().default("/mnt/data").describe("Mount path of the disk."),
    audienceUrl: audience()
      .optional()
      .describe("Audience (JWT) of a runtime. Every `*` is replaced with the provision id. Default: the host."),
    templates: templates
      .optional()
      .describe("Go templates of the objects, paths relative to the project folder. Default: built-in ones."),
    ping: matching(/^(\/\S*|off)$/, "a path such as /v1/ping, or off")
      .default("/v1/ping")
      .describe("Path of an HTTP request to the host that must succeed before a runtime is ready. `off`: no request."),
    ...namespaceFields,
    claimsWhenDeleted: oneOf(["Retain", "Delete"])
      .optional()
      .describe("Whether destroying a runtime deletes or keeps its disks. Default: the setting of the templates."),
  }).describe("Templates of runtimes."),
});

type KubernetesInput = z.output<typeof kubernetesSchema>;

/** Returns undefined and adds faults if the access to the cluster is invalid. */
export function decodeKubernetes(
  decoding: DecodeContext,
  base: Path,
  { spec }: KubernetesInput,
): ProvisionerConfig | undefined {
  const way = resolveClusterAccess(decoding, base, spec, decoding.offers.cluster.input);
  const templates = readTemplates(decoding, [...base, "templates"], spec.templates ?? { helpers: [] });
  if (way === undefined) return undefined;
  const settings: KubernetesSettings = {
    namespace: spec.namespace,
    host: spec.host,
    image: spec.image,
    timeoutSeconds: spec.timeoutSeconds,
    dataDir: spec.dataDir,
    ...(spec.audienceUrl === undefined ? {} : { audienceUrl: spec.audienceUrl }),
    ping: spec.ping,
    ...templates,
    ...(spec.claimsWhenDeleted === undefined ? {} : { claimsWhenDeleted: spec.claimsWhenDeleted }),
  };
  if (way.access === undefined) checkClasses(decoding, base, settings);
  const { createNamespace } = spec;
  return { type: "kubernetes", ...way, createNamespace, namespace: namespaceConfig(spec), settings };
}

export function kubernetesFaults(
  name: string,
  { spec }: KubernetesInput,
  { found, clusterGiven }: CheckContext,
): Fault[] {
  const base: Path = ["provisioners", name, "spec"];
  const faults: Fault[] = [];
  if (spec.kubeconfig !== undefined && spec.cluster !== undefined) {
    faults.push(mismatch([...base, "cluster"], found([...base, "cluster"]), "either cluster or kubeconfig, not both"));
  }
  if (spec.kubeconfig === undefined && !clusterGiven) {
    const expected = `a cluster, because provisioner ${name} uses the platform's`;
    faults.push(mismatch(["cluster"], "nothing", expected, `or give ${name} a spec.kubeconfig of its own`));
  }
  return [...faults, ...templatesFaults([...base, "templates"], spec.templates, found)];
}

/** A runtime has one workload. `path`: where the templates are. */
export function templatesFaults(
  path: Path,
  templates: KubernetesInput["spec"]["templates"],
  found: CheckContext["found"],
): Fault[] {
  if (templates === undefined) return [];
  const { statefulset, deployment } = templates;
  if (statefulset !== undefined && deployment !== undefined) {
    const both = [...path, "deployment"];
    return [mismatch(both, found(both), "either statefulset or deployment, not both")];
  }
  if (statefulset !== undefined || deployment !== undefined) return [];
  const expected = "a statefulset or a deployment among the templates";
  return [mismatch(path, found(path), expected, "omit templates for the built-in ones")];
}
