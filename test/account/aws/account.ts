/** The account in which a run works: who the caller is, roles, clusters, and whether names are taken. */

import * as eks from "@aws-sdk/client-eks";
import * as iam from "@aws-sdk/client-iam";
import * as sts from "@aws-sdk/client-sts";
import { Failure, messageOf } from "../../../foundation/errors";

/** IAM takes a few seconds to make a new role and its trust known everywhere. */
const ROLE_ATTEMPTS = 20;
const ROLE_PAUSE_MS = 3000;
/** Longest change of a node group or of a cluster's settings. */
const CHANGE_SECONDS = 1800;

/** Variables of AWS' SDKs with the credentials of a role. */
type Credentials = Readonly<Record<"AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY" | "AWS_SESSION_TOKEN", string>>;

interface CallerIdentity {
  readonly account: string;
  /** ARN of the role or user in IAM, not of its session. */
  readonly principal: string;
}

const isGone = (error: unknown): boolean =>
  /^(ResourceNotFoundException|NoSuchEntity(Exception)?)$/.test((error as Error).name);

export class AwsAccount {
  private readonly eks: eks.EKSClient;
  private readonly iam: iam.IAMClient;
  private readonly sts: sts.STSClient;

  constructor(readonly region: string) {
    this.eks = new eks.EKSClient({ region });
    this.iam = new iam.IAMClient({ region });
    this.sts = new sts.STSClient({ region });
  }

  async caller(): Promise<CallerIdentity> {
    const { Account: account = "", Arn: arn = "" } = await this.sts
      .send(new sts.GetCallerIdentityCommand({}))
      .catch((error: unknown) => {
        throw new Failure(`found no credentials of AWS: ${messageOf(error)}; sign in (AWS_PROFILE or single sign-on)`);
      });
    const [, role] = /:assumed-role\/([^/]+)\//.exec(arn) ?? [];
    if (role === undefined) return { account, principal: arn };
    // The ARN of a session lacks the path of its role.
    const { Role } = await this.iam.send(new iam.GetRoleCommand({ RoleName: role }));
    return { account, principal: Role?.Arn ?? arn };
  }

  /** The ARN of the only possible identity provider for GitHub Actions; undefined if the account has none. */
  async gitHubTrust(): Promise<string | undefined> {
    const { OpenIDConnectProviderList = [] } = await this.iam.send(new iam.ListOpenIDConnectProvidersCommand({}));
    const isGitHub = ({ Arn }: iam.OpenIDConnectProviderListEntry) =>
      Arn?.endsWith("/token.actions.githubusercontent.com");
    return OpenIDConnectProviderList.find(isGitHub)?.Arn;
  }

  async deleteTrust(OpenIDConnectProviderArn: string): Promise<void> {
    await this.iam.send(new iam.DeleteOpenIDConnectProviderCommand({ OpenIDConnectProviderArn }));
  }

  /** Lets a principal of the account assume a role, besides whom the role trusts already. */
  async letAssume(roleArn: string, principal: string): Promise<void> {
    const RoleName = roleArn.slice(roleArn.lastIndexOf("/") + 1);
    const { Role } = await this.iam.send(new iam.GetRoleCommand({ RoleName }));
    const document = JSON.parse(decodeURIComponent(Role?.AssumeRolePolicyDocument ?? "{}")) as { Statement: unknown[] };
    const Sid = "AccountTest";
    const others = document.Statement.filter((one) => (one as { Sid?: string }).Sid !== Sid);
    const own = { Sid, Effect: "Allow", Principal: { AWS: principal }, Action: "sts:AssumeRole" };
    const PolicyDocument = JSON.stringify({ ...document, Statement: [...others, own] });
    await this.iam.send(new iam.UpdateAssumeRolePolicyCommand({ RoleName, PolicyDocument }));
  }

