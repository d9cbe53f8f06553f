/** RayJob: a job of a Ray cluster; submitted when it is created or changed, and stopped when it is deleted. */

import { isObject } from "../../../foundation/json/isObject";
import { renderPath } from "../../../foundation/schema/faults";
import { changesBetween } from "../../../foundation/pulumi/changes";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import {
  hasUnknown,
  type ResourceHandler,
  UNKNOWN,
  type InputFailure,
  type Properties,
} from "../../../foundation/pulumi/resource";
import { runtimeEnvFaults } from "../../../foundation/rayJob/rayJob";
import { isAccessChanged, replacing } from "../../../kubernetes/identity/clusterAccess";
import { isLabel, LABEL_RULE } from "../../../kubernetes/objects/names";
import { at } from "../../../kubernetes/objects/objects";
import { checkCluster } from "../../framework/clusterFields";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
import { DEFAULT_TIMEOUT_SECONDS, jobResourceId, type JobInputs, type JobState } from "./inputs";
import { schema } from "./rayJobSchema";
import { OWNER_KEY } from "./runs";

/** Checks the inputs of a job and reports every fault with its path. */
function checkJob(all: Properties): { inputs: Properties; failures: InputFailure[] } {
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
  const inputs: Properties = {
    port: 8265,
    runtimeEnv: {},
    metadata: {},
    retries: 0,
    waitFor: "completed",
    timeoutSeconds: DEFAULT_TIMEOUT_SECONDS,
    ...given,
  };
  const check = new InputCheck(secretsOf(schema));
  check.keys("", given, inputsOf(schema));
  checkCluster(check, given);
  for (const key of ["namespace", "service", "owner"]) check.text(key, given[key], LABEL_RULE, isLabel);
  if (given["tokenSecret"] !== undefined) check.text("tokenSecret", given["tokenSecret"], "the name of a Secret");
  check.text("entrypoint", given["entrypoint"], "a command line", (text) => text.trim() !== "");
  check.text("waitFor", inputs["waitFor"], "completed or running", (text) => /^(completed|running)$/.test(text));
  check.count("port", inputs["port"]);
  check.positive("timeoutSeconds", inputs["timeoutSeconds"]);
  if (inputs["retries"] !== 0) check.count("retries", inputs["retries"]);
  for (const key of ["cpus", "gpus", "memoryGb"]) if (given[key] !== undefined) check.positive(key, given[key]);
  checkFolder(check, given["workingDir"]);
  checkEnv(check, inputs["runtimeEnv"], given["workingDir"] !== undefined);
  checkMap(check, "resources", given["resources"], (path, value) => check.positive(path, value));
  checkMap(check, "metadata", given["metadata"], (path, value, key) => {
    check.text(path, value, "a text", () => true);
    if (key.startsWith(OWNER_KEY)) check.fail(path, value, `a key that does not begin with ${OWNER_KEY}`);
  });
  return { inputs, failures: check.failures };
}

function checkFolder(check: InputCheck, folder: unknown): void {
  if (folder === undefined || folder === UNKNOWN) return;
  check.text("workingDir.path", at(folder, "path"), "the path of a folder");
  const isDigest = (text: string) => /^[0-9a-f]{64}$/.test(text);
  check.text("workingDir.sha256", at(folder, "sha256"), "64 hexadecimal digits", isDigest);
}

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
  if (given === undefined || given === UNKNOWN) return;
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

  check(_context, given) {
    return Promise.resolve(checkJob(given));
  },

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
