import { ConfigError } from "../../components/config/faults";
import { projectFiles } from "../../components/config/files";
import { decodeTerasliceAlone } from "../../components/config/teraslice/alone";
import type { TerasliceConfig } from "../../components/teraslice/job/settings";
import { describedStack } from "../delivery/stacks";
import { Failure } from "../errors";

type JsonMap = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is JsonMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Teraslice as a stack's file describes it, also when it is turned off. Of its jobs there is the one called `job`, if it
 * has that, so that faults of others are nobody's trouble; what is encrypted in it is not decrypted.
 */
export async function describedTeraslice(root: string, stack: string, job: string): Promise<TerasliceConfig> {
  const { config, file } = await describedStack(root, stack);
  try {
    const described = decodeTerasliceAlone(withJob(config, job), projectFiles(root));
    if (described !== undefined) return described;
  } catch (error) {
    throw error instanceof ConfigError ? new Failure(error.message) : error;
  }
  throw new Failure(`${file} has no stackyard:teraslice; the settings of a master are what pods of jobs follow from`);
}

function withJob(config: JsonMap, name: string): JsonMap {
  const { teraslice } = config;
  if (!isMap(teraslice) || !isMap(teraslice["jobs"])) return config;
  const jobs = Object.fromEntries(Object.entries(teraslice["jobs"]).filter(([key]) => key === name));
  return { ...config, teraslice: { ...teraslice, jobs: readable(jobs) } };
}

/** Stands for what a stack file has encrypted. */
const ENCRYPTED = "encrypted";

function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (!isMap(value)) return value;
  if (Object.keys(value).length === 1 && typeof value["secure"] === "string") return ENCRYPTED;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, readable(each)]));
}
