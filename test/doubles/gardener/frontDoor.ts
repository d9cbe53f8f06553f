import type { IncomingMessage, ServerResponse } from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { at } from "../../../kubernetes/objects/objects";
import { answer, refusal, type Reply, type RuntimeCluster } from "./adminKubeconfig";
import { missingReference } from "./behaviour/references";
import { answerOf, type WriteFault } from "./behaviour/writeFaults";
import { GROUP, VERSION } from "./kinds/definitions";

const KUBECONFIG = new RegExp(
  `^/apis/${GROUP}/${VERSION}/namespaces/([^/?]+)/shoots/([^/?]+)/(admin|viewer)kubeconfig(\\?.*)?$`,
);

export interface FrontDoorOptions {
  /** The control plane behind the proxy. */
  readonly server: URL;
  readonly ca: Buffer;
  /** Client certificate for the control plane. */
  readonly cert: Buffer;
  readonly key: Buffer;
  /** A client that may read all its Shoots. */
  readonly garden: Client;
  /** Returns the cluster of a Shoot. */
  readonly clusterOf: (namespace: string, name: string) => Promise<RuntimeCluster>;
}

const NAMESPACE = /^\/api\/v1\/namespaces\/([^/?]+)(?:\?.*)?$/;
const SHOOTS = new RegExp(`^/apis/${GROUP}/${VERSION}/namespaces/([^/?]+)/shoots(?:/[^/?]+)?(?:\\?.*)?$`);

/**
 * A proxy in front of an API server. It handles the two subresources of Shoots that a CustomResourceDefinition can't
 * have, rejects Shoots that name objects that do not exist, and forwards everything else unchanged: watches, dry runs
 * and other rejections come from the API server itself. Callers have tokens.
 */
export class FrontDoor {
  readonly #server: https.Server;
  readonly #agent: https.Agent;
  /** Delay of each response. */
  delayMs = 0;
  /** While true, connections are closed without a response. */
  away = false;
  /** While set, the address leads to a garden whose project has this UID. Its Shoots are those of the first one. */
  otherProject: string | undefined;
  #isBroken = false;
  /** What happens to the next requests that write a Shoot, one after the other; not to dry runs. */
  readonly writeFaults: WriteFault[] = [];
  /** Number of requests for Shoots so far. */
  asked = 0;

  constructor(private readonly options: FrontDoorOptions) {
    const { ca, cert, key } = options;
    this.#agent = new https.Agent({ keepAlive: true, ca });
    this.#server = https.createServer({ cert, key }, (request, response) => {
      this.#serve(request).then(
        (reply) => {
          if (reply === "lost") this.#forward(request, response, undefined, true);
          else if (Buffer.isBuffer(reply)) this.#forward(request, response, reply);
          else if (reply) send(response, reply);
          else this.#forward(request, response);
        },
        (error: unknown) => send(response, refusal(500, "InternalError", String(error))),
      );
    });
  }

  /** While true, requests for Shoots fail with an internal error. Watches end as it begins, as with a server that fails. */
  set broken(isBroken: boolean) {
    this.#isBroken = isBroken;
    if (isBroken) this.#agent.destroy();
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", resolve);
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Returns the response if the proxy handles the request itself, or the body if it has read that. */
  async #serve(request: IncomingMessage): Promise<Reply | Buffer | "lost" | undefined> {
    if (/\/shoots\b/.test(request.url ?? "")) this.asked++;
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    if (this.away) {
      request.socket.destroy();
      throw new Error("away");
    }
    if (this.#isBroken && /\/shoots\b/.test(request.url ?? "")) {
      return refusal(500, "InternalError", "an error on the server has prevented the request from succeeding");
    }
    const [, read] = NAMESPACE.exec(request.url ?? "") ?? [];
    if (read !== undefined && this.otherProject !== undefined) {
      return { status: 200, body: { kind: "Namespace", metadata: { name: read, uid: this.otherProject } } };
    }
    const [, project] = SHOOTS.exec(request.url ?? "") ?? [];
    if (project !== undefined && ["POST", "PATCH"].includes(request.method ?? "")) {
      const fault = request.url?.includes("dryRun=") ? undefined : this.writeFaults.shift();
      if (fault === "lost") return fault;
      const refused = answerOf(fault);
      if (refused) return refused;
      const body = await bodyOf(request);
      return (await missingReference(this.options.garden, project, JSON.parse(body.toString()))) ?? body;
    }
    const [, namespace, name, role] = KUBECONFIG.exec(request.url ?? "") ?? [];
    if (namespace === undefined || name === undefined) return undefined;
    if (request.method !== "POST")
      return refusal(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
    const content = await bodyOf(request);
    const refused = await this.#mayNot(request.headers.authorization ?? "", namespace, name, `${role}kubeconfig`);
    if (refused) return refused;
    const body: unknown = JSON.parse(content.toString());
    const asked = { namespace, name, role: role as "admin" | "viewer", body };
    return answer(this.options.garden, await this.options.clusterOf(namespace, name), asked);
  }

  /** Asks the API server about the caller's permission. */
  async #mayNot(
    authorization: string,
    namespace: string,
    name: string,
    subresource: string,
  ): Promise<Reply | undefined> {
    const { server, ca } = this.options;
    const token = authorization.replace(/^Bearer /, "");
    const cluster = { server: server.href, "certificate-authority-data": ca.toString("base64") };
    const caller = connect(
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "caller",
        contexts: [{ name: "caller", context: { cluster: "caller", user: "caller" } }],
        clusters: [{ name: "caller", cluster }],
        users: [{ name: "caller", user: { token } }],
      }),
      undefined,
      {},
    );
    const resourceAttributes = {
      group: GROUP,
      version: VERSION,
      resource: "shoots",
      subresource,
      verb: "create",
      namespace,
      name,
    };
    try {
      const review = await caller.review("authorization.k8s.io/v1", "SelfSubjectAccessReview", { resourceAttributes });
      if (at(review, "status", "allowed") === true) return undefined;
    } catch {
      return refusal(401, "Unauthorized", "Unauthorized");
    }
    return refusal(
      403,
      "Forbidden",
      `shoots.${GROUP} "${name}" is forbidden: cannot create resource "shoots/${subresource}"`,
    );
  }

  /** `isLost`: the connection is closed in place of the answer. */
  #forward(request: IncomingMessage, response: ServerResponse, body?: Buffer, isLost = false): void {
    const { server } = this.options;
    const { method, url, headers } = request;
    const onward = https.request(
      {
        agent: this.#agent,
        host: server.hostname,
        port: server.port,
        method,
        path: url,
        headers: { ...headers, host: server.host },
      },
      (answered) => {
        if (isLost) return void answered.resume().on("end", () => request.socket.destroy());
        response.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(response);
        answered.on("error", () => response.destroy());
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    if (body) onward.end(body);
    else request.pipe(onward);
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, { status, body }: Reply): void {
  if (response.destroyed) return;
  const [type, text] = typeof body === "string" ? ["text/html", body] : ["application/json", JSON.stringify(body)];
  response.writeHead(status, { "content-type": type }).end(text);
}
