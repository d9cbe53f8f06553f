/** Schema and check of the fields that select a cluster and the connection to it. */

import type { InputCheck } from "../../foundation/pulumi/inputCheck";
import type { Properties } from "../../foundation/pulumi/resource";
import { isKubeconfigText } from "../../foundation/shootAccess";
import { secret, textField } from "./fields";

export const kubeconfig = secret(
  "Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in.",
);
export const context = textField("Context of the kubeconfig. Default: its current context.");
export const clusterUid = textField("UID of the cluster. Undefined if the kubeconfig's user may not read it.");
export const cluster = textField(
  "Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does not.",
);

/** Checks kubeconfig, context and cluster. The caller must have removed null values. */
export function checkCluster(check: InputCheck, given: Properties): void {
  if ("kubeconfig" in given) {
    check.text("kubeconfig", given["kubeconfig"], "a kubeconfig as YAML text", isKubeconfigText);
  }
  if ("context" in given) check.text("context", given["context"], "the name of a context of the kubeconfig");
  check.text("cluster", given["cluster"], "the address of the cluster, such as its server URL");
}
