import { objectName, objectsOf, perContainer, podsOf, type KubeObject, type Pod } from "../objects";
import {
  HARMLESS_CAPABILITIES,
  HOST_NAMESPACES,
  OWN_SELINUX,
  OWN_SYSCTL,
  PROFILES,
} from "../../foundation/kubernetes/host";
import { at, listOf, recordsOf, textOr } from "../../foundation/json/parts";
import type { Finding, Rule } from "../rule";
import { isObject } from "../../foundation/json/isObject";

/** Host namespaces, hostPath volumes and settings of the kernel, which give a pod access to its node. */
function hostAccess(spec: unknown): string[] {
  const flags = Object.keys(HOST_NAMESPACES).filter((key) => at(spec, key) === true);
  const paths = recordsOf(at(spec, "volumes")).filter((volume) => isObject(volume["hostPath"]));
  const sysctls = recordsOf(at(spec, "securityContext", "sysctls")).map(({ name }) => textOr(name, "?"));
  return [
    ...flags,
    ...paths.map((volume) => `the hostPath volume ${textOr(volume["name"], "?")}`),
    ...sysctls.filter((name) => !OWN_SYSCTL.test(name)).map((name) => `the setting ${name} of the node's kernel`),
  ];
}

/** Describes what opens the node to one container: its ports, and disabled protection. */
function openings(container: unknown, spec: unknown): string | undefined {
  // With the host's network, which is reported by itself, every port is one of the node.
  const ports = at(spec, "hostNetwork") === true ? [] : recordsOf(at(container, "ports"));
  const port = ports.map(({ hostPort }) => hostPort).find((one) => Number(one ?? 0) > 0);
  if (port !== undefined)
    return `found hostPort: ${textOr(port, "?")}; expected a Service, since it is a port of the node`;
  const context = (key: string, ...path: string[]): unknown =>
    at(container, "securityContext", key, ...path) ?? at(spec, "securityContext", key, ...path);
  const profile = Object.keys(PROFILES).find((key) => context(key, "type") === "Unconfined");
  if (profile !== undefined) return `found ${profile}.type: Unconfined; expected RuntimeDefault, or a profile`;
  if (context("procMount") === "Unmasked") return "found procMount: Unmasked; expected Default";
  const type = textOr(context("seLinuxOptions", "type"), "container_t");
  return OWN_SELINUX.has(type) ? undefined : `found seLinuxOptions.type: ${type}; expected container_t, or none`;
}

const isHostProcess = (owner: unknown): boolean =>
  at(owner, "securityContext", "windowsOptions", "hostProcess") === true;

/** Describes a security context that grants a container more than it needs; undefined if it doesn't. */
function rights(container: unknown, { spec, isPatch }: Pod): string | undefined {
  const own = (key: string): unknown => at(container, "securityContext", key);
  const either = (key: string): unknown => own(key) ?? at(spec, "securityContext", key);
  if (own("privileged") === true)
    return "found privileged: true; expected false, because such a container controls its node";
  if (isHostProcess(container) || isHostProcess(spec))
    return "found windowsOptions.hostProcess: true; expected false, because such a container controls its node";
  // The remaining fields do not apply to Windows pods, and the API server rejects most of them.
  if (at(spec, "os", "name") === "windows") return undefined;
  if (either("runAsUser") === 0) return "found runAsUser: 0; expected a user that is not root";
  if (!isPatch && either("runAsNonRoot") !== true)
    return "found no runAsNonRoot: true; expected it, here or for the whole pod";
  if (isPatch ? own("allowPrivilegeEscalation") === true : own("allowPrivilegeEscalation") !== false) {
    return "found no allowPrivilegeEscalation: false; expected it, so that no program becomes root";
  }
  const added = listOf(at(own("capabilities"), "add")).map(String);
  const more = added.filter((name) => !HARMLESS_CAPABILITIES.has(name));
  return more.length > 0
    ? `found the capabilities ${more.join(", ")}; expected none but NET_BIND_SERVICE`
    : openings(container, spec);
}

/** A volume of this kind gives any pod that claims it files of the node. */
const hostDisk = (object: KubeObject): Finding[] =>
  object["kind"] === "PersistentVolume" && isObject(at(object, "spec", "hostPath"))
    ? [{ part: objectName(object), message: "found hostPath; expected a volume of a CSI driver, or a local one" }]
    : [];

const APPARMOR = "container.apparmor.security.beta.kubernetes.io/";

/** Before Kubernetes 1.30, an annotation of the pod disables AppArmor. */
function unconfinedByAnnotation(object: KubeObject): Finding[] {
  const annotations = [object, at(object, "spec", "template"), at(object, "spec", "jobTemplate", "spec", "template")]
    .map((pod) => at(pod, "metadata", "annotations"))
    .flatMap((each) => Object.entries(isObject(each) ? each : {}));
  const found = annotations.find(([key, value]) => key.startsWith(APPARMOR) && value === "unconfined");
  const message = `found the annotation ${found?.[0]}: unconfined; expected runtime/default, or a profile`;
  return found === undefined ? [] : [{ part: objectName(object), message }];
}

export const pods: Rule = {
  name: "unprivileged-pods",
  description: "Pods do not run as root, are not privileged, and use no namespaces or files of their node.",
  check: (asked): Finding[] => [
    ...podsOf(asked).flatMap(({ object, spec }) =>
      hostAccess(spec).map((found) => ({ part: object, message: `found ${found}; expected nothing of the host` })),
    ),
    ...objectsOf(asked).flatMap((object) => [...hostDisk(object), ...unconfinedByAnnotation(object)]),
    ...perContainer(asked, rights),
  ],
};
