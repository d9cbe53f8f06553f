import { perContainer, podsOf, type Pod } from "../objects";
import { at, listOf, recordsOf, textOr } from "../../foundation/json/parts";
import type { Finding, Rule } from "../rule";
import { isObject } from "../../foundation/json/isObject";

const HARMLESS = new Set(["NET_BIND_SERVICE"]);

/** Host namespaces and hostPath volumes, which give a pod access to its node. */
function hostAccess(spec: unknown): string[] {
  const flags = ["hostNetwork", "hostPID", "hostIPC"].filter((key) => at(spec, key) === true);
  const paths = recordsOf(at(spec, "volumes")).filter((volume) => isObject(volume["hostPath"]));
  return [...flags, ...paths.map((volume) => `the hostPath volume ${textOr(volume["name"], "?")}`)];
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
  const more = added.filter((name) => !HARMLESS.has(name));
  return more.length === 0
    ? undefined
    : `found the capabilities ${more.join(", ")}; expected none but NET_BIND_SERVICE`;
}

export const pods: Rule = {
  name: "unprivileged-pods",
  description: "Pods do not run as root, are not privileged, and use no namespaces or files of their node.",
  check: (asked): Finding[] => [
    ...podsOf(asked).flatMap(({ object, spec }) =>
      hostAccess(spec).map((found) => ({ part: object, message: `found ${found}; expected nothing of the host` })),
    ),
    ...perContainer(asked, rights),
  ],
};
