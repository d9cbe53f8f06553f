/** What an instance may choose about an operator. */

import { isList } from "../../../kubernetes/client/objects";
import { Refused } from "../../errors";
import { ISSUERS, type Issuer } from "./issuers";
import { readDeploymentConfig, type DeploymentConfig } from "./config/read";
import { isLabel } from "../../../kubernetes/client/names";
import { NAMESPACE_RULE } from "./names";
import type { Json } from "../../../foundation/json/isObject";

export interface Choice {
  /** Namespaces that the operator looks after; undefined: all, where it can do that, else its own. */
  readonly watchNamespaces: readonly string[] | undefined;
  /** Who makes the certificates of its webhooks. */
  readonly certificates: Issuer;
  /** What another user sees to: what it needs and no cluster can be asked for, in the words of the error that asks. */
  readonly assume: readonly string[];
  /** What is changed of its Deployments. */
  readonly config?: DeploymentConfig;
}

const KNOWN = ["watchNamespaces", "certificates", "assume", "deploymentConfig"];

/** Throws every fault, without reporting a value: they may come from a secret. */
export function readChoice(values: Json): Choice {
  const faults = Object.keys(values)
    .filter((key) => !KNOWN.includes(key))
    .map((key) => `${key}: found an unknown value; known are ${KNOWN.join(", ")}`);
  const texts = (key: string, expected: string, accepts: (text: string) => boolean): string[] | undefined => {
    const list = values[key];
    if (list === undefined || list === null) return undefined;
    if (!isList(list) || list.length === 0) {
      faults.push(`${key}: expected a list with at least one text; omit it for the default`);
      return undefined;
    }
    list.forEach((one, index) => {
      if (typeof one !== "string" || !accepts(one)) faults.push(`${key}[${index}]: expected ${expected}`);
      else if (list.indexOf(one) < index) faults.push(`${key}[${index}]: found what is in the list already`);
    });
    return list.filter((one) => typeof one === "string");
  };
  const watchNamespaces = texts("watchNamespaces", NAMESPACE_RULE, isLabel);
  const assume = texts("assume", "a text", (text) => text !== "") ?? [];
  const config = readDeploymentConfig(values["deploymentConfig"], faults);
  const certificates = ISSUERS.find((one) => one === (values["certificates"] ?? ISSUERS[0]));
  if (certificates === undefined) faults.push(`certificates: expected one of ${ISSUERS.join(", ")}`);
  if (faults.length > 0 || certificates === undefined) throw new Refused(valuesText(faults));
  return { watchNamespaces, certificates, assume, ...(config && { config }) };
}

export const valuesText = (faults: readonly string[]): string =>
  ["the values are not what an operator bundle takes:", ...faults.map((fault) => `  - ${fault}`)].join("\n");
