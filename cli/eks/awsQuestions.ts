/** Queries AWS about clusters, and about versions of their add-ons and node images. */

import { signedRequest } from "../../engine/aws/signedRequest";
import { Failure } from "../../foundation/errors";
import { partition } from "../../foundation/iam/partitions";

const json = "application/x-amz-json-1.1";

/**
 * Service names in the SDK's variables such as `AWS_ENDPOINT_URL_EKS`, which override the endpoint of one service like
 * `AWS_ENDPOINT_URL` does for all.
 */
const SDK_NAMES = {
  eks: "EKS",
  iam: "IAM",
  logs: "CLOUDWATCH_LOGS",
  ssm: "SSM",
  sts: "STS",
  tagging: "RESOURCE_GROUPS_TAGGING_API",
} as const;

interface Question {
  readonly method: string;
  readonly path: string;
  readonly query?: Record<string, string>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A resource with its tags. */
interface Tagged {
  readonly arn: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** Sends requests signed with the credentials that the AWS SDK finds. */
export class AwsQuestions {
  constructor(
    private readonly region: string,
    private readonly env: NodeJS.ProcessEnv = process.env,
  ) {}

  /** Returns the ARN of whoever the credentials belong to. */
  async caller(): Promise<string> {
    const query = { Action: "GetCallerIdentity", Version: "2011-06-15" };
    const { status, text } = await this.send("sts", { method: "GET", path: "/", query });
    const [, arn] = /<Arn>([^<]+)<\/Arn>/.exec(text) ?? [];
    if (arn === undefined) throw new Failure(`sts of ${this.region} answers ${status}: ${text.slice(0, 500)}`);
    return arn;
  }

  /** Returns the ARN of the OIDC provider in IAM of an issuer; undefined if there is none. */
  async oidcProvider(issuer: string): Promise<string | undefined> {
    const arns = await this.listed({ Action: "ListOpenIDConnectProviders" }, "Arn");
    return arns.find((arn) => arn.endsWith(`:oidc-provider/${issuer.replace("https://", "")}`));
  }

  /** Returns the ARNs of the managed policies of a role. */
  attached(role: string): Promise<string[]> {
    return this.listed({ Action: "ListAttachedRolePolicies", RoleName: role }, "PolicyArn");
  }

  /** Asks IAM, whose answers are XML. A role has no more policies, and an account no more providers, than a page. */
  private async listed(asked: Readonly<Record<string, string>>, element: string): Promise<string[]> {
    const query = { ...asked, Version: "2010-05-08" };
    const { status, text } = await this.send("iam", { method: "GET", path: "/", query });
    if (status >= 300) throw new Failure(`iam answers ${status}: ${text.slice(0, 500)}`);
    return [...text.matchAll(new RegExp(`<${element}>([^<]+)</${element}>`, "g"))].map(([, value = ""]) => value);
  }

  /** Returns a log group; undefined if there is none. */
  async logGroup(name: string): Promise<{ readonly retentionDays?: number } | undefined> {
    const body = JSON.stringify({ logGroupNamePrefix: name });
    const headers = { "content-type": json, "x-amz-target": "Logs_20140328.DescribeLogGroups" };
    const { logGroups = [] } = (await this.ask("logs", { method: "POST", path: "/", headers, body })) as {
      logGroups?: { logGroupName?: string; retentionInDays?: number }[];
    };
    const found = logGroups.find(({ logGroupName }) => logGroupName === name);
    return found && { ...(found.retentionInDays !== undefined && { retentionDays: found.retentionInDays }) };
  }

  /** Returns the default version of an EKS add-on for a Kubernetes minor version; undefined if it has none. */
  async usualAddon(addonName: string, minor: string): Promise<string | undefined> {
    const query = { addonName, kubernetesVersion: minor };
    const { addons = [] } = (await this.ask("eks", { method: "GET", path: "/addons/supported-versions", query })) as {
      addons?: {
        addonVersions?: {
          addonVersion?: string;
          compatibilities?: { clusterVersion?: string; defaultVersion?: boolean }[];
        }[];
      }[];
    };
    const versions = addons.flatMap(({ addonVersions = [] }) => addonVersions);
    return versions.find(({ compatibilities = [] }) =>
      compatibilities.some((one) => one.clusterVersion === minor && one.defaultVersion === true),
    )?.addonVersion;
  }

  /** Returns the value of a public parameter of Systems Manager. */
  async parameter(name: string): Promise<string> {
    const body = JSON.stringify({ Name: name });
    const headers = { "content-type": json, "x-amz-target": "AmazonSSM.GetParameter" };
    const answer = (await this.ask("ssm", { method: "POST", path: "/", headers, body })) as {
      Parameter?: { Value?: string };
    };
    const value = answer.Parameter?.Value;
    if (value === undefined) throw new Failure(`Systems Manager has no parameter ${name} in ${this.region}`);
    return value;
  }

  /** Whether the EKS cluster exists, in any state. */
  async hasCluster(name: string): Promise<boolean> {
    const response = await this.send("eks", { method: "GET", path: `/clusters/${encodeURIComponent(name)}` });
    if (response.status === 404 && response.text.includes("No cluster found")) return false;
    this.read("eks", response);
    return true;
  }

  /** Returns all resources of these types with a tag. */
  async tagged(key: string, value: string, types: readonly string[]): Promise<Tagged[]> {
    const found: Tagged[] = [];
    const headers = { "content-type": json, "x-amz-target": "ResourceGroupsTaggingAPI_20170126.GetResources" };
    for (let token: string | undefined; token !== "";) {
      const question = { TagFilters: [{ Key: key, Values: [value] }], ResourceTypeFilters: types };
      const body = JSON.stringify({ ...question, ...(token !== undefined && { PaginationToken: token }) });
      const answer = (await this.ask("tagging", { method: "POST", path: "/", headers, body })) as {
        PaginationToken?: string;
        ResourceTagMappingList?: { ResourceARN?: string; Tags?: { Key: string; Value: string }[] }[];
      };
      for (const { ResourceARN: arn, Tags = [] } of answer.ResourceTagMappingList ?? []) {
        if (arn !== undefined) found.push({ arn, tags: Object.fromEntries(Tags.map((one) => [one.Key, one.Value])) });
      }
      token = answer.PaginationToken ?? "";
    }
    return found;
  }

  private async ask(service: keyof typeof SDK_NAMES, request: Question): Promise<unknown> {
    return this.read(service, await this.send(service, request));
  }

  private read(service: string, { status, text }: { status: number; text: string }): unknown {
    if (status >= 300) throw new Failure(`${service} of ${this.region} answers ${status}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  private async send(service: keyof typeof SDK_NAMES, request: Question): Promise<{ status: number; text: string }> {
    const { region } = this;
    const { domain, iam } = partition(region);
    const profile = this.env["AWS_PROFILE"];
    const elsewhere = this.env[`AWS_ENDPOINT_URL_${SDK_NAMES[service]}`] ?? this.env["AWS_ENDPOINT_URL"];
    const url = new URL(elsewhere ?? `https://${service === "iam" ? iam.host : `${service}.${region}.${domain}`}`);
    url.pathname = request.path;
    for (const [key, value] of Object.entries(request.query ?? {})) url.searchParams.set(key, value);
    const { method, headers, body } = request;
    const response = await signedRequest(
      { method, url, ...(headers && { headers }), ...(body !== undefined && { body }) },
      { service, region: service === "iam" ? iam.region : region, ...(profile && { profile }) },
    );
    return { status: response.status, text: await response.text() };
  }
}
