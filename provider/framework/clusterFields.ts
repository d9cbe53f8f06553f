/** What the package schema says of who is asked where, and of where that was. */

import { secret, text } from "./fields";

export const kubeconfig = secret("Kubeconfig as YAML text. Optional; default: the cluster that the program runs in.");
export const context = text("Context of the kubeconfig. Default: its current one.");
export const clusterUid = text("UID of the cluster: that of its namespace kube-system.");
export const cluster = text("Address of the cluster, its server URL. What counts is the UID of the cluster.");
