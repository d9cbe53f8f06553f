/** Inputs of a RuntimeAgent and their check. */

import { isObject, type Json } from "../../../foundation/json/isObject";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN, type InputFailure, type Properties } from "../../../foundation/pulumi/resource";
import type { ClusterAccess } from "../../../kubernetes/identity/clusterAccess";
import type { DirectorAccess } from "../../director/director";
import { checkDirector } from "../../director/fields";
import { inputsOf, secretsOf } from "../../framework/resourceSchema";
import { schema } from "./runtimeAgentSchema";

export interface AgentInputs extends DirectorAccess, ClusterAccess {
  readonly runtimeId: string;
  readonly labels?: Json;
  readonly namespace: string;
  /** Whether to wait for the connection. */
  readonly connect: boolean;
  readonly timeoutSeconds: number;
}

export interface AgentState extends AgentInputs {
  readonly connectionState?: string;
}

const DEFAULTS = { namespace: "compass-system", connect: true, timeoutSeconds: 900 };

export function checkAgent(given: Properties): { inputs: Properties; failures: InputFailure[] } {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
  const inputs: Properties = { ...DEFAULTS, ...said };
  const check = new InputCheck(secretsOf(schema));
  check.keys("", inputs, inputsOf(schema));
  checkDirector(check, inputs);
  if ("kubeconfig" in inputs) check.text("kubeconfig", inputs["kubeconfig"], "a kubeconfig", (text) => text !== "");
  if ("context" in inputs) check.text("context", inputs["context"], "the name of a context of the kubeconfig");
  check.text("cluster", inputs["cluster"], "the address of the cluster, such as its server URL");
  check.text("runtimeId", inputs["runtimeId"], "the id of a runtime in the Director");
  const isName = (text: string): boolean => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text);
  check.text("namespace", inputs["namespace"], "the name of a namespace", isName);
  check.flag("connect", inputs["connect"]);
  check.count("timeoutSeconds", inputs["timeoutSeconds"]);
  const { labels } = inputs;
  if (labels !== undefined && labels !== UNKNOWN && !isObject(labels)) check.fail("labels", labels, "an object");
  return { inputs, failures: check.failures };
}
