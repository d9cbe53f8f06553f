import * as z from "zod";
import { checked, count, matching, NAMESPACE, oneOf, positive, strict } from "../../../../foundation/schema/fields";
import { helmValues, readySeconds } from "../../../charts/config/helm";
import { checkPinnedImage } from "../../../jupyterhub/config/schema";

/** The key `rayOperator`, as its author writes it. */

const text = (expected = "a text") => z.string({ error: expected });
const name = () => matching(NAMESPACE, "a legal name: a-z, 0-9 and inner -, 63 characters at most");

const toleration = strict("an object with key, operator, value, effect", {
  key: text().optional().describe("Key of the taint."),
  operator: oneOf(["Equal", "Exists"]).optional().describe("Default: `Equal`."),
  value: text().optional().describe("Value of the taint."),
  effect: oneOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional().describe("Default: all."),
});

/** The keys of `rayOperator`. */
export const rayOperatorSchema = strict("an object", {
  image: checked("an image with a fixed tag or digest", checkPinnedImage, /^\S+$/)
    .optional()
    .describe("Image with its tag or digest. Default: the upstream one."),
  imagePullSecrets: z
    .array(name(), { error: "a list of names" })
    .default([])
    .describe("Secrets of its namespace `kuberay-operator` by which the image is pulled."),
  nodeSelector: z
    .record(text(), text(), { error: "an object of labels" })
    .default({})
    .describe("Labels of the nodes that it may run on."),
  tolerations: z
    .array(toleration, { error: "a list of tolerations" })
    .default([])
    .describe("Taints of nodes that it may run on all the same."),
  resources: strict("an object with cpu, memoryMb", {
    cpu: positive("a number of CPUs above 0", 64).describe("CPUs; request and limit."),
    memoryMb: count("a whole number of MB from 64", 65_536).describe("Memory in MB; request and limit."),
  })
    .optional()
    .describe("Its size. Default: the chart's, which is for some hundred Ray pods."),
  watchNamespaces: z
    .array(name(), { error: "a list of namespaces" })
    .default([])
    .describe("Namespaces whose Ray clusters it looks after. Default: all."),
  allowCrdChanges: z
    .array(matching(/^\S+$/, "the name of a check"), { error: "a list of names" })
    .default([])
    .describe("Changes of its CustomResourceDefinitions that may break users, as an error names them."),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
}).describe("The KubeRay operator, which runs where a Ray cluster has `mode: kuberay`.");

export type RayOperatorInput = z.output<typeof rayOperatorSchema>;
