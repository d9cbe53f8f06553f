import { isObject } from "../../../foundation/json/isObject";
import { isDeepStrictEqual } from "node:util";
import { clusterVersion } from "../../../components/runtime/request/version";
import type { RuntimeRecord } from "../../../components/runtime/record/record";
import type { RuntimeConfig, RuntimeChange } from "../../stack/change";
import { withoutUndefined } from "../../../foundation/json/withoutUndefined";

/** Schema defaults; omitting them keeps stack files short. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  environment: "prod",
  annotations: {},
  state: "running",
  protected: false,
};

/** Additional defaults of a deployment with a cluster. */
const CLUSTER_DEFAULTS: Readonly<Record<string, unknown>> = { slots: 1 };

/** Returns the config for a recorded request, as a user would write it. */
export function configOf({ deployment, platform }: RuntimeRecord, stack: string): RuntimeConfig {
  // With a cluster, the version follows from the cluster.
  const implied = deployment.cluster && { ...CLUSTER_DEFAULTS, version: clusterVersion(deployment) };
  const defaults = { ...DEFAULTS, ...implied, id: stack };
  const said = Object.entries(deployment).filter(
    ([key, value]) => value !== undefined && !isDeepStrictEqual(value, (defaults as Record<string, unknown>)[key]),
  );
  return { platform, deployment: Object.fromEntries(said) };
}

/** Lists the differences of a stack file from the state, such as `slots: 1 in the file, 4 in the state`. */
export function differencesBetween(file: RuntimeConfig, state: RuntimeConfig, stack: string): string[] {
  const [inFile, inState] = [flat(file, stack), flat(state, stack)];
  const keys = [...new Set([...Object.keys(inFile), ...Object.keys(inState)])].sort();
  return keys
    .filter((key) => !isDeepStrictEqual(inFile[key], inState[key]))
    .map((key) => `${key}: ${shown(inFile[key])} in the file, ${shown(inState[key])} in the state`);
}

/** Lists what a stack file says beyond the defaults, such as `slots: 3`; of annotations, which may be secret, the keys. */
export function fieldsOf({ deployment }: RuntimeConfig): string[] {
  const said = Object.entries(isObject(deployment) ? deployment : {});
  return said
    .filter(([key, value]) => value !== undefined && !isDeepStrictEqual(value, DEFAULTS[key]))
    .map(([key, value]) => {
      if (key === "secure") return "a secret deployment";
      return `${key}: ${key === "annotations" && isObject(value) ? Object.keys(value).join(", ") : shown(value)}`;
    })
    .sort();
}

/** True if a command sets no fields. */
export function isEmptyChange({ deployment, platform, move }: RuntimeChange): boolean {
  return (
    platform === undefined && move === undefined && Object.values(deployment).every((value) => value === undefined)
  );
}

export function withoutAnnotations({ deployment, ...config }: RuntimeConfig): RuntimeConfig {
  if (!isObject(deployment)) return { ...config, deployment };
  return { ...config, deployment: { ...deployment, annotations: undefined } };
}

function flat({ platform, deployment }: RuntimeConfig, stack: string): Record<string, unknown> {
  const fields = isObject(deployment) ? deployment : {};
  const implied = Object.hasOwn(fields, "cluster") ? CLUSTER_DEFAULTS : {};
  return { platform, ...DEFAULTS, ...implied, id: stack, ...withoutUndefined(fields) };
}

const shown = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));
