import { ConfigError } from "../../foundation/schema/faults";
import { projectFiles } from "../../foundation/schema/files";
import { decodeTerasliceAlone } from "../../components/teraslice/config/alone";
import type { TerasliceConfig } from "../../components/teraslice/job/settings";
import { SINGLE } from "../../components/teraslice/settings";
import type { TerasliceOptions } from "./options";
import { describedStack } from "../project/stacks";
import { Failure } from "../../foundation/errors";
import { whichMaster } from "./which";
import { isObject } from "../../foundation/json/isObject";

type JsonMap = Readonly<Record<string, unknown>>;

/**
 * Returns Teraslice from a stack's file, even if it is disabled. Only the job `job` is included, so that faults in
 * other jobs don't matter. Encrypted values stay encrypted.
 */
export async function describedTeraslice(
  root: string,
  { stack, cluster }: TerasliceOptions,
  job: string,
): Promise<TerasliceConfig> {
  const { config, file } = await describedStack(root, stack);
  const named = isObject(config["terasliceClusters"]) ? Object.keys(config["terasliceClusters"]) : [];
  const names = [...(config["teraslice"] === undefined ? [] : [SINGLE]), ...named];
  const none = `${file} has no stackyard:teraslice; the settings of a master are what pods of jobs follow from`;
  if (names.length === 0) throw new Failure(none);
  const name = whichMaster(cluster, names, file);
  const base = name === SINGLE ? ["teraslice"] : ["terasliceClusters", name];
  try {
    const described = decodeTerasliceAlone(withJob(config, base, job), projectFiles(root), base);
    if (described !== undefined) return described;
  } catch (error) {
    throw error instanceof ConfigError ? new Failure(error.message) : error;
  }
  throw new Failure(none);
}

function withJob(config: JsonMap, [key = "", ...inner]: readonly string[], name: string): JsonMap {
  const [cluster] = inner;
  const all = config[key];
  if (cluster !== undefined) return isObject(all) ? { ...config, [key]: withJob(all, [cluster], name) } : config;
  if (!isObject(all) || !isObject(all["jobs"])) return config;
  const jobs = Object.fromEntries(Object.entries(all["jobs"]).filter(([each]) => each === name));
  return { ...config, [key]: { ...all, jobs: readable(jobs) } };
}

/** Placeholder for an encrypted value in a stack file. */
const ENCRYPTED = "encrypted";

function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (!isObject(value)) return value;
  if (Object.keys(value).length === 1 && typeof value["secure"] === "string") return ENCRYPTED;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, readable(each)]));
}
