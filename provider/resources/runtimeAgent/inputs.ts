/** Inputs of a RuntimeAgent and their check. */

import { isObject } from "../../../foundation/json/isObject";
import type { Properties } from "../../../foundation/pulumi/resource";
import { isLabel } from "../../../kubernetes/objects/names";
import { DIRECTOR_FIELD_RULES } from "../../director/fields";
import { checkInputs, type CheckedInputs, type InputRules, type InputsOf } from "../../framework/resourceSchema";
import { CLUSTER_RULES } from "../../framework/clusterFields";
import { schema } from "./runtimeAgentSchema";

export type AgentInputs = InputsOf<typeof schema, keyof typeof DEFAULTS>;

export interface AgentState extends AgentInputs {
  readonly connectionState?: string;
}

const DEFAULTS = { namespace: "compass-system", connect: true, timeoutSeconds: 900 };

const RULES: InputRules = {
  ...DIRECTOR_FIELD_RULES,
  ...CLUSTER_RULES,
  runtimeId: ["the id of a runtime in the Director"],
  namespace: ["the name of a namespace", isLabel],
  labels(check, labels) {
    if (!isObject(labels)) check.fail("labels", labels, "an object");
  },
};

export const checkAgent = (given: Properties): CheckedInputs =>
  checkInputs(schema, given, RULES, { defaults: DEFAULTS });
