import * as z from "zod";
import { checkedText, count, matching, NAMESPACE, oneOf, positive, strict } from "../../../../foundation/schema/fields";
import { helmValues, readySeconds } from "../../../charts/config/helm";
import { checkPinnedImage } from "../../../charts/config/pinnedImage";

const text = (expected = "a text") => z.string({ error: expected });
const name = () => matching(NAMESPACE, "a legal name: a-z, 0-9 and inner -, 63 characters at most");

const toleration = strict("an object with key, operator, value, effect", {
  key: text().optional().describe("Key of the taint."),
  operator: oneOf(["Equal", "Exists"]).optional().describe("Default: `Equal`."),
  value: text().optional().describe("Value of the taint."),
  effect: oneOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional().describe("Default: all."),
});

/** Schema of the key `rayOperator`. */
export const rayOperatorSchema = strict("an object", {
  image: checkedText("an image with a fixed tag or digest", checkPinnedImage, /^\S+$/)
    .optional()
    .describe("Image with its tag or digest. Default: the upstream image."),
  imagePullSecrets: z
    .array(name(), { error: "a list of names" })
    .default([])
    .describe("Image pull secrets in its namespace `kuberay-operator`."),
  nodeSelector: z
    .record(text(), text(), { error: "an object of labels" })
    .default({})
    .describe("Labels that a node must have to run it."),
  tolerations: z
    .array(toleration, { error: "a list of tolerations" })
    .default([])
    .describe("Tolerations: taints of nodes that it may run on."),
  resources: strict("an object with cpu, memoryMb", {
    cpu: positive("a number of CPUs above 0", 64).describe("CPU request and limit, in CPUs."),
    memoryMb: count("a whole number of MB from 64", 65_536).describe("Memory request and limit, in MB."),
  })
    .optional()
    .describe("Resources of the operator. Default: those of the chart, which are enough for a few hundred Ray pods."),
  watchNamespaces: z
    .array(name(), { error: "a list of namespaces" })
    .default([])
    .describe("Namespaces whose Ray clusters it manages. Default: all."),
  allowCrdChanges: z
    .array(matching(/^\S+$/, "the name of a check"), { error: "a list of names" })
    .default([])
    .describe("Breaking changes of its CustomResourceDefinitions to allow, named as the error names them."),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
}).describe("The KubeRay operator, which runs if a Ray cluster has `mode: kuberay`.");

export type RayOperatorInput = z.output<typeof rayOperatorSchema>;
