/** `deploymentConfig`: OLM v1's changes of an operator's Deployments, formerly `spec.config` of a Subscription. */

import { isList } from "../../../../kubernetes/objects/objects";
import { isObject, type Json } from "../../../../foundation/json/isObject";

export interface DeploymentConfig {
  readonly env: readonly Json[];
  readonly envFrom: readonly Json[];
  readonly volumes: readonly Json[];
  readonly volumeMounts: readonly Json[];
  readonly tolerations: readonly Json[];
  /** Undefined: the operator's own value. */
  readonly resources?: Json;
  readonly nodeSelector?: Json;
  readonly affinity?: Json;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Lists of objects; true if the items are identified by name. */
const LISTS = { env: true, envFrom: false, volumes: true, volumeMounts: true, tolerations: false } as const;
const OBJECTS = ["resources", "nodeSelector", "affinity", "annotations"] as const;
const KNOWN: readonly string[] = [...Object.keys(LISTS), ...OBJECTS];

const TEXTS: readonly string[] = ["nodeSelector", "annotations"];

/** Undefined if there is none. Adds faults to `faults`, without values, because they may come from a secret. */
export function readDeploymentConfig(given: unknown, faults: string[]): DeploymentConfig | undefined {
  if (given === undefined || given === null) return undefined;
  const at = (key: string): string => `deploymentConfig.${key}`;
  if (!isObject(given)) {
    faults.push("deploymentConfig: expected an object");
    return undefined;
  }
  for (const key of Object.keys(given)) {
    if (key === "selector") faults.push(`${at(key)}: found a field that OLM never used; remove it`);
    else if (!KNOWN.includes(key)) faults.push(`${at(key)}: found an unknown value; known are ${KNOWN.join(", ")}`);
  }
  const list = (key: keyof typeof LISTS): readonly Json[] => {
    const value = given[key] ?? [];
    if (!isList(value)) {
      faults.push(`${at(key)}: expected a list of objects`);
      return [];
    }
    value.forEach((one, index) => {
      if (!isObject(one)) faults.push(`${at(key)}[${index}]: expected an object`);
      else if (LISTS[key] && (typeof one["name"] !== "string" || one["name"] === ""))
        faults.push(`${at(key)}[${index}].name: expected a text`);
    });
    return value.filter(isObject);
  };
  const object = (key: (typeof OBJECTS)[number]): Json | undefined => {
    const value = given[key];
    if (value === undefined || value === null) return undefined;
    if (!isObject(value)) {
      faults.push(`${at(key)}: expected an object`);
      return undefined;
    }
    if (TEXTS.includes(key)) {
      for (const [name, text] of Object.entries(value))
        if (typeof text !== "string") faults.push(`${at(key)}[${JSON.stringify(name)}]: expected a text`);
    }
    return value;
  };
  const [resources, nodeSelector, affinity] = [object("resources"), object("nodeSelector"), object("affinity")];
  return {
    env: list("env"),
    envFrom: list("envFrom"),
    volumes: list("volumes"),
    volumeMounts: list("volumeMounts"),
    tolerations: list("tolerations"),
    ...(resources && { resources }),
    ...(nodeSelector && { nodeSelector }),
    ...(affinity && { affinity }),
    annotations: (object("annotations") ?? {}) as Record<string, string>,
  };
}
