/** TerasliceJob: a job registered with a Teraslice master; started, scaled, stopped and deleted. */

import { isObject } from "../../../foundation/json/isObject";
import { changesBetween } from "../../../foundation/pulumi/changes";
import { type ResourceHandler, UNKNOWN } from "../../../foundation/pulumi/resource";
import { isAccessChanged, isAccessOnly, replacing } from "../../../kubernetes/identity/clusterAccess";
import { isLabel, LABEL_RULE } from "../../../kubernetes/objects/names";
import { at } from "../../../kubernetes/objects/objects";
import { aboveZero, checkInputs, oneWordOf, secretsOf, type InputRules } from "../../framework/resourceSchema";
import { CLUSTER_RULES } from "../../framework/clusterFields";
import { type JobInputs, type JobState, jobResourceId, DEFAULTS, OWNER_LABEL } from "./inputs";
import { schema } from "./terasliceJobSchema";

/** The program and the master check the job itself. */
const RULES: InputRules = {
  ...CLUSTER_RULES,
  namespace: [LABEL_RULE, isLabel],
  service: [LABEL_RULE, isLabel],
  owner: [LABEL_RULE, isLabel],
  state: oneWordOf("running", "registered"),
  timeoutSeconds: aboveZero,
  responseSeconds: aboveZero,
  job(check, job, { owner }) {
    if (!isObject(job)) return check.fail("job", typeof job, "a job as an object");
    if (job["job_id"] !== undefined) check.fail("job.job_id", job["job_id"], "none: only the master gives it");
    const found = at(job, "labels", OWNER_LABEL);
    if (found !== UNKNOWN && found !== owner) check.fail(`job.labels.${OWNER_LABEL}`, found, "the owner");
  },
  assets(check, assets) {
    if (!Array.isArray(assets)) return check.fail("assets", typeof assets, "a list of {path, sha256}");
    for (const [index, asset] of (assets as unknown[]).entries()) {
      if (asset === UNKNOWN) continue;
      check.text(`assets[${index}].path`, at(asset, "path"), "the path of a zip file");
      const isDigest = (text: string) => /^[0-9a-f]{64}$/.test(text);
      check.text(`assets[${index}].sha256`, at(asset, "sha256"), "64 hexadecimal digits", isDigest);
    }
  },
  footprint: ["objects as the documents of a YAML text", () => true],
};

// The code that connects to a master is loaded on demand: most updates only compute a diff.
const work = {
  move: () => import("./move.js"),
  apply: () => import("./applyJob.js"),
  read: () => import("./read.js"),
  destroy: () => import("./destroy.js"),
};

const REPLACES = ["namespace", "service", "owner"];
/** Time limits: a change of them alone needs no update. */
const IDLE = /^(timeoutSeconds|responseSeconds)$/;

export const terasliceJob: ResourceHandler<JobInputs, JobState> = {
  secretProperties: secretsOf(schema),

  check: (_context, given) => Promise.resolve(checkInputs(schema, given, RULES, { defaults: DEFAULTS })),

  async diff(context, _id, old, inputs) {
    const changes = changesBetween(old.inputs, inputs, REPLACES);
    if (Object.keys(changes).every((path) => IDLE.test(path))) return { changes: {} };
    if (!isAccessChanged(old.inputs, inputs)) return { changes, deleteBeforeReplace: true };
    const { expectedCluster, movedJob } = await work.move();
    const verdict = await expectedCluster(context, movedJob(old, inputs, context));
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
      await requireSameCluster(context, movedJob(old, inputs, context));
    }
    const { clusterUid, unsettled } = old.state;
    const isWritten = clusterUid !== undefined && unsettled === undefined;
    if (isWritten && isAccessOnly(changesBetween(old.inputs, inputs))) return old.state;
    const { applyJob, previewJob } = await work.apply();
    return (context.preview ? previewJob : applyJob)(context, inputs, old);
  },

  async delete(context, _id, old) {
    const { destroyJob } = await work.destroy();
    await destroyJob(context, old);
  },
};
