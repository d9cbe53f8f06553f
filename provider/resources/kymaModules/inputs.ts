/** Inputs of KymaModules and their check. */

import { isObject } from "../../../foundation/json/isObject";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { hasUnknown, type InputFailure, type Properties } from "../../../foundation/pulumi/resource";
import type { ClusterAccess } from "../../../kubernetes/identity/clusterAccess";
import { checkCluster } from "../../framework/clusterFields";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
import { schema } from "./kymaModulesSchema";

/** A module of a Kyma resource. */
export interface KymaModule {
  readonly name: string;
  readonly channel?: string;
  readonly customResourcePolicy?: string;
  readonly managed?: boolean;
}

/** The way to the cluster of Lifecycle Manager. */
export interface ControlPlane {
  readonly controlPlaneKubeconfig?: string;
  readonly controlPlaneContext?: string;
  readonly controlPlane: string;
}

export interface ModulesInputs extends ClusterAccess, ControlPlane {
  readonly name: string;
  readonly shootUid: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly domain?: string;
  readonly channel: string;
  readonly modules: readonly KymaModule[];
  readonly timeoutSeconds: number;
  readonly errorPatienceSeconds: number;
}

export interface ModulesState extends ModulesInputs {
  readonly state?: string;
  readonly versions?: Readonly<Record<string, string>>;
  readonly controlPlaneUid?: string;
  readonly incomplete?: boolean;
}

const DEFAULTS = { timeoutSeconds: 3600, errorPatienceSeconds: 600 };

export function checkModules(given: Properties): { inputs: Properties; failures: InputFailure[] } {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
  const inputs: Properties = { ...DEFAULTS, ...said };
  const check = new InputCheck(secretsOf(schema));
  check.keys("", inputs, inputsOf(schema));
  checkCluster(check, inputs);
  check.text("controlPlane", inputs["controlPlane"], "the address of the cluster of Lifecycle Manager");
  const isName = (text: string): boolean => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text);
  check.text("name", inputs["name"], "a name of a-z, 0-9 and inner -, 63 characters at most", isName);
  check.text("shootUid", inputs["shootUid"], "the UID of a Shoot");
  check.text("channel", inputs["channel"], "a channel of letters a-z", (text) => /^[a-z]{3,32}$/.test(text));
  for (const key of ["timeoutSeconds", "errorPatienceSeconds"]) check.count(key, inputs[key]);
  const { modules } = inputs;
  const isList = Array.isArray(modules) && modules.every((one) => isObject(one) && typeof one["name"] === "string");
  if (!hasUnknown(modules) && !isList) check.fail("modules", modules, "a list of objects with name");
  return { inputs, failures: check.failures };
}
