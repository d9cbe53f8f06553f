import { isObject, type Json } from "../json/isObject";
import { withoutUndefined } from "../json/withoutUndefined";
import { nearest } from "../text/nearest";

/** A job of Ray: what it reserves, and what Ray would refuse in its runtime environment, or could not find. Pure. */

interface EnvFault {
  readonly path: readonly string[];
  readonly expected: string;
  readonly hint?: string;
}

const KNOWN = [
  ...["conda", "config", "container", "env_vars", "excludes", "image_uri", "java_jars", "nsight", "pip"],
  ...["py_executable", "py_modules", "rocprof_sys", "uv", "worker_process_setup_hook"],
];
const INSTALLERS = ["conda", "pip", "uv"];
const REMOTE = /^(https|s3|gs|azure|abfss|file):\/\/\S+$/;
const ARCHIVE = /\.(zip|jar|whl|tar\.gz|tgz|tar\.bz2|tar\.xz)([?#].*)?$/;

/** Whether Ray can fetch a working folder from here. */
export const isRemoteFolder = (text: string): boolean => REMOTE.test(text) && ARCHIVE.test(text);

/** Whether the text is meant as a URI, and not as a folder. */
export const isUri = (text: string): boolean => /^[a-z][a-z0-9+]*:\/\//.test(text);

export const REMOTE_FOLDER =
  "an archive at https://, s3://, gs://, azure://, abfss:// or file://, such as s3://bucket/job.zip";

/** The faults of a runtime environment, each with its path in it. */
export function runtimeEnvFaults(env: Json): EnvFault[] {
  const faults: EnvFault[] = [];
  const fault = (path: readonly string[], expected: string, hint?: string): void => {
    faults.push({ path, expected, ...(hint !== undefined && { hint }) });
  };
  if ("working_dir" in env) fault(["working_dir"], "none, because workingDir sets it");
  const installers = INSTALLERS.filter((key) => env[key] !== undefined);
  if (installers.length > 1) {
    for (const key of installers.slice(1)) fault([key], `none beside ${installers[0]}, because Ray refuses both`);
  }
  for (const key of INSTALLERS) {
    const value = env[key];
    const isFile = typeof value === "string" && (key !== "conda" || /\.ya?ml$/.test(value));
    if (isFile) fault([key], "the packages themselves, because files are not sent");
  }
  const { env_vars: variables = {}, py_modules: modules = [] } = env;
  if (!isObject(variables)) fault(["env_vars"], "an object of texts");
  for (const [name, value] of Object.entries(isObject(variables) ? variables : {})) {
    if (typeof value !== "string") fault(["env_vars", name], "a text", "put it in quotes");
  }
  if (!Array.isArray(modules) || !modules.every((uri) => typeof uri === "string" && isUri(uri))) {
    fault(["py_modules"], "a list of URIs, because folders are not sent");
  }
  return faults;
}

/** Warnings for keys that Ray knows only with a plugin, by path. */
export function unknownKeys(env: Json): EnvFault[] {
  return Object.keys(env)
    .filter((key) => key !== "working_dir" && !KNOWN.includes(key))
    .map((key) => {
      const meant = nearest(key, KNOWN);
      return {
        path: [key],
        expected: "a key that Ray has, or a plugin",
        ...(meant && { hint: `did you mean ${meant}` }),
      };
    });
}

/** What the entrypoint reserves. */
interface Reserved {
  readonly cpus?: number | undefined;
  readonly gpus?: number | undefined;
  readonly memoryGb?: number | undefined;
  readonly resources?: Readonly<Record<string, number>> | undefined;
}

/** The same, as Ray's jobs API names it. */
export const reservation = ({ cpus, gpus, memoryGb, resources }: Reserved) =>
  withoutUndefined({
    entrypoint_num_cpus: cpus,
    entrypoint_num_gpus: gpus,
    entrypoint_memory: memoryGb === undefined ? undefined : Math.round(memoryGb * 1e9),
    entrypoint_resources: resources,
  });
