import * as aws from "@pulumi/aws/iam";
import { PodIdentityAssociation } from "@pulumi/aws/eks";
import { ServiceAccountPatch } from "@pulumi/kubernetes/core/v1/serviceAccountPatch";
import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { ManifestSet, type ManifestSetArgs } from "../../resources/manifestSet";
import { component } from "../../resources/package";
import { INLINE_LIMIT, renderDocument, TRUST_LIMIT, type Statement } from "./document";
import type { Identity } from "../onEks/onEks";
import { accountAnnotations, accountManifest, accountSetName, accountsOf, subjectsOf, type Subjects } from "./plan";
import { irsaTrust, podIdentityTrust } from "./trust";

/** The cluster whose service accounts assume the role. */
export interface RoleCluster {
  readonly name: pulumi.Input<string>;
  readonly arn: pulumi.Input<string>;
  /** ARN and URL of its OIDC provider; used with `irsa`. */
  readonly oidcProviderArn: pulumi.Input<string>;
  readonly oidcProviderUrl: pulumi.Input<string>;
  /** ARN of the permissions boundary of its roles. */
  readonly permissionsBoundary?: pulumi.Input<string>;
  /** Id of its VPC; used by load balancer controllers. */
  readonly vpcId?: pulumi.Input<string>;
  /** AWS provider with the cluster's region, account and tags. Default: the parent's. */
  readonly aws?: pulumi.ProviderResource;
  /** Arguments of a ManifestSet; used to create service accounts. */
  readonly access?: Pick<ManifestSetArgs, "kubeconfig" | "context" | "cluster">;
  /** Kubernetes provider; used to annotate existing service accounts. */
  readonly provider?: Provider;
}

interface ServiceAccountRoleArgs {
  /** The cluster whose service accounts assume the role. */
  readonly cluster: RoleCluster;
  /** Name of the role, at most 64 characters. */
  readonly roleName: pulumi.Input<string>;
  /** `irsa` or `podIdentity`. Plain, because the resources depend on it. */
  readonly identity: Identity;
  /** Service accounts that may assume the role. Plain, because each exact one is a resource. */
  readonly subjects: Subjects;
  /** `make`: create the service accounts. `annotate`: annotate existing ones. `none`: do not change them. */
  readonly serviceAccounts: "make" | "annotate" | "none";
  /** Permissions of the role. Default: only those of the other policies. */
  readonly statements?: pulumi.Input<readonly Statement[]>;
  /** A complete permission policy (JSON) from the user. */
  readonly document?: pulumi.Input<string>;
  /** ARNs of managed policies, by names for their resources. */
  readonly managedPolicies?: Readonly<Record<string, pulumi.Input<string>>>;
}

/** Options of a component that creates its AWS resources with the cluster's provider. */
export const withAws = (
  { aws }: Pick<RoleCluster, "aws">,
  opts: pulumi.ComponentResourceOptions | undefined,
): pulumi.ComponentResourceOptions => pulumi.mergeOptions(opts, aws && { providers: { aws } });

/** An IAM role that only the named service accounts may assume, and the service accounts themselves. */
export class ServiceAccountRole extends pulumi.ComponentResource {
  readonly roleArn: pulumi.Output<string>;
  readonly roleName: pulumi.Output<string>;
  /** `irsa` or `podIdentity`. */
  readonly identity: Identity;

  constructor(name: string, args: ServiceAccountRoleArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("ServiceAccountRole"), name, {}, withAws(args.cluster, opts));
    const subjects = subjectsOf(args.subjects);
    const { arn, oidcProviderArn, oidcProviderUrl, permissionsBoundary } = args.cluster;
    const trust = pulumi
      .all([arn, oidcProviderArn, oidcProviderUrl])
      .apply(([cluster, provider, issuer]) =>
        renderDocument(
          args.identity === "irsa" ? irsaTrust(provider, issuer, subjects) : podIdentityTrust(cluster, subjects),
          TRUST_LIMIT,
        ),
      );
    const bounded = permissionsBoundary === undefined ? {} : { permissionsBoundary };
    const role = new aws.Role(
      `${name}-role`,
      { name: args.roleName, assumeRolePolicy: trust, ...bounded },
      { parent: this },
    );
    this.roleArn = role.arn;
    this.roleName = role.name;
    this.identity = args.identity;
    this.grant(name, role, args);
    this.associate(name, role, args);
    this.registerOutputs({ roleArn: this.roleArn, roleName: this.roleName });
  }

  private grant(name: string, role: aws.Role, args: ServiceAccountRoleArgs): void {
    const documents: Record<string, pulumi.Input<string>> = {
      ...(args.statements === undefined
        ? {}
        : { data: pulumi.output(args.statements).apply((all) => renderDocument(all as Statement[], INLINE_LIMIT)) }),
      ...(args.document === undefined ? {} : { own: args.document }),
    };
    for (const [key, policy] of Object.entries(documents)) {
      new aws.RolePolicy(`${name}-${key}`, { role: role.name, policy }, { parent: this });
    }
    for (const [key, policyArn] of Object.entries(args.managedPolicies ?? {})) {
      new aws.RolePolicyAttachment(`${name}-policy/${key}`, { role: role.name, policyArn }, { parent: this });
    }
  }

  private associate(name: string, role: aws.Role, args: ServiceAccountRoleArgs): void {
    const { cluster, identity } = args;
    const accounts = accountsOf(subjectsOf(args.subjects));
    for (const { key, namespace, serviceAccount } of identity === "podIdentity" ? accounts : []) {
      const association = { clusterName: cluster.name, namespace, serviceAccount, roleArn: role.arn };
      new PodIdentityAssociation(`${name}-association/${key}`, association, { parent: this });
    }
    const annotations = identity === "irsa" ? role.arn.apply(accountAnnotations) : {};
    if (args.serviceAccounts === "make") this.createAccounts(name, args, annotations);
    if (args.serviceAccounts !== "annotate" || identity === "podIdentity") return;
    for (const { key, namespace, serviceAccount } of accounts) {
      const metadata = { name: serviceAccount, namespace, annotations };
      const opts = { parent: this, provider: cluster.provider };
      new ServiceAccountPatch(`${name}-annotation/${key}`, { metadata }, opts);
    }
  }

  /** Creates one set per namespace, so that namespaces do not wait for each other. */
  private createAccounts(
    name: string,
    { cluster, subjects, roleName }: ServiceAccountRoleArgs,
    annotations: pulumi.Input<Record<string, string>>,
  ): void {
    const { access } = cluster;
    if (!access) throw new pulumi.InputPropertyError({ propertyPath: "cluster.access", reason: "needed to make them" });
    const accounts = accountsOf(subjectsOf(subjects));
    for (const namespace of new Set(accounts.map((account) => account.namespace))) {
      const here = accounts.filter((account) => account.namespace === namespace);
      const objects = pulumi
        .output(annotations)
        .apply((known) => here.map((account) => accountManifest(account, known)));
      const set = pulumi.output(roleName).apply(accountSetName);
      new ManifestSet(`${name}-accounts/${namespace}`, { ...access, name: set, namespace, objects }, { parent: this });
    }
  }
}
