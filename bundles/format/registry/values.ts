/** Settings that an instance of an operator can choose. */

import { isList } from "../../../kubernetes/objects/objects";
import { Refused } from "../../errors";
import { ISSUERS, type Issuer } from "./issuers";
import { readDeploymentConfig, type DeploymentConfig } from "./config/read";
import { isLabel } from "../../../kubernetes/objects/names";
import { NAMESPACE_RULE } from "./names";
import type { Json } from "../../../foundation/json/isObject";

export interface OperatorChoice {
  /** Namespaces to watch; undefined: all if the operator supports this, else its own. */
  readonly watchNamespaces: readonly string[] | undefined;
  /** Issuer of the webhooks' certificates. */
  readonly certificates: Issuer;
  /** Requirements that can't be checked in a cluster and that the user confirms, in the words of the error. */
  readonly assume: readonly string[];
  /** Changes of the Deployments. */
  readonly config?: DeploymentConfig;
}

const KNOWN = ["watchNamespaces", "certificates", "assume", "deploymentConfig"];

/** Throws all faults, without values, because they may come from a secret. */
export function readChoice(values: Json): OperatorChoice {
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
