import { isObject } from "../../../../foundation/json/isObject";
import type { Path } from "../../../../foundation/schema/faults";
import { clusterNames } from "../../podConfig/names";
import { jobPodOverride, CONFIG_VOLUME } from "../../podConfig/secretConfig";
import type { JsonMap } from "../merge";
import type { Findings } from "./findings";

/** Lists in a pod spec that a master or its override sets. */
const LISTS = ["containers", "imagePullSecrets", "initContainers", "tolerations", "volumes"];

/** Variables that a master sets. */
const OWN_VARIABLES = ["NODE_TYPE", "EX", "POD_IP"];

/** Checks the pod fields of a job: `pod_spec_override` and `env_vars`. */
export function checkPods(findings: Findings): void {
  for (const name of OWN_VARIABLES) {
    if (findings.job.env_vars?.[name] === undefined) continue;
    findings.errorOf(["env_vars", name], `the variable ${name}`, "another, because a master sets this one itself");
  }
  const override = findings.job.pod_spec_override;
  if (override === undefined || Object.keys(override).length === 0) return;
  if (!findings.settings.teraslice.kubernetes_overrides_enabled) {
    const hint = "set teraslice.settings.kubernetes_overrides_enabled: true";
    findings.error(["pod_spec_override"], "none, because this master refuses overrides", hint);
  }
  for (const key of LISTS) {
    if (override[key] === undefined || Array.isArray(override[key])) continue;
    findings.error(["pod_spec_override", key], "a list, which is merged with the pod's by position");
  }
  checkFirstVolume(findings, override);
  checkRights(findings, override);
}

/**
 * The first volume of a pod is its configuration. An override merges lists by position, so it would change that volume.
 */
function checkFirstVolume(findings: Findings, override: JsonMap): void {
  const volumes: unknown = override["volumes"];
  const first = (Array.isArray(volumes) ? (volumes[0] as unknown) : undefined) as JsonMap | null | undefined;
  const at = ["pod_spec_override", "volumes", 0];
  if (first?.["name"] !== undefined && first["name"] !== CONFIG_VOLUME) {
    const expected = `nothing or ${CONFIG_VOLUME}, because lists are merged by position, and the first volume is the configuration`;
    findings.error([...at, "name"], expected, "put {} before it");
  }
  const writesFile = jobPodOverride(findings.settings)?.["volumes"] !== undefined;
  if (writesFile && first?.["configMap"] != null) {
    findings.error([...at, "configMap"], "nothing, because the configuration is written to memory, with its secrets");
  }
}

/** Checks that an override takes neither the master's permissions nor the node. */
function checkRights(findings: Findings, override: JsonMap): void {
  const { settings } = findings;
  const { master } = clusterNames(settings);
  for (const key of ["serviceAccountName", "serviceAccount"]) {
    if (override[key] !== master || settings.rbac === "original") continue;
    findings.error(["pod_spec_override", key], "another, because pods of the job would get the master's permissions");
  }
  const { createNamespace, protection } = settings;
  const level = createNamespace ? (protection.podSecurity ?? "baseline") : undefined;
  if (level === "privileged") return;
  for (const path of nodeAccess(override)) {
    const at = ["pod_spec_override", ...path];
    if (level === undefined) {
      const found = "access to the node";
      findings.warning(at, found, "none, because a namespace with Pod Security refuses such pods and the job waits");
    } else {
      const expected = `none, because the namespace enforces the Pod Security level ${level}, which refuses such pods`;
      findings.error(at, expected, "set teraslice.podSecurity: privileged");
    }
  }
}

/** The fields with which a pod gets access to its node, which the Pod Security level `baseline` forbids. */
function nodeAccess(override: JsonMap): Path[] {
  const listed = (key: string): [Path, JsonMap][] => {
    const list = override[key];
    const items: readonly unknown[] = Array.isArray(list) ? list : [];
    return items.flatMap((item, index): [Path, JsonMap][] => (isObject(item) ? [[[key, index], item]] : []));
  };
  const volumes = listed("volumes").filter(([, volume]) => volume["hostPath"] != null);
  const containers = ["containers", "initContainers"].flatMap(listed);
  return [
    ...["hostNetwork", "hostPID", "hostIPC"].filter((key) => override[key] === true).map((key) => [key]),
    ...volumes.map(([path]) => [...path, "hostPath"]),
    ...containers.flatMap(([path, { securityContext, ports }]) => [
      ...(isObject(securityContext) && securityContext["privileged"] === true
        ? [[...path, "securityContext", "privileged"]]
        : []),
      ...(Array.isArray(ports) ? ports : []).flatMap((port: unknown, index): Path[] =>
        isObject(port) && Boolean(port["hostPort"]) ? [[...path, "ports", index, "hostPort"]] : [],
      ),
    ]),
  ];
}
