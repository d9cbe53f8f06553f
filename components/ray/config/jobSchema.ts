import * as z from "zod";
import {
  checkedText,
  count,
  flag,
  matching,
  oneOf,
  positive,
  strict,
  stringMap,
} from "../../../foundation/schema/fields";

/** Schema of `ray.<name>.jobs`: jobs of a Ray cluster by name. */

const FIELD = String.raw`[\dA-Za-z*?/,-]+`;
/** What the fields of a schedule may be, in their order. */
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

/** Whether the numbers of each field are in its range; names of months and days are Kubernetes' to read. */
const isInRange = (cron: string): boolean =>
  cron.split(" ").every((field, index) => {
    const [least, most] = RANGES[index] ?? [0, 59];
    const numbers = field.replace(/\/\d+/g, "").match(/(?<![A-Za-z\d])\d+/g) ?? [];
    return (
      cron.startsWith("@") ||
      (!/\/0+(?!\d)/.test(field) && numbers.every((one) => Number(one) >= least && Number(one) <= most))
    );
  });

const CRON = new RegExp(`^(@(yearly|annually|monthly|weekly|daily|midnight|hourly)|${FIELD}( ${FIELD}){4})$`);

const schedule = strict("an object with cron", {
  cron: checkedText(
    "five fields as of cron, such as 0 3 * * *, or @daily",
    (cron) => (CRON.test(cron) && isInRange(cron) ? undefined : ""),
    CRON,
  ).describe("When the job runs, as `schedule` of a CronJob of Kubernetes."),
  timeZone: matching(/^[A-Za-z]+([/_+-][A-Za-z0-9_+-]+)*$/, "a time zone such as Europe/Berlin")
    .refine(isTimeZone, { error: "a time zone such as Europe/Berlin" })
    .optional()
    .describe("Time zone of `cron`. Default: that of the cluster's controller manager, usually UTC."),
  concurrencyPolicy: oneOf(["Allow", "Forbid", "Replace"])
    .default("Forbid")
    .describe(
      "What happens if the last run is not over: both run, the new one is skipped, or the last one is stopped.",
    ),
  suspend: flag().default(false).describe("`true`: no new runs."),
  startingDeadlineSeconds: count("a whole number of seconds from 1")
    .optional()
    .describe("Seconds by which a run may start too late. Default: any, but at most 100 missed runs."),
  successfulJobsHistoryLimit: count("a whole number from 0 to 100", 100, 0)
    .default(3)
    .describe("Number of successful runs whose Jobs and logs stay in Kubernetes."),
  failedJobsHistoryLimit: count("a whole number from 0 to 100", 100, 0)
    .default(1)
    .describe("Number of failed runs whose Jobs and logs stay in Kubernetes."),
});

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false; // Unknown to the database of time zones.
  }
}

const job = strict("an object with entrypoint", {
  entrypoint: matching(/\S/, "a command line").describe("Command line, which Ray runs in a shell."),
  workingDir: matching(/^[^\n{}]*[^\s{}]$/, "a folder or a URI")
    .optional()
    .describe(
      "The job runs in a copy of this folder, relative to the project folder, or of this archive, such as `s3://bucket/job.zip`. Default: none.",
    ),
  runtimeEnv: z
    .record(z.string(), z.unknown(), { error: "an object as of Ray, such as one with pip and env_vars" })
    .default({})
    .describe("Runtime environment, with the keys that Ray documents, such as `pip` and `env_vars`."),
  cpus: positive("a number of CPUs above 0")
    .optional()
    .describe("CPUs that the entrypoint itself reserves, besides its tasks. Default: none; it runs on the head."),
  gpus: positive("a number of GPUs above 0").optional().describe("GPUs that the entrypoint itself reserves."),
  memoryGb: positive("a number of GB above 0").optional().describe("Memory in GB that the entrypoint itself reserves."),
  resources: z
    .record(z.string(), positive("a number above 0"), { error: "an object of numbers by resource" })
    .optional()
    .describe("Custom resources that the entrypoint itself reserves."),
  metadata: stringMap("texts")
    .refine((given) => !Object.keys(given).some((key) => key.startsWith("stackyard")), {
      error: "keys that do not begin with stackyard",
    })
    .default({})
    .describe("Metadata that Ray's dashboard shows with the job."),
  retries: count("a whole number from 0 to 100", 100, 0).default(0).describe("How often a failed run is repeated."),
  waitFor: oneOf(["completed", "running"])
    .optional()
    .describe("What an update waits for. Only for jobs without a schedule. Default: `completed`."),
  timeoutSeconds: count("a whole number of seconds from 1")
    .default(3600)
    .describe("Seconds until the job must be completed, or run, with all retries. It is stopped then."),
  schedule: schedule
    .optional()
    .describe("Runs the job again and again, by a CronJob. Default: it runs once, and again when it changes."),
});

export const jobsSchema = z
  .record(
    matching(
      /^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/,
      "a name of a-z, 0-9 and inner -, a letter first, 40 characters at most",
    ),
    job,
    { error: "an object of jobs by name" },
  )
  .default({});

export type JobInput = z.output<typeof job>;

/** A checked job of a Ray cluster. */
export interface RayJobSettings extends Omit<JobInput, "workingDir"> {
  readonly key: string;
  /** Its folder, relative to the project folder. Not set if it has none, or a URI. */
  readonly folder?: { readonly path: string; readonly sha256: string };
  /** Files of the folder; only for jobs with a schedule. */
  readonly content?: ReadonlyMap<string, Buffer>;
  /** Archive that Ray fetches. */
  readonly uri?: string;
  /** Whether its runtime environment may contain a secret of the stack config. */
  readonly isSecret: boolean;
}
