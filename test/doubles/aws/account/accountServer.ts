import { request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import type { Properties } from "../../../../foundation/pulumi/resource";
import { textOfAnswer } from "../localService";
import { VersionServer } from "../versionServer";
import { eksAnswer } from "./eksApi";
import { Refusal } from "./refusal";
import { FormerStacks } from "./formerStacks";

/**
 * All APIs of AWS at one address, for one account: EKS as the double of the provider has it, Systems Manager by its versions, everything
 * else by moto behind it, except stacks of CloudFormation with resources of EKS.
 */
export class AccountServer extends VersionServer {
  private readonly stacks: FormerStacks;

  /** `kubeconfig`: of the API server of clusters that CloudFormation creates. */
  constructor(
    private readonly moto: string,
    kubeconfig: string,
  ) {
    super();
    this.stacks = new FormerStacks(moto, kubeconfig);
  }

  override get env(): Record<string, string> {
    return { AWS_ENDPOINT_URL: this.address };
  }

  protected override respond(request: IncomingMessage, bytes: Buffer, response: ServerResponse): void {
    void this.answered(request, bytes.toString()).then(
      (answer) => (answer === undefined ? this.pass(request, response, bytes) : response.end(textOfAnswer(answer))),
      (error: unknown) => {
        if (!(error instanceof Refusal)) return response.writeHead(500).end(String((error as Error).stack));
        response.writeHead(error.status, { "x-amzn-errortype": error.name }).end(error.bodyFor(request));
      },
    );
  }

  /** Undefined if moto has the answer. */
  private async answered(request: IncomingMessage, body: string): Promise<unknown> {
    const scope = /Credential=([^/]+)\/\d{8}\/[^/]+\/([^/]+)\//.exec(request.headers.authorization ?? "");
    const [, key = "", service = ""] = scope ?? [];
    const url = new URL(request.url ?? "", "http://aws");
    if (service === "ssm") return this.answer(url, request.headers["x-amz-target"], body);
    if (service === "eks") {
      const given = JSON.parse(body || "{}") as Properties;
      return eksAnswer(request.method ?? "", url, given) ?? this.answer(url, undefined, body);
    }
    return service === "cloudformation" ? this.stacks.answer(new URLSearchParams(body), key) : undefined;
  }

  private pass({ method, url, headers }: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
    const passed = ask(new URL(url ?? "", this.moto), { method, headers }, (found) => {
      response.writeHead(found.statusCode ?? 500, found.headers);
      found.pipe(response);
    });
    passed.once("error", (error) => response.writeHead(502).end(String(error)));
    passed.end(bytes);
  }
}
