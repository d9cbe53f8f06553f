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
