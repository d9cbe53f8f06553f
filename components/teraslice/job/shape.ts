import * as z from "zod";
import { count, flag, matching, oneOf, positive, listOf } from "../../../foundation/schema/fields";
import { concealed } from "../../../foundation/schema/secretValues";
import { CONSTRAINTS } from "./fields";

/** Schemas of a job's fields, as Teraslice documents them. `checks/` has the checks across fields. */

const text = (expected: string) => matching(/\S/, expected);
const cpus = () => positive("a number of CPUs above 0", 1_000).optional();
const bytes = () => count("a whole number of bytes from 1", Number.MAX_SAFE_INTEGER).optional();
const optionalFlag = () => flag().optional();

const LABEL_KEY = /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/;
const QUOTED = "a text that is not empty, in quotes if it looks like something else";
const quoted = () => z.string({ error: QUOTED }).min(1, { error: QUOTED });
const texts = (key: z.ZodString, of: string, value = quoted()) => z.record(key, value, { error: `an object of ${of}` });

const IMAGE = /^[a-z0-9][a-z0-9._-]*(:\d+(?=\/))?(\/[a-z0-9._-]+)*(:\w[\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;

const encoding = oneOf(["json", "raw"]).nullish();
const operation = z.looseObject(
  {
    _op: text("the name of an operation"),
    _connection: text("the name of a connection").nullish(),
    _encoding: encoding,
    _api_name: z.string({ error: "the name of an API" }).nullish(),
    _dead_letter_action: z.string({ error: "throw, log, none or the name of an API" }).nullish(),
  },
  { error: "an operation, which is an object with _op" },
);
const api = z.looseObject(
  {
    _name: text("the name of an API"),
    _connection: text("the name of a connection").nullish(),
    connection: z.unknown().optional(),
    _encoding: encoding,
  },
  { error: "an API, which is an object with _name" },
);

const target = z.looseObject(
  {
    key: matching(LABEL_KEY, "the key of a label of nodes"),
    value: matching(LABEL_VALUE, "the value of a label, in quotes if it looks like something else"),
    constraint: oneOf(CONSTRAINTS).optional(),
  },
  { error: "an object with key, value and maybe constraint" },
);
const volume = z.looseObject(
  {
    name: matching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "the name of a claim: a-z, 0-9 and inner -, 63 at most"),
    path: matching(/^(?!\/+$)(?!.*\/\.\.(\/|$))\/[^:]*$/, "an absolute path below /, without : and .."),
  },
  { error: "an object with name and path" },
);

/** A master also accepts text, but then stores it in an index that supports only numbers. */
const MILLISECONDS = "milliseconds, as a whole number from 0";
const isMilliseconds = (value: unknown): boolean =>
  Number.isInteger(value) ? Number(value) >= 0 : typeof value === "string" && /^\d+$/.test(value);

export const jobShape = {
  name: text("a text that is not empty").optional(),
  active: optionalFlag(),
  analytics: optionalFlag(),
  performance_metrics: optionalFlag(),
  assets: listOf(text("the name or id of an asset"), "assets").nullish(),
  autorecover: optionalFlag(),
  lifecycle: oneOf(["once", "persistent"]).optional(),
  max_retries: z.int({ error: "a whole number from 0" }).min(0, { error: "a whole number from 0" }).optional(),
  operations: listOf(operation, "at least two operations").min(2, { error: "a list of at least two operations" }),
  apis: listOf(api, "APIs").optional(),
  probation_window: z.custom<number | string>(isMilliseconds, { error: MILLISECONDS }).optional(),
  slicers: count("a whole number from 1").optional(),
  workers: count("a whole number from 1").optional(),
  stateful: optionalFlag(),
  labels: texts(text("a key that is not empty"), "labels").nullish(),
  // Some hold secrets.
  env_vars: texts(
    matching(/^[-._A-Za-z][-._A-Za-z0-9]*$/, "a name of A-Z a-z 0-9 . _ -"),
    "variables",
    concealed(quoted()),
  ).optional(),
  log_level: oneOf(["trace", "debug", "info", "warn", "error", "fatal"]).nullish(),
  targets: listOf(target, "{key, value, constraint}").optional(),
  cpu: cpus(),
  memory: bytes(),
  resources_requests_cpu: cpus(),
  resources_limits_cpu: cpus(),
  resources_requests_memory: bytes(),
  resources_limits_memory: bytes(),
  cpu_execution_controller: cpus(),
  memory_execution_controller: bytes(),
  ephemeral_storage: optionalFlag(),
  // Each entry is checked separately, as a number or an object.
  external_ports: listOf(z.unknown(), "ports, or of {name, port}").nullish(),
  volumes: listOf(volume, "{name, path}").optional(),
  kubernetes_image: matching(IMAGE, "an image such as terascope/teraslice:v3.18.0, in lower case").nullish(),
  pod_spec_override: z.record(z.string(), z.unknown(), { error: "an object, part of the spec of a pod" }).optional(),
  prom_metrics_enabled: optionalFlag(),
  prom_metrics_port: count("a port from 1 to 65535", 65_535).optional(),
  prom_metrics_add_default: optionalFlag(),
};

export type JobKey = keyof typeof jobShape;

/** The valid fields of a job. Fields with faults are not set, and reported elsewhere. */
export type ShapedJob = { readonly [Key in JobKey]?: z.output<(typeof jobShape)[Key]> };
