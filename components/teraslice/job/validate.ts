import * as z from "zod";
import { isObject } from "../../../foundation/json/isObject";
import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { faultsOf, type FaultContext } from "../../../foundation/schema/issues";
import { didYouMean } from "../../../foundation/text/nearest";
import type { TerasliceSettings } from "../settings";
import { Findings, type JobFault } from "./checks/findings";
import { checkLabels, checkName } from "./checks/names";
import { checkOperations } from "./checks/operations";
import { checkPods } from "./checks/override";
import { checkPorts } from "./checks/ports";
import { checkResources } from "./checks/resources";
import { checkTargets } from "./checks/targets";
import { checkVolumes } from "./checks/volumes";
import { NAMELESS } from "./fields";
import { jobNameLabel } from "./footprint/names";
import type { JsonMap } from "./merge";
import { TOOLS_KEY } from "./settings";
import { jobShape, type JobKey } from "./shape";

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
  for (const check of [...checks, checkOperations, checkPods]) check(findings);
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
