/** Who may take a role: exactly these service accounts of one cluster. Pure. */

import { single, type Conditions, type Statement } from "./document";

/** One service account; in the name `*` stands for any characters, where wildcards are allowed. */
export interface Subject {
  readonly namespace: string;
  readonly serviceAccount: string;
}

export const isWildcard = ({ namespace, serviceAccount }: Subject): boolean => /[*?]/.test(namespace + serviceAccount);

/**
 * Trust of IAM roles for service accounts: the cluster's OIDC provider vouches for the pod. Audience and subject are
 * both asked; a star is a wildcard under StringLike only, so that operator is taken where one was asked for, and there
 * for the subject alone.
 * `issuer` with or without `https://`. Throws without subjects, which would let any pod of the cluster in.
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
 * Trust of EKS Pod Identity: the service takes the role for a pod and tags the session with where the pod runs.
 * The tags are asked, one statement for each namespace, so that an association made by another user gives nothing.
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
