/** RayJob: a job of a Ray cluster; submitted when it is created or changed, and stopped when it is deleted. */

import { isObject } from "../../../foundation/json/isObject";
import { renderPath } from "../../../foundation/schema/faults";
import { changesBetween } from "../../../foundation/pulumi/changes";
import type { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { hasUnknown, type ResourceHandler } from "../../../foundation/pulumi/resource";
import { runtimeEnvFaults } from "../../../foundation/rayJob/rayJob";
import { isAccessChanged, replacing } from "../../../kubernetes/identity/clusterAccess";
import { isLabel, LABEL_RULE } from "../../../kubernetes/objects/names";
import { at } from "../../../kubernetes/objects/objects";
import { aboveZero, checkInputs, oneWordOf, secretsOf, type InputRules } from "../../framework/resourceSchema";
import { CLUSTER_RULES } from "../../framework/clusterFields";
import { DEFAULTS, jobResourceId, type JobInputs, type JobState } from "./inputs";
import { schema } from "./rayJobSchema";
import { OWNER_KEY } from "./runs";

const RULES: InputRules = {
  ...CLUSTER_RULES,
  namespace: [LABEL_RULE, isLabel],
  service: [LABEL_RULE, isLabel],
  owner: [LABEL_RULE, isLabel],
  tokenSecret: ["the name of a Secret"],
  entrypoint: ["a command line", (text) => text.trim() !== ""],
  waitFor: oneWordOf("completed", "running"),
  timeoutSeconds: aboveZero,
  retries(check, retries) {
    if (retries !== 0) check.count("retries", retries);
  },
  workingDir(check, folder) {
    check.text("workingDir.path", at(folder, "path"), "the path of a folder");
    const isDigest = (text: string) => /^[0-9a-f]{64}$/.test(text);
    check.text("workingDir.sha256", at(folder, "sha256"), "64 hexadecimal digits", isDigest);
  },
  runtimeEnv: (check, env, { workingDir }) => checkEnv(check, env, workingDir !== undefined),
  resources: (check, given) => checkMap(check, "resources", given, (path, value) => check.positive(path, value)),
  metadata: (check, given) =>
    checkMap(check, "metadata", given, (path, value, key) => {
      check.text(path, value, "a text", () => true);
      if (key.startsWith(OWNER_KEY)) check.fail(path, value, `a key that does not begin with ${OWNER_KEY}`);
    }),
};

function checkEnv(check: InputCheck, env: unknown, hasFolder: boolean): void {
  if (hasUnknown(env)) return;
  if (!isObject(env)) return check.fail("runtimeEnv", env, "an object");
  const { working_dir: uri, ...others } = env;
  for (const { path, expected } of runtimeEnvFaults(hasFolder ? env : others)) {
    // Values of variables are secrets often.
    check.fail(renderPath(["runtimeEnv", ...path]), typeof at(env, ...path), expected);
  }
  if (!hasFolder && uri !== undefined) check.text("runtimeEnv.working_dir", uri, "a URI");
}

function checkMap(
  check: InputCheck,
  name: string,
  given: unknown,
  one: (path: string, value: unknown, key: string) => void,
): void {
  if (!isObject(given)) return check.fail(name, given, "an object");
  for (const [key, value] of Object.entries(given)) one(renderPath([name, key]), value, key);
}

// The code that connects to a cluster is loaded on demand: most updates only compute a diff.
const work = {
  move: () => import("./move.js"),
  apply: () => import("./applyJob.js"),
  read: () => import("./read.js"),
  destroy: () => import("./destroy.js"),
};

const REPLACES = ["namespace", "service", "owner"];
/** How an update waits: a change of it alone needs no update. */
const IDLE = /^(timeoutSeconds|retries|waitFor|workingDir\.path)$/;

export const rayJob: ResourceHandler<JobInputs, JobState> = {
  secretProperties: secretsOf(schema),

  check: (_context, given) => Promise.resolve(checkInputs(schema, given, RULES, { defaults: DEFAULTS })),

  async diff(context, _id, old, inputs) {
    const changes = changesBetween(old.inputs, inputs, REPLACES);
    if (Object.keys(changes).every((path) => IDLE.test(path))) return { changes: {} };
    if (!isAccessChanged(old.inputs, inputs)) return { changes, deleteBeforeReplace: true };
    const { expectedCluster, movedJob } = await work.move();
    const verdict = await expectedCluster(context, movedJob(old, inputs));
    return { changes: verdict === "other" ? replacing(changes) : changes, deleteBeforeReplace: true };
  },

  async create(context, inputs) {
    const { applyJob, previewJob } = await work.apply();
    return { id: jobResourceId(inputs), state: await (context.preview ? previewJob : applyJob)(context, inputs) };
  },

  async read(context, id, old) {
    return (await work.read()).readJob(context, id, old);
  },

  async update(context, _id, old, inputs) {
    if (!context.preview && isAccessChanged(old.inputs, inputs)) {
      const { requireSameCluster, movedJob } = await work.move();
      await requireSameCluster(context, movedJob(old, inputs));
    }
    const { applyJob, previewJob } = await work.apply();
    return (context.preview ? previewJob : applyJob)(context, inputs, old);
  },

  async delete(context, _id, old) {
    await (await work.destroy()).destroyJob(context, old);
  },
};
