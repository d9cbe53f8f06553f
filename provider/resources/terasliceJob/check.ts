/**
 * Checks the inputs of a job and reports every fault with its path. The program and the master check the job itself.
 */

import { checkCluster } from "../../framework/clusterFields";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import type { InputFailure, Properties } from "../../../foundation/pulumi/resource";
import { at } from "../../../kubernetes/objects/objects";
import { DEFAULT_TIMEOUT_SECONDS, OWNER_LABEL } from "./inputs";
import { isLabel, LABEL_RULE } from "../../../kubernetes/objects/names";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
import { schema } from "./terasliceJobSchema";
import { isObject } from "../../../foundation/json/isObject";

export function checkJob(all: Properties): { inputs: Properties; failures: InputFailure[] } {
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
  const inputs: Properties = {
    state: "running",
    port: 5678,
    assets: [],
    footprint: "",
    timeoutSeconds: DEFAULT_TIMEOUT_SECONDS,
    ...given,
  };
  const check = new InputCheck(secretsOf(schema));
  check.keys("", given, inputsOf(schema));
  checkCluster(check, given);
  for (const key of ["namespace", "service", "owner"]) check.text(key, given[key], LABEL_RULE, isLabel);
  check.count("port", inputs["port"]);
  check.text("state", inputs["state"], "running or registered", (text) => /^(running|registered)$/.test(text));
  check.positive("timeoutSeconds", inputs["timeoutSeconds"]);
  if (given["responseSeconds"] !== undefined) check.positive("responseSeconds", given["responseSeconds"]);
  checkBody(check, inputs["job"], inputs["owner"]);
  checkAssets(check, inputs["assets"]);
  check.text("footprint", inputs["footprint"], "objects as the documents of a YAML text", () => true);
  return { inputs, failures: check.failures };
}

function checkBody(check: InputCheck, job: unknown, owner: unknown): void {
  if (job === UNKNOWN) return;
  if (!isObject(job)) return check.fail("job", typeof job, "a job as an object");
  if (job["job_id"] !== undefined) check.fail("job.job_id", job["job_id"], "none: only the master gives it");
  const found = at(job, "labels", OWNER_LABEL);
  if (found !== UNKNOWN && found !== owner) check.fail(`job.labels.${OWNER_LABEL}`, found, "the owner");
}

function checkAssets(check: InputCheck, assets: unknown): void {
  if (assets === UNKNOWN) return;
  if (!Array.isArray(assets)) return check.fail("assets", typeof assets, "a list of {path, sha256}");
  for (const [index, asset] of (assets as unknown[]).entries()) {
    if (asset === UNKNOWN) continue;
    check.text(`assets[${index}].path`, at(asset, "path"), "the path of a zip file");
    const isDigest = (text: string) => /^[0-9a-f]{64}$/.test(text);
    check.text(`assets[${index}].sha256`, at(asset, "sha256"), "64 hexadecimal digits", isDigest);
  }
}
