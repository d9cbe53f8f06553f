import type { Assets } from "./assets";
import { Refusal, type Doc } from "./refusal";

/** Validates a job like v3.14, and completes it with defaults and asset ids. */
export function valid(body: unknown, assets: Assets): Doc {
  const job = body as Doc;
  const ids = listOf(job["assets"]).length > 0 ? assets.resolve(listOf(job["assets"]).map(String)) : job["assets"];
  checkNames(job);
  const issues = issuesOf(job).map(([key, message]) => ({ code: "custom", path: [key], message }));
  const refuse = (why: string): never => {
    throw new Refusal(500, `Validation failed for job config: ${String(job["name"])} - ${why}`);
  };
  if (issues.length > 0) refuse(`Zod parse error: ${JSON.stringify(issues, null, 2)}`);
  if (isMixed(job)) refuse("cpu/memory can't be mixed with resource settings of the same type.");
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

type Issue = readonly [key: string, message: string];

/** The issues of a job as a master's schema library gives them: a list in JSON, over several lines. */
function issuesOf(job: Doc): Issue[] {
  const { operations, name, lifecycle, log_level } = job;
  const issue = (wrong: boolean, key: string, message: string): Issue[] => (wrong ? [[key, message]] : []);
  const needsType = (type: string) => (key: string) =>
    issue(key in job && typeof job[key] !== type, key, `Invalid input: expected ${type}, received ${typeof job[key]}`);
  const counted = (key: string) =>
    issue(
      job[key] !== undefined && !(Math.floor(Number(job[key])) > 0),
      key,
      "must be valid integer greater than zero",
    );
  const few = !Array.isArray(operations) || operations.length < 2;
  const noText = name !== undefined && (typeof name !== "string" || name === "");
  const image = job["kubernetes_image"] ?? "";
  return [
    ...issue(few, "operations", "Operations need to be of type array with at least two operations in it"),
    ...issue(!few && !operations.every(isMap), "operations", "Invalid Operation config in operations, got null"),
    ...issue(noText, "name", "This field is required and must be of type string"),
    ...issue(
      !["once", "persistent", undefined].includes(lifecycle as string),
      "lifecycle",
      'Invalid option: expected one of "once"|"persistent"',
    ),
    ...issue(
      !LEVELS.includes((log_level ?? "info") as string),
      "log_level",
      `must be one of the following: ${LEVELS.join(",")}`,
    ),
    ...["active", "analytics", "autorecover", "ephemeral_storage", "stateful"].flatMap(needsType("boolean")),
    ...["cpu", "max_retries"].flatMap(needsType("number")),
    ...issue(Number(job["max_retries"] ?? 0) < 0, "max_retries", "Too small: expected number to be >=0"),
    ...issue(
      Number(job["probation_window"] ?? 0) < 0,
      "probation_window",
      "must be a positive integer or human readable string",
    ),
    ...["workers", "slicers"].flatMap(counted),
    ...issue(
      typeof image !== "string",
      "kubernetes_image",
      "This field is optional but if specified it must be of type string",
    ),
    ...issue("pod_spec_override" in job && !isMap(job["pod_spec_override"]), "pod_spec_override", "must be object"),
    ...apisOf(job),
    ...listsOf(job),
  ];
}

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"];

function apisOf({ apis }: Doc): Issue[] {
  const names = listOf(apis).map((api) => textOf((api as Doc)["_name"]));
  if (names.includes("")) return [["apis", "API requires an _name"]];
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return twice === undefined ? [] : [["apis", `Duplicate API configurations for ${twice} found`]];
}

function listsOf(job: Doc): Issue[] {
  const issues: Issue[] = [];
  for (const key of ["labels", "env_vars"]) {
    if (job[key] === undefined || job[key] === null) continue;
    if (!isMap(job[key])) issues.push([key, "must be object"]);
    const [empty] = Object.entries(job[key]).find(([, value]) => isEmpty(value)) ?? [];
    if (empty !== undefined) issues.push([key, `value for key "${empty}" must be not empty`]);
  }
  for (const [key, needs] of [
    ["targets", ["key", "value"]],
    ["volumes", ["name", "path"]],
  ] as const) {
    if (job[key] !== undefined && !Array.isArray(job[key])) issues.push([key, "must be array"]);
    const missing = needs.find((need) => listOf(job[key]).some((one) => isEmpty((one as Doc)[need])));
    if (missing !== undefined) issues.push([key, `needs to have a ${missing}: [object Object]`]);
  }
  for (const port of listOf(job["external_ports"])) {
    if (port === 45_680) {
      issues.push(["external_ports", "Port 45680 cannot be included in external_ports, it is reserved by Teraslice."]);
    } else if (typeof port !== "number" && !isMap(port)) {
      const expected = "{name: 'myJob', port: 9000}";
      issues.push(["external_ports", `An external_ports entry must be a number or an object like ${expected}.`]);
    }
  }
  return issues;
}

/** Of cpu, memory and the settings that replace them; this rule has no schema. */
function isMixed(job: Doc): boolean {
  return ["cpu", "memory"].some(
    (unit) => Boolean(job[unit]) && Boolean(job[`resources_limits_${unit}`] ?? job[`resources_requests_${unit}`]),
  );
}
