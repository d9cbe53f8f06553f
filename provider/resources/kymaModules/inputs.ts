/** Inputs of KymaModules and their check. */

import { isObject } from "../../../foundation/json/isObject";
import { hasUnknown, type Properties } from "../../../foundation/pulumi/resource";
import { isLabel } from "../../../kubernetes/objects/names";
import { checkInputs, type CheckedInputs, type InputRules, type InputsOf } from "../../framework/resourceSchema";
import { CLUSTER_RULES } from "../../framework/clusterFields";
import { schema } from "./kymaModulesSchema";

/** A module of a Kyma resource. */
export interface KymaModule {
  readonly name: string;
  readonly channel?: string;
  readonly customResourcePolicy?: string;
  readonly managed?: boolean;
}

/** The way to the cluster of Lifecycle Manager. */
export type ControlPlane = Pick<ModulesInputs, "controlPlane" | "controlPlaneKubeconfig" | "controlPlaneContext">;

export type ModulesInputs = InputsOf<
  typeof schema,
  keyof typeof DEFAULTS,
  { readonly modules: readonly KymaModule[]; readonly labels?: Readonly<Record<string, string>> }
>;

export interface ModulesState extends ModulesInputs {
  readonly state?: string;
  readonly versions?: Readonly<Record<string, string>>;
  readonly controlPlaneUid?: string;
  readonly incomplete?: boolean;
}

const DEFAULTS = { timeoutSeconds: 3600, errorPatienceSeconds: 600 };

const RULES: InputRules = {
  ...CLUSTER_RULES,
  controlPlane: ["the address of the cluster of Lifecycle Manager"],
  name: ["a name of a-z, 0-9 and inner -, 63 characters at most", isLabel],
  shootUid: ["the UID of a Shoot"],
  channel: ["a channel of letters a-z", (text) => /^[a-z]{3,32}$/.test(text)],
  modules(check, modules) {
    const isModule = (one: unknown): boolean => isObject(one) && typeof one["name"] === "string";
    if (hasUnknown(modules) || (Array.isArray(modules) && modules.every(isModule))) return;
    check.fail("modules", modules, "a list of objects with name");
  },
};

export const checkModules = (given: Properties): CheckedInputs =>
  checkInputs(schema, given, RULES, { defaults: DEFAULTS });
