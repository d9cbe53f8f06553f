import type { IncomingMessage, ServerResponse } from "node:http";
import { LocalService, textOfAnswer } from "./localService";

/**
 * Simulates EKS and Systems Manager as far as they report versions, and STS as it names a caller, by the service models of AWS' SDKs: EKS with REST,
 * Systems Manager by operation name. Requests must be signed with the key `KEY` for eu-central-1.
 */
export class VersionServer extends LocalService {
  /** Default version of every add-on. */
  addon = "v1.13.2-eksbuild.1";
  /** Version of every Amazon Linux image. */
  image = "20260101";
  /** Insights of each cluster, whose status is an error. */
  insights: readonly string[] = [];
  /** When each cluster was upgraded, and to what; undefined if it was not. */
  upgrade: { readonly to: string; readonly at: Date } | undefined;

  protected respond(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const signed = /^AWS4-HMAC-SHA256 Credential=KEY\/\d{8}\/eu-central-1\/(eks|ssm|sts)\//;
    if (!signed.test(request.headers.authorization ?? ""))
      return void response.writeHead(403).end('{"message":"Missing Authentication Token"}');
    const answer = this.answer(
      new URL(request.url ?? "", "http://aws"),
      request.headers["x-amz-target"],
      body.toString(),
    );
    if (answer === undefined) return void response.writeHead(404).end('{"message":"Not Found"}');
    response.end(textOfAnswer(answer));
  }

  /** Variables that point AWS' clients to it. */
  get env(): Record<string, string> {
    const { address } = this;
    return { AWS_ENDPOINT_URL_EKS: address, AWS_ENDPOINT_URL_SSM: address, AWS_ENDPOINT_URL_STS: address };
  }

  protected answer(url: URL, target: unknown, body: string): unknown {
    if (target === "AmazonSSM.GetParameter") {
      const { Name } = JSON.parse(body) as { Name: string };
      const [minor = "1.35"] = /\d\.\d\d/.exec(Name) ?? [];
      const Value = Name.includes("bottlerocket") ? "1.50.0-0a1b2c3d" : `${minor}.1-${this.image}`;
      return { Parameter: { Name, Type: "String", Value } };
    }
    if (url.searchParams.get("Action") === "GetCallerIdentity") {
      return "<GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/ada</Arn></GetCallerIdentityResult>";
    }
    const [, of] = /^\/clusters\/[^/]+\/(insights|updates.*)$/.exec(url.pathname) ?? [];
    if (of !== undefined) return this.about(of);
    if (url.pathname !== "/addons/supported-versions") return undefined;
    const [addonName, clusterVersion] = ["addonName", "kubernetesVersion"].map((key) => url.searchParams.get(key));
    const version = (addonVersion: string, defaultVersion: boolean) => ({
      addonVersion,
      architecture: ["amd64", "arm64"],
      compatibilities: [{ clusterVersion, platformVersions: ["*"], defaultVersion }],
    });
    const addonVersions = [version("v9.9.9-eksbuild.1", false), version(this.addon, true)];
    return { addons: [{ addonName, type: "networking", addonVersions }] };
  }

  /** The insights of a cluster, the ids of its updates, or one of them. */
  private about(of: string): unknown {
    if (of === "insights")
      return {
        insights: this.insights.map((name) => ({ name, insightStatus: { status: "ERROR", reason: "in use" } })),
      };
    if (of === "updates") return { updateIds: this.upgrade ? ["upgrade"] : [] };
    const { to: value, at } = this.upgrade ?? {};
    const params = [{ type: "Version", value }];
    const createdAt = (at ?? new Date()).getTime() / 1000;
    return { update: { id: "upgrade", type: "VersionUpdate", status: "Successful", params, createdAt } };
  }
}
