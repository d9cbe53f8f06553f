import * as z from "zod";
import { list, matching, NAMESPACE, strict, stringMap, text } from "../../../foundation/schema/fields";

/** Additional fields of a pod, named as in Kubernetes. */

export const object = (expected: string) => z.record(z.string(), z.unknown(), { error: expected });

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
  initContainers: list(named("a container, which is an object with name"), "containers").describe(
    `Init containers that run before ${whose}.`,
  ),
  containers: list(named("a container, which is an object with name"), "containers").describe(
    `Sidecar containers next to ${whose}.`,
  ),
  labels: stringMap("labels").default({}).describe("Labels."),
  annotations: stringMap("annotations").default({}).describe("Annotations."),
});
