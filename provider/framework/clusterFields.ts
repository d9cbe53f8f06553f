/** Schema and rules of the fields that select a cluster and the connection to it. */

import { isKubeconfigText } from "../../foundation/shootAccess";
import { secret, textField } from "./fields";
import type { InputRules } from "./resourceSchema";

export const kubeconfig = secret(
  "Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in.",
);
export const context = textField("Context of the kubeconfig. Default: its current context.");
export const clusterUid = textField("UID of the cluster. Undefined if the kubeconfig's user may not read it.");
export const cluster = textField(
  "Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does not.",
);

export const CLUSTER_RULES = {
  kubeconfig: ["a kubeconfig as YAML text", isKubeconfigText],
  context: ["the name of a context of the kubeconfig"],
  cluster: ["the address of the cluster, such as its server URL"],
} satisfies InputRules;