  async credentialsOf(roleArn: string): Promise<Credentials> {
    for (let attempt = 1; ; attempt++) {
      try {
        const asked = { RoleArn: roleArn, RoleSessionName: "account-test", DurationSeconds: 3600 };
        const { Credentials: found } = await this.sts.send(new sts.AssumeRoleCommand(asked));
        return {
          AWS_ACCESS_KEY_ID: found?.AccessKeyId ?? "",
          AWS_SECRET_ACCESS_KEY: found?.SecretAccessKey ?? "",
          AWS_SESSION_TOKEN: found?.SessionToken ?? "",
        };
      } catch (error) {
        if (attempt === ROLE_ATTEMPTS || (error as Error).name !== "AccessDenied")
          throw new Failure(`could not assume ${roleArn}: ${messageOf(error)}`);
        await new Promise((resolve) => setTimeout(resolve, ROLE_PAUSE_MS));
      }
    }
  }

  async hasRole(RoleName: string): Promise<boolean> {
    return (await orGone(this.iam.send(new iam.GetRoleCommand({ RoleName })))) !== undefined;
  }

  /** The version of a cluster; undefined if there is none. */
  async clusterVersion(name: string): Promise<string | undefined> {
    return (await orGone(this.eks.send(new eks.DescribeClusterCommand({ name }))))?.cluster?.version;
  }

  /** The managed node groups of a cluster. */
  async nodeGroups(clusterName: string): Promise<readonly eks.Nodegroup[]> {
    const { nodegroups = [] } = await this.eks.send(new eks.ListNodegroupsCommand({ clusterName }));
    const all = nodegroups.map((nodegroupName) =>
      this.eks.send(new eks.DescribeNodegroupCommand({ clusterName, nodegroupName })),
    );
    return (await Promise.all(all)).flatMap(({ nodegroup }) => nodegroup ?? []);
  }

  /** Whether a version of Kubernetes has extended support only. Throws if EKS does not have it. */
  async isExtended(version: string): Promise<boolean> {
    const asked = { clusterVersions: [version] };
    const { clusterVersions = [] } = await this.eks.send(new eks.DescribeClusterVersionsCommand(asked));
    const found = clusterVersions.find(({ clusterVersion }) => clusterVersion === version);
    if (found === undefined) throw new Failure(`EKS does not have Kubernetes ${version} in ${this.region}`);
    return found.versionStatus === "EXTENDED_SUPPORT";
  }

  /** Sets the largest size of a node group, as somebody does by hand. */
  async setMaximum(clusterName: string, nodegroupName: string, maxSize: number): Promise<void> {
    const scalingConfig = { maxSize };
    await this.eks.send(new eks.UpdateNodegroupConfigCommand({ clusterName, nodegroupName, scalingConfig }));
    await eks.waitUntilNodegroupActive(
      { client: this.eks, maxWaitTime: CHANGE_SECONDS },
      { clusterName, nodegroupName },
    );
  }

  /** Deletes a cluster with its managed node groups, if it is there. */
  async deleteCluster(name: string): Promise<void> {
    await this.unprotect(name);
    if ((await this.clusterVersion(name)) === undefined) return;
    const at = { client: this.eks, maxWaitTime: CHANGE_SECONDS };
    for (const { nodegroupName } of await this.nodeGroups(name)) {
      await this.eks.send(new eks.DeleteNodegroupCommand({ clusterName: name, nodegroupName }));
      await eks.waitUntilNodegroupDeleted(at, { clusterName: name, nodegroupName });
    }
    await this.eks.send(new eks.DeleteClusterCommand({ name }));
    await eks.waitUntilClusterDeleted(at, { name });
  }

  /** Lets a cluster be deleted, if it is there. */
  async unprotect(name: string): Promise<void> {
    const found = await orGone(this.eks.send(new eks.DescribeClusterCommand({ name })));
    if (found?.cluster?.deletionProtection !== true) return;
    await this.eks.send(new eks.UpdateClusterConfigCommand({ name, deletionProtection: false }));
    await eks.waitUntilClusterActive({ client: this.eks, maxWaitTime: CHANGE_SECONDS }, { name });
  }
}

/** The answer; undefined if AWS says that there is no such thing. */
async function orGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}
