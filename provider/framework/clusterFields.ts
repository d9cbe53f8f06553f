/** What the package schema says of who is asked where, and of where that was. */

import { secret, text } from "./fields";

export const kubeconfig = secret(
  "Kubeconfig (YAML text); a secret. Default: the cluster that the program itself runs in.",
);
export const context = text("Context of the kubeconfig. Default: its current one.");
export const clusterUid = text("UID of the cluster; undefined where the kubeconfig's user may not read it.");
export const cluster = text(
  "Address of the cluster (its server URL). Another cluster, by its UID, replaces the resource; another address does not.",
);
