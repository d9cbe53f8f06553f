import type { Assets } from "./assets";
import { Refusal, type Doc } from "./refusal";

/** Validates a job like v3.14, and completes it with defaults and asset ids. */
export function valid(body: unknown, assets: Assets): Doc {
  const job = body as Doc;
  const ids = listOf(job["assets"]).length > 0 ? assets.resolve(listOf(job["assets"]).map(String)) : job["assets"];
  checkNames(job);
  const fault = faultOf(job);
  if (fault !== undefined) {
    throw new Refusal(500, `Validation failed for job config: ${String(job["name"])} - ${fault}`);
  }
  // Stored before it is parsed as a duration: the index only accepts numbers.
  if (Number.isNaN(Number(job["probation_window"] ?? 0))) {
    const why = "mapper_parsing_exception: failed to parse field [probation_window] of type [integer]";
    throw new Refusal(400, `Failure to create job, caused by ${why}`);
  }
  return { ...DEFAULTS, ...job, assets: ids };
}

const DEFAULTS = {
  active: true,
  analytics: true,
  apis: [],
  autorecover: false,
  lifecycle: "once",
  max_retries: 3,
  name: "Custom Job",
  probation_window: 300_000,
  slicers: 1,
  workers: 5,
};

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const isMap = (value: unknown): value is Doc => typeof value === "object" && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";

/** `name@asset` requires that asset in the job's list. */
function checkNames(job: Doc): void {
  const known = listOf(job["assets"]).map(String);
  for (const [list, key] of [
    ["operations", "_op"],
    ["operations", "_api_name"],
    ["apis", "_name"],
  ] as const) {
    for (const each of listOf(job[list])) {
      const [name, asset] = textOf((each as Doc | null)?.[key]).split("@");
      if (asset === undefined || known.includes(asset.replace(/:[^:]*$/, "")) || known.includes(asset)) continue;
      const what = `could not find the hashID for asset identifier ${asset}`;
      throw new Refusal(500, `Invalid ${key === "_name" ? "api" : "operation"} name for ${key}: ${name}, ${what}`);
    }
  }
}

function faultOf(job: Doc): string | undefined {
  const { operations, apis = [], lifecycle, assets, cpu, memory } = job;
  if (!Array.isArray(operations) || operations.length < 2) {
    return "Operations need to be of type array with at least two operations in it";
  }
  if (!operations.every(isMap)) return "Invalid Operation config in operations";
  if (!operations.every((one: Doc) => typeof one["_op"] === "string")) return "_op is required";
  if (!isEmpty(assets) && !(Array.isArray(assets) && assets.every((one) => typeof one === "string"))) {
    return "assets needs to be an array of strings";
  }
  if (!["once", "persistent", undefined].includes(lifecycle as string))
    return "lifecycle: must be one of once, persistent";
  for (const key of ["workers", "slicers"]) {
    if (job[key] !== undefined && !(Number.isInteger(Number(job[key])) && Number(job[key]) > 0)) {
      return `${key}: must be valid integer greater than zero`;
    }
  }
  const names = listOf(apis).map((api) => (api as Doc)["_name"]);
  if (names.some(isEmpty)) return "API requires an _name";
  if (new Set(names).size < names.length) return "Duplicate API configurations found";
  for (const key of ["labels", "env_vars"]) {
    if (job[key] === undefined || job[key] === null) continue;
    if (!isMap(job[key])) return `${key}: must be object`;
    if (Object.values(job[key]).some(isEmpty)) return `${key}: value must be not empty`;
  }
  for (const [key, need] of [
    ["targets", "value"],
    ["volumes", "path"],
  ] as const) {
    const wrong = listOf(job[key]).some((one) => isEmpty((one as Doc)[need]));
    if (wrong) return `${key}: needs to have a ${need}`;
  }
  if (listOf(job["external_ports"]).includes(45_680)) return "Port 45680 cannot be included in external_ports";
  const mixed = (old: unknown, unit: string): boolean =>
    Boolean(old) && Boolean(job[`resources_limits_${unit}`] ?? job[`resources_requests_${unit}`]);
  if (mixed(cpu, "cpu") || mixed(memory, "memory")) {
    return "cpu/memory can't be mixed with resource settings of the same type.";
  }
  return undefined;
}
