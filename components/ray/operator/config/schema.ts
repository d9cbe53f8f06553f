import type * as z from "zod";
import { checkedText, count, matching, NAMESPACE, positive, strict, list } from "../../../../foundation/schema/fields";
import { labels, toleration } from "../../../charts/config/podFields";
import { helmValues, readySeconds } from "../../../charts/config/helm";
import { checkPinnedImage } from "../../../charts/config/pinnedImage";

const name = () => matching(NAMESPACE, "a legal name: a-z, 0-9 and inner -, 63 characters at most");

/** Schema of the key `rayOperator`. */
export const rayOperatorSchema = strict("an object", {
  image: checkedText("an image with a fixed tag or digest", checkPinnedImage, /^\S+$/)
    .optional()
    .describe("Image with its tag or digest. Default: the upstream image."),
  imagePullSecrets: list(name(), "names").describe("Image pull secrets in its namespace `kuberay-operator`."),
  nodeSelector: labels().default({}).describe("Labels that a node must have to run it."),
  tolerations: list(toleration, "tolerations").describe("Tolerations: taints of nodes that it may run on."),
  resources: strict("an object with cpu, memoryMb", {
    cpu: positive("a number of CPUs above 0", 64).describe("CPU request and limit, in CPUs."),
    memoryMb: count("a whole number of MB from 64", 65_536).describe("Memory request and limit, in MB."),
  })
    .optional()
    .describe("Resources of the operator. Default: those of the chart, which are enough for a few hundred Ray pods."),
  watchNamespaces: list(name(), "namespaces").describe("Namespaces whose Ray clusters it manages. Default: all."),
  allowCrdChanges: list(matching(/^\S+$/, "the name of a check"), "names").describe(
    "Breaking changes of its CustomResourceDefinitions to allow, named as the error names them.",
  ),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
}).describe("The KubeRay operator, which runs if a Ray cluster has `mode: kuberay`.");

/** Settings of the KubeRay operator. Fields that are not set have the chart's defaults. */
export type OperatorSettings = Readonly<z.output<typeof rayOperatorSchema>>;
