import { messageOf } from "../../foundation/errors";
import type { ClusterConfig } from "../../components/cluster/clusterConfig";
import { AwsQuestions } from "../eks/awsQuestions";
import { findingsOf, type Finding } from "./finding";

/** Whether there are credentials of AWS, if the cluster is on EKS. The preview checks what they have to be. */
export async function awsFindings(cluster: ClusterConfig | undefined): Promise<Finding[]> {
  if (cluster?.eks === undefined) return [];
  const { ok, fault } = findingsOf("aws");
  try {
    return [ok(`${cluster.eks.region}, as ${await new AwsQuestions(cluster.eks.region).caller()}`)];
  } catch (error) {
    return [fault(messageOf(error), "aws sso login, or set AWS_PROFILE; the account has to be that of the cluster")];
  }
}
