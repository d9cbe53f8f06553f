/** Which objects reach out of their containers into the node. */

import { isList, isObject, listAt, textAt, type Json, type KubeObject } from "../../kubernetes/objects";
import { isCrd } from "../crdSafety/crd";

/** In words, each once. Pod specs are found wherever they stand, so also in custom resources. */
export function hostAccess(object: KubeObject): string[] {
  if (isCrd(object)) return [];
  const found: string[] = [];
  if (object.kind === "PersistentVolume" && object.apiVersion === "v1") found.push(...volume(object["spec"]));
  walk(object, found);
  return [...new Set(found)];
}

function walk(value: unknown, found: string[]): void {
  if (isList(value)) value.forEach((each) => walk(each, found));
  if (!isObject(value)) return;
  if (isList(value["containers"])) found.push(...podAccess(value));
  for (const each of Object.values(value)) walk(each, found);
}

const SHARED = {
  hostNetwork: "the node's network",
  hostPID: "the node's processes",
  hostIPC: "the node's shared memory",
};
/** Listening on ports below 1024 reaches nothing. */
const HARMLESS = new Set(["NET_BIND_SERVICE"]);

function podAccess(spec: Json): string[] {
  const shared = Object.entries(SHARED).flatMap(([key, what]) => (spec[key] === true ? [what] : []));
  const containers = ["containers", "initContainers", "ephemeralContainers"].flatMap((key) => listAt(spec, key));
  return [
    ...shared,
    ...listAt(spec, "volumes").flatMap(volume),
    ...security(spec["securityContext"], "the pod"),
    ...containers.flatMap((container) => {
      const name = `container ${textAt(container, "name") ?? "without a name"}`;
      return [...ports(container, name), ...security(container["securityContext"], name)];
    }),
  ];
}

function volume(value: unknown): string[] {
  const path = textAt(value, "hostPath", "path") ?? textAt(value, "local", "path");
  return path === undefined ? [] : [`path ${path} of the node`];
}

const ports = (container: Json, name: string): string[] =>
  listAt(container, "ports").flatMap(({ hostPort }) =>
    typeof hostPort === "number" && hostPort > 0 ? [`port ${hostPort} of the node (${name})`] : [],
  );

function security(context: unknown, name: string): string[] {
  if (!isObject(context)) return [];
  const added = isObject(context["capabilities"]) ? context["capabilities"]["add"] : undefined;
  const capabilities = isList(added) ? added.map(String).filter((one) => !HARMLESS.has(one)) : [];
  const windows = isObject(context["windowsOptions"]) && context["windowsOptions"]["hostProcess"] === true;
  const unconfined = ["seccompProfile", "appArmorProfile"].filter(
    (key) => textAt(context, key, "type") === "Unconfined",
  );
  return [
    ...(context["privileged"] === true ? [`everything on the node (${name} is privileged)`] : []),
    ...(windows ? [`everything on the node (${name} is a process of the host)`] : []),
    ...(context["procMount"] === "Unmasked" ? [`all of /proc (${name})`] : []),
    ...unconfined.map((key) => `no ${key === "seccompProfile" ? "seccomp" : "AppArmor"} profile (${name})`),
    ...(capabilities.length > 0 ? [`capabilities ${capabilities.sort().join(", ")} (${name})`] : []),
  ];
}
