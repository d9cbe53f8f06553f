import type { IncomingMessage, ServerResponse } from "node:http";
import { LocalService, textOfAnswer } from "./localService";

type Values = Readonly<Record<string, unknown>>;

/** A cluster that exists, in the fields of AWS' answers: those of EKS as JSON, those of EC2 and IAM as XML. */
export interface ExistingAccount {
  readonly cluster: Values & { readonly name: string };
  readonly nodegroups: readonly (Values & { readonly nodegroupName: string })[];
  readonly addons: readonly (Values & { readonly addonName: string })[];
  readonly entries: readonly {
    readonly entry: Values & { readonly principalArn: string };
    readonly policies: readonly Values[];
  }[];
  readonly fargateProfileNames?: readonly string[];
  readonly associations?: readonly Values[];
  readonly identityProviderConfigs?: readonly Values[];
  readonly subnetSet: readonly (Values & { readonly subnetId: string })[];
  readonly routeTableSet: readonly Values[];
  /** All versions of launch templates. */
  readonly templates: readonly (Values & { readonly launchTemplateId: string })[];
  readonly logGroups: readonly (Values & { readonly logGroupName: string })[];
  readonly oidcProviders: readonly string[];
  /** Names of AWS' policies by the name of the role. */
  readonly attached: Readonly<Record<string, readonly string[]>>;
}

/**
 * Answers as EKS, EC2, IAM, STS and CloudWatch Logs do for an existing cluster, by the service models of AWS' SDKs. It refuses
 * all that would change something, and access entries in the mode CONFIG_MAP.
 */
export class ExistingAccountServer extends LocalService {
  /** What was asked for and is no read. */
  readonly refused: string[] = [];

  constructor(readonly account: ExistingAccount) {
    super();
  }

  protected respond(request: IncomingMessage, bytes: Buffer, response: ServerResponse): void {
    const url = new URL(request.url ?? "", "http://aws");
    const body = bytes.toString();
    const [, service = ""] = /\/eu-central-1\/(\w+)\//.exec(request.headers.authorization ?? "") ?? ["", "iam"];
    const asked = new URLSearchParams(request.method === "POST" ? body : url.search);
    const answer = service === "eks" ? this.eks(request.method ?? "", url) : this.others(service, asked, body);
    if (answer !== undefined) return void response.end(textOfAnswer(answer));
    const what = `${service} ${request.method} ${url.pathname} ${asked.get("Action") ?? ""}`.trim();
    if (request.method !== "GET" || service !== "eks") this.refused.push(what);
    const error = { message: `No cluster found for name: ${url.pathname.split("/")[2]}.` };
    response.writeHead(404, { "x-amzn-errortype": "ResourceNotFoundException" }).end(JSON.stringify(error));
  }

  /** Variables that point AWS' clients to it. */
  get env(): Record<string, string> {
    const keys = { AWS_ACCESS_KEY_ID: "KEY", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-central-1" };
    return { ...keys, AWS_ENDPOINT_URL: this.address };
  }

  private eks(method: string, { pathname }: URL): unknown {
    const [, , name, kind, part, more] = pathname.split("/").map(decodeURIComponent);
    const { cluster, nodegroups, addons, entries, ...rest } = this.account;
    const isMap = (cluster["accessConfig"] as Values)["authenticationMode"] === "CONFIG_MAP";
    if (method === "POST" && kind === "identity-provider-configs" && part === "describe") return undefined;
    if (method !== "GET" || name !== cluster.name) return undefined;
    const group = nodegroups.find(({ nodegroupName }) => nodegroupName === part);
    const addon = addons.find(({ addonName }) => addonName === part);
    const entry = isMap ? undefined : entries.find(({ entry: one }) => one.principalArn === part);
    switch (kind) {
      case undefined:
        return { cluster };
      case "node-groups":
        return part === undefined
          ? { nodegroups: nodegroups.map((one) => one.nodegroupName) }
          : group && { nodegroup: group };
      case "addons":
        return part === undefined ? { addons: addons.map((one) => one.addonName) } : addon && { addon };
      case "access-entries":
        if (part === undefined)
          return isMap ? undefined : { accessEntries: entries.map(({ entry: one }) => one.principalArn) };
        return more === undefined
          ? entry && { accessEntry: entry.entry }
          : entry && { associatedAccessPolicies: entry.policies };
      case "fargate-profiles":
        return { fargateProfileNames: rest.fargateProfileNames ?? [] };
      case "pod-identity-associations":
        return { associations: rest.associations ?? [] };
      case "identity-provider-configs":
        return { identityProviderConfigs: rest.identityProviderConfigs ?? [] };
      default:
        return undefined;
    }
  }

  private others(service: string, asked: URLSearchParams, body: string): unknown {
    const { subnetSet, routeTableSet, templates, logGroups, oidcProviders } = this.account;
    if (service === "logs") {
      const { logGroupNamePrefix = "" } = JSON.parse(body) as { logGroupNamePrefix?: string };
      return { logGroups: logGroups.filter(({ logGroupName }) => logGroupName.startsWith(logGroupNamePrefix)) };
    }
    const wanted = new Set([...asked].flatMap(([key, value]) => (key.startsWith("SubnetId.") ? [value] : [])));
    switch (asked.get("Action") ?? "") {
      case "GetCallerIdentity":
        return "<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:sts::123456789012:assumed-role/stackyard-ci/session</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>";
      case "ListOpenIDConnectProviders":
        return `<ListOpenIDConnectProvidersResponse>${oidcProviders.map((arn) => `<member><Arn>${arn}</Arn></member>`).join("")}</ListOpenIDConnectProvidersResponse>`;
      case "ListAttachedRolePolicies": {
        const names = this.account.attached[asked.get("RoleName") ?? ""] ?? [];
        const members = names.map((name) => `<member><PolicyArn>arn:aws:iam::aws:policy/${name}</PolicyArn></member>`);
        return `<ListAttachedRolePoliciesResponse>${members.join("")}</ListAttachedRolePoliciesResponse>`;
      }
      case "DescribeSubnets":
        return xml("DescribeSubnetsResponse", { subnetSet: subnetSet.filter(({ subnetId }) => wanted.has(subnetId)) });
      case "DescribeRouteTables":
        return xml("DescribeRouteTablesResponse", { routeTableSet });
      case "DescribeLaunchTemplateVersions": {
        const id = asked.get("LaunchTemplateId");
        const launchTemplateVersionSet = templates.filter(({ launchTemplateId }) => launchTemplateId === id);
        return xml("DescribeLaunchTemplateVersionsResponse", { launchTemplateVersionSet });
      }
      default:
        return undefined;
    }
  }
}

/** An element as EC2 writes it: lists have items. */
function xml(name: string, value: unknown): string {
  const inner = Array.isArray(value)
    ? value.map((item) => xml("item", item)).join("")
    : typeof value === "object" && value !== null
      ? Object.entries(value)
          .map(([key, one]) => xml(key, one))
          .join("")
      : String(value);
  return `<${name}>${inner}</${name}>`;
}
