/** Trust policies: only these service accounts of one cluster may assume a role. Pure. */

import { single, type Conditions, type Statement } from "./document";

/** A service account. Its name may contain the wildcard `*` where supported. */
export interface Subject {
  readonly namespace: string;
  readonly serviceAccount: string;
}

export const isWildcard = ({ namespace, serviceAccount }: Subject): boolean => /[*?]/.test(namespace + serviceAccount);

/**
 * Trust policy for IRSA. The cluster's OIDC provider authenticates the pod. Audience and subject are both checked. `*`
 * is a wildcard only with StringLike, so only a subject with a wildcard uses that operator. `issuer`: with or without
 * `https://`. Throws without subjects, which would admit every pod of the cluster.
 */
export function irsaTrust(providerArn: string, issuer: string, subjects: readonly Subject[]): Statement[] {
  refuseNone(subjects);
  if (!providerArn) {
    throw new Error(
      "the cluster has no OIDC provider in IAM; create it (createOidcProvider of @pulumi/eks), or use podIdentity",
    );
  }
  const host = issuer.replace(/^https:\/\//, "");
  const names = subjects.map(({ namespace, serviceAccount }) => `system:serviceaccount:${namespace}:${serviceAccount}`);
  const audience = { [`${host}:aud`]: "sts.amazonaws.com" };
  const subject = { [`${host}:sub`]: single(names) };
  const conditions: Conditions = subjects.some(isWildcard)
    ? { StringEquals: audience, StringLike: subject }
    : { StringEquals: { ...audience, ...subject } };
  return [
    {
      effect: "Allow",
      principal: { Federated: providerArn },
      actions: ["sts:AssumeRoleWithWebIdentity"],
      conditions,
    },
  ];
}

/**
 * Trust policy for EKS Pod Identity. The service assumes the role for a pod and tags the session with the pod's service
 * account. The policy checks these tags, with one statement per namespace, so that an association created by another
 * user grants nothing.
 */
export function podIdentityTrust(clusterArn: string, subjects: readonly Subject[]): Statement[] {
  refuseNone(subjects);
  const wild = subjects.find(isWildcard);
  if (wild) {
    throw new Error(
      `Pod Identity knows no wildcards, and ${wild.namespace}/${wild.serviceAccount} is one; name each service account`,
    );
  }
  const namespaces = [...new Set(subjects.map(({ namespace }) => namespace))].sort();
  return namespaces.map((namespace) => ({
    effect: "Allow",
    principal: { Service: "pods.eks.amazonaws.com" },
    actions: ["sts:AssumeRole", "sts:TagSession"],
    conditions: {
      StringEquals: {
        "aws:RequestTag/eks-cluster-arn": clusterArn,
        "aws:RequestTag/kubernetes-namespace": namespace,
        "aws:RequestTag/kubernetes-service-account": single(
          subjects.filter((one) => one.namespace === namespace).map(({ serviceAccount }) => serviceAccount),
        ),
      },
    },
  }));
}

function refuseNone(subjects: readonly Subject[]): void {
  if (subjects.length === 0) throw new Error("a role needs at least one service account that may take it");
}
