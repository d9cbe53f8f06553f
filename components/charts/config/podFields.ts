import * as z from "zod";
import { list, matching, NAMESPACE, oneOf, strict, stringMap, text } from "../../../foundation/schema/fields";

/** Additional fields of a pod, named as in Kubernetes. */

export const object = (expected: string) => z.record(z.string(), z.unknown(), { error: expected });

const PART = "[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?";
const KEY = new RegExp(`^([a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?${PART}$`);

/** Labels, by the rules of Kubernetes. */
export const labels = () =>
  z.record(
    matching(KEY, "the name of a label, such as example.com/team"),
    matching(new RegExp(`^(${PART})?$`), "a label: letters, digits and inner -, _ and ., 63 characters at most"),
    { error: "an object of labels" },
  );

/** A toleration, by the rules of Kubernetes. */
export const toleration = strict("an object with key, operator, value, effect", {
  key: matching(KEY, "the key of a taint").optional().describe("Key of the taint. Default: any."),
  operator: oneOf(["Equal", "Exists"]).optional().describe("Default: `Equal`."),
  value: z.string({ error: "a text" }).optional().describe("Value of the taint."),
  effect: oneOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional().describe("Effect. Default: any."),
})
  .refine(({ operator, value = "" }) => operator !== "Exists" || value === "", {
    path: ["value"],
    error: "none, because operator is Exists",
  })
  .refine(({ key, operator }) => key !== undefined || operator === "Exists", {
    path: ["key"],
    error: "the key of a taint; only operator: Exists tolerates any",
  });

/** A Kubernetes object with a name and any other fields. */
export const named = (expected: string) =>
  z.looseObject(
    {
      name: matching(NAMESPACE, "a legal name: a-z, 0-9 and inner -").describe(
        "Name. All other fields are those of Kubernetes.",
      ),
    },
    { error: expected },
  );

/** A reference of an image, with or without a tag. */
const IMAGE =
  /^[a-z0-9][a-z0-9._-]*(:\d+(?=\/))?(\/[a-z0-9._-]+)*(:[A-Za-z0-9_][\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;

const container = (expected: string) =>
  named(expected).extend({
    image: matching(IMAGE, "an image such as fluent/fluent-bit:4.0.1").describe("Image."),
  });

const mount = z.looseObject(
  {
    name: text("the name of a volume").describe("Name of a volume."),
    mountPath: matching(/^\/[^:]*$/, "an absolute path").describe(
      "Mount path. All other fields are those of Kubernetes.",
    ),
  },
  { error: "an object with name, mountPath" },
);

const source = strict("an object with valueFrom", {
  valueFrom: object("an object with secretKeyRef, configMapKeyRef, …"),
});
const variable = z.union([text(), source], { error: "a text, or an object with valueFrom" });

/** Additional fields of a pod. `whose` describes its existing containers, such as `Ray's`. */
export const extraPodFields = (whose: string) => ({
  env: z
    .record(matching(/^[A-Za-z_][\w.-]*$/, "the name of a variable"), variable, { error: "an object of variables" })
    .default({})
    .describe(`Environment variables of ${whose} containers: a string, or \`{ valueFrom: … }\` for secrets.`),
  envFrom: list(object("an object with secretRef or configMapRef"), "objects with secretRef or configMapRef").describe(
    `Secrets and ConfigMaps whose keys all become environment variables of ${whose} containers.`,
  ),
  volumes: list(named("a volume, which is an object with name"), "volumes").describe("Volumes."),
  volumeMounts: list(mount, "objects with name, mountPath").describe(`Volume mounts of ${whose} containers.`),
  initContainers: list(container("a container, which is an object with name and image"), "containers").describe(
    `Init containers that run before ${whose}.`,
  ),
  containers: list(container("a container, which is an object with name and image"), "containers").describe(
    `Sidecar containers next to ${whose}.`,
  ),
  labels: labels().default({}).describe("Labels."),
  annotations: stringMap("annotations").default({}).describe("Annotations."),
});
