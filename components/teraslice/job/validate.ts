import * as z from "zod";
import { isObject } from "../../../foundation/json/isObject";
import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { faultsOf, type FaultContext } from "../../../foundation/schema/issues";
import { didYouMean } from "../../../foundation/text/nearest";
import type { TerasliceSettings } from "../settings";
import { Findings, type JobFault } from "./checks/findings";
import { checkLabels, checkName } from "./checks/names";
import { checkAssets } from "./checks/assets";
import { checkOperations } from "./checks/operations";
import { checkPods } from "./checks/pods";
import { checkPorts } from "./checks/ports";
import { checkVolumes } from "./checks/volumes";
import { NAMELESS } from "./fields";
import { jobNameLabel } from "./footprint/names";
import type { JsonMap } from "./merge";
import { TOOLS_KEY } from "./settings";
import { jobShape, type JobKey } from "./shape";

const MIB = 2 ** 20;
/** Minimum memory that Node.js needs. */
const LEAST_MEMORY = 64 * MIB;

/**
 * Checks resources: old and new names are not mixed, limits are not below requests, memory is in bytes, and workers are
 * a number.
 */
function checkResources(findings: Findings): void {
  const { job } = findings;
  for (const type of ["cpu", "memory"] as const) {
    const news = ([`resources_requests_${type}`, `resources_limits_${type}`] as const).filter(
      (key) => job[key] !== undefined,
    );
    if (job[type] !== undefined && news.length > 0) {
      const both = `${job[type]} beside ${news.join(" and ")}`;
      findings.errorOf([type], both, `either ${type} or resources_…_${type}, because a master refuses a mix of them`);
    }
    const request = job[`resources_requests_${type}`];
    const limit = job[`resources_limits_${type}`];
    if (request !== undefined && limit !== undefined && limit < request) {
      findings.error([`resources_limits_${type}`], `at least resources_requests_${type}, which is ${request}`);
    }
  }
  const memories = [
    "memory",
    "resources_requests_memory",
    "resources_limits_memory",
    "memory_execution_controller",
  ] as const;
  for (const key of memories) {
    const bytes = job[key];
    if (bytes === undefined || bytes >= LEAST_MEMORY) continue;
    findings.warning([key], String(bytes), `at least ${LEAST_MEMORY}`, "memory is in bytes");
  }
  const unbounded = job.resources_requests_memory !== undefined && job.resources_limits_memory === undefined;
  if (unbounded && job.env_vars?.["NODE_OPTIONS"] === undefined) {
    const expected = "a limit too, because a master bounds the heap of workers by the limit only";
    findings.warning(["resources_limits_memory"], "nothing", expected);
  }
  if (job.workers === undefined && findings.place.root["workers"] === undefined) {
    const expected = "a number, because a master takes one for each CPU of its own node, 5 at most";
    findings.warning(["workers"], "nothing", expected);
  }
}

const KNOWN = ["key", "value", "constraint"];

/** Checks that a node can match all required targets at once. */
function checkTargets(findings: Findings): void {
  const { job, settings } = findings;
  const required = new Map<string, { readonly value: string; readonly whose: string }>();
  for (const { key, value } of settings.teraslice.execution_controller_targets ?? []) {
    required.set(key, { value, whose: "teraslice.execution_controller_targets" });
  }
  for (const [index, target] of (job.targets ?? []).entries()) {
    for (const key of Object.keys(target).filter((each) => !KNOWN.includes(each))) {
      const expected = `one of ${KNOWN.join(", ")}`;
      const found = "an unknown key, of which a master takes no notice";
      findings.warning(["targets", index, key], found, expected, didYouMean(key, KNOWN));
    }
    if ((target.constraint ?? "required") !== "required") continue;
    const other = required.get(target.key);
    if (other !== undefined && other.value !== target.value) {
      const expected = `${JSON.stringify(other.value)}, as in ${other.whose}`;
      const hint = "no node has both; to allow either, make them preferred, or use pod_spec_override";
      findings.error(["targets", index, "value"], expected, hint);
    }
    if (other === undefined) required.set(target.key, { value: target.value, whose: `targets[${index}]` });
  }
}

export type { JobFault } from "./checks/findings";

const KEYS = Object.keys(jobShape) as JobKey[];

/** Fields that a master adds to a job and manages itself. */
const ANSWERED = new Set(["_context", "_created", "_updated", "_deleted", "_deleted_on", "ex", "ex_id", "relocatable"]);

const jobSchema = z.looseObject(jobShape);

/**
 * All faults of a job for this master: what the master rejects, and what Kubernetes would reject later. With
 * `isSecret`, messages contain no values of the job.
 */
export function jobFaults(job: unknown, settings: TerasliceSettings, isSecret = false): readonly JobFault[] {
  if (!isObject(job)) {
    const found = Array.isArray(job) ? "a list" : job === null ? "null" : typeof job;
    return [{ ...mismatch([], found, "a job, which is an object with operations"), level: "error" }];
  }
  const secretKeys = new Set(isSecret ? Object.keys(job) : []);
  const place: FaultContext = { root: job, schema: jobSchema, secretKeys };
  const faults: Fault[] = [];
  const shaped: Record<string, unknown> = {};
  // Checks each key separately, so that a fault in one does not hide faults in others.
  for (const key of KEYS) {
    const result = jobShape[key].safeParse(place.root[key]);
    if (!result.success) faults.push(...faultsOf(result.error.issues, [key], place));
    else if (result.data !== undefined) shaped[key] = result.data;
  }
  const findings = new Findings(shaped, settings, place, isSecret);
  for (const fault of faults) findings.add("error", fault);
  const checks = [checkKeys, checkName, checkLabels, checkResources, checkTargets, checkVolumes, checkPorts];
  for (const check of [...checks, checkAssets, checkOperations, checkPods]) check(findings);
  return findings.faults;
}

/** Warns about keys that masters store but ignore. */
function checkKeys(findings: Findings): void {
  for (const key of Object.keys(findings.place.root)) {
    if (Object.hasOwn(jobShape, key) || key === TOOLS_KEY) continue;
    if (key === "job_id") {
      findings.error([key], "none, because a master gives it", "omit it");
    } else if (ANSWERED.has(key)) {
      findings.warning([key], "a key that a master writes itself", "none", "omit it");
    } else {
      const found = "an unknown key, of which a master takes no notice";
      findings.warning([key], found, "a key that Teraslice documents", didYouMean(key, KEYS));
    }
  }
}

/** Jobs whose objects would have equal names: index to the index of the earlier job. */
export function sameNames(jobs: readonly JsonMap[]): ReadonlyMap<number, number> {
  const labels = jobs.map(({ name }) => jobNameLabel(typeof name === "string" ? name : NAMELESS));
  const pairs = labels.map((label, index): [number, number] => [index, labels.indexOf(label)]);
  return new Map(pairs.filter(([index, first]) => first < index));
}
