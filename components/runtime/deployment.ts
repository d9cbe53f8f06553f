import * as z from "zod";
import { isObject } from "../../foundation/json/isObject";
import { ConfigError, type Fault, mismatch } from "../../foundation/schema/faults";
import { count, matching, oneOf, positive, PROVISIONER_NAME, strict } from "../../foundation/schema/fields";
import { faultsOf, reservedKeys, type FaultContext, unknownKey } from "../../foundation/schema/issues";
import { misspelt } from "../namespaces/config/namespaces";
import { DEPLOYMENT_ID } from "./names";
import type { Deployment } from "./request/deployment";
import { clusterSchema } from "./request/cluster/schema";
import { kymaSchema } from "./request/kyma/schema";
import { registrationSchema } from "./request/registration";
import { clusterVersion } from "./request/version";
import { withoutUndefined } from "../../foundation/json/withoutUndefined";

/**
 * Schema of a runtime stack's config. The decoder and `stackyard-runtime.schema.json` are derived from it, so every
 * field describes its meaning, unit and default.
 */

const annotation = z.string({ error: "a text" });
const environment = matching(/^[A-Za-z0-9._-]{1,63}$/, "a name of A-Z a-z 0-9 . _ -, 63 characters at most");
const provisioner = matching(PROVISIONER_NAME, "a legal name: a-z, 0-9 and inner -, 40 characters at most");
/** A claim, with or without its namespace. */
export const KEPT_DISK = /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?\/)?[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
const KEPT_DISK_EXPECTED = "the name of a kept disk, as stackyard runtime disks lists it";

const SLOTS = "a whole number from 1";
const VERSION = 'an image tag in quotes, such as "0.50.2"';

/** Fields of a deployment without its id. Entries of a file with many deployments have the same fields. */
export const deploymentShape = {
  slots: count(SLOTS, 100_000)
    .optional()
    .describe(
      "Number of slots, which determines CPU, memory and disk. Required without `cluster`; default with it: 1.",
    ),
  version: matching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, VERSION)
    .optional()
    .describe("Tag of the runtime's image. Required without `cluster`; with it, derived from the cluster."),
  environment: environment.default("prod").describe("Environment of the deployment."),
  diskGb: positive("a number of GiB above 0")
    .optional()
    .describe(
      "Disk in GiB. Default: the disk of its slots, or the existing disk if that is larger. It may grow; a smaller disk than the existing one is an error.",
    ),
  annotations: z
    .record(z.string(), annotation, { error: "an object of texts" })
    .default({})
    .describe("Values for the templates, available as `.Annotations`."),
  provisioner: provisioner
    .optional()
    .describe("Name of the provisioner. Default: the environment's default, else the platform's."),
  resources: strict("an object with clickhouse", {
    clickhouse: strict("an object, empty for the platform's default one", {
      provisioner: provisioner
        .optional()
        .describe("Name of the ClickHouse provisioner. Default: the platform's default, or the only one."),
      passwordVersion: count("a whole number from 1")
        .optional()
        .describe("Increase it to give this deployment a new password. Default: 1."),
    })
      .optional()
      .describe(
        "A ClickHouse database; `{}` for the default provisioner. Default: none. If you remove it, the database is kept and its user is dropped.",
      ),
  })
    .optional()
    .describe("What the deployment gets in addition to its runtime."),
  cluster: clusterSchema
    .optional()
    .describe("The cluster that a provisioner of type `gardener` creates; `{}` for the provisioner's defaults."),
  kyma: kymaSchema.optional().describe("Kyma in that cluster. Default: none."),
  runtime: registrationSchema.optional().describe("Registration of that cluster in a Director."),
  state: oneOf(["running", "hibernated"])
    .default("running")
    .describe("`hibernated` scales the runtime to zero and keeps its disk or slots."),
  protected: z
    .boolean({ error: "true or false" })
    .optional()
    .describe(
      "`true`: whatever would delete its disk, database, cluster or slots is refused, such as a move and destroy. Set by `stackyard runtime protect`. Default: false.",
    ),
};

const fields = strict("an object with slots and version, or cluster", {
  id: matching(DEPLOYMENT_ID, "1 to 100 of A-Z a-z 0-9 . _ -")
    .optional()
    .describe("Id of the deployment. The names of the runtime's objects contain it. Default: the stack's name."),
  ...deploymentShape,
});

/** A deployment has either slots and a version, or a cluster. */
const deployment = fields
  .superRefine(
    (asked, context) => {
      const { cluster, kyma, version } = asked;
      const wrong = (key: keyof typeof deploymentShape, message: string): void =>
        context.addIssue({ code: "custom", path: [key], message });
      if (cluster === undefined) {
        if (asked.slots === undefined) wrong("slots", SLOTS);
        if (version === undefined) wrong("version", VERSION);
        if (kyma !== undefined) wrong("kyma", "nothing without cluster");
        if (asked.runtime !== undefined) wrong("runtime", "nothing without cluster");
        return;
      }
      const own = clusterVersion(asked);
      if (version !== undefined && version !== own) {
        wrong("version", `nothing beside cluster, whose version is that of Kyma or Kubernetes: ${own}`);
      }
      if (asked.diskGb !== undefined) wrong("diskGb", "nothing beside cluster");
    },
    { when: ({ value }) => isObject(value) },
  )
  .meta({ anyOf: [{ required: ["slots", "version"] }, { required: ["cluster"] }] });

