import type { Findings } from "./findings";

const MIB = 2 ** 20;
/** Minimum memory that Node.js needs. */
const LEAST_MEMORY = 64 * MIB;

/**
 * Checks resources: old and new names are not mixed, limits are not below requests, memory is in bytes, and workers are
 * a number.
 */
export function checkResources(findings: Findings): void {
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