/** Namespace of a runtime stack's config. */
export const RUNTIME_NAMESPACE = "stackyard-runtime";

/** Schemas of the keys in that namespace. */
export const runtimeShape = {
  platform: matching(
    /^[\w.-]+(\/[\w.-]+){2}$/,
    "a stack as organization/project/stack, such as organization/stackyard/dev",
  ).describe(
    "The platform stack, as organization/project/stack. For backends without organizations, the organization is `organization`.",
  ),
  deployment: deployment.describe("The requested deployment."),
  move: provisioner
    .optional()
    .describe(
      "Provisioner to which the runtime may move, once. With the current provisioner, the runtime may move within it: to another host of the pool, or to the namespace or cluster that the provisioner has now.",
    ),
  command: matching(/^[\x20-\x7e]{1,100}$/, "1 to 100 printable characters")
    .optional()
    .describe("Command that updates the stack, recorded in its state. Default: pulumi up."),
  base: matching(/^(?:none|[0-9a-f]{16})$/, "a digest of 16 hex digits, or none")
    .optional()
    .describe(
      "Digest of the request that this one is based on. The update fails if the state has another request now.",
    ),
  operation: matching(/^[A-Za-z0-9-]{1,64}$/, "the id of an operation")
    .optional()
    .describe("Id of the service's operation that updates the stack. The cluster gets it as an annotation."),
  only: oneOf(["cluster"])
    .optional()
    .describe(
      "`cluster`: create or change the cluster without waiting until that is done, and change nothing inside the cluster.",
    ),
  adopt: matching(/^[0-9a-f-]{8,64}$/, "an owner id, as objects have it in stackyard.dev/owner-id")
    .optional()
    .describe(
      "Owner id of objects whose stack was lost. A new stack takes them over unchanged. See `stackyard runtime adopt`.",
    ),
  disk: matching(KEPT_DISK, KEPT_DISK_EXPECTED)
    .optional()
    .describe("Kept disk that a new runtime uses. Default: a new disk. See `stackyard runtime disks`."),
  deployed: z
    .string({ error: "the name of a stack" })
    .optional()
    .describe(
      "Stack whose runtime this file describes, written by commands. While that stack has no runtime, the file is left from a destroyed one and is not applied.",
    ),
};

export type RuntimeKey = keyof typeof runtimeShape;

/** Keys whose value is text. The values of other keys are JSON. */
export const RUNTIME_TEXT_KEYS: ReadonlySet<string> = new Set<RuntimeKey>([
  "platform",
  "move",
  "command",
  "base",
  "operation",
  "only",
  "adopt",
  "disk",
  "deployed",
]);

type RuntimeValues = z.output<z.ZodObject<typeof runtimeShape>>;

/** Decoded config of a runtime stack, with all defaults. */
export interface RuntimeConfig extends Omit<RuntimeValues, "deployment"> {
  readonly deployment: Deployment;
}

/**
 * Decodes the values of the namespace by key, as parsed JSON. `allKeys`: with their namespaces, to find misspelled
 * ones. Throws one error with every fault.
 */
export function decodeRuntimeConfig(
  values: Readonly<Record<string, unknown>>,
  stack: string,
  allKeys: readonly string[] = [],
): RuntimeConfig {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ""));
  const place: FaultContext = { root: given, schema: z.object(runtimeShape), secretKeys: new Set() };
  const faults: Fault[] = Object.keys(given)
    .filter((key) => !Object.hasOwn(runtimeShape, key))
    .map((key) => unknownKey([key], Object.keys(runtimeShape)));
  faults.push(...reservedKeys(given), ...misspelt(allKeys, RUNTIME_NAMESPACE));
  // Each key by itself, so that a fault in one does not hide those of another.
  const taken = Object.entries(runtimeShape).map(([key, schema]) => {
    const result = schema.safeParse(given[key]);
    if (!result.success) faults.push(...faultsOf(result.error.issues, [key], place));
    return [key, result.data] as const;
  });
  const { platform, deployment: asked, ...once }: Partial<RuntimeValues> = Object.fromEntries(taken);
  if (asked !== undefined && asked.id === undefined && !DEPLOYMENT_ID.test(stack)) {
    const found = `nothing, and the stack's name ${JSON.stringify(stack)}`;
    faults.push(mismatch(["deployment", "id"], found, "an id of 1 to 100 of A-Z a-z 0-9 . _ -"));
  }
  if (faults.length > 0 || platform === undefined || asked === undefined) {
    throw new ConfigError(faults, RUNTIME_NAMESPACE, "The runtime stack's");
  }
  const present = withoutUndefined(once);
  // Omits what has no effect, so that equal requests have equal records.
  const { resources, slots = 1, version = clusterVersion(asked), protected: isProtected, ...rest } = asked;
  const kept = isProtected === true ? { protected: true } : {};
  const wanted = resources?.clickhouse === undefined ? {} : { resources };
  return { platform, deployment: { slots, version, ...rest, ...wanted, ...kept, id: asked.id ?? stack }, ...present };
}
