import { randomUUID } from "node:crypto";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, graphql, GraphQLError } from "graphql";

/** Error numbers of a Director. */
export const CODES = {
  internal: 10,
  notFound: 20,
  notUnique: 21,
  invalid: 22,
  scopes: 23,
  noTenant: 24,
  tenant: 25,
  unauthorized: 26,
};

interface Runtime {
  id: string;
  tenant: string;
  name: string;
  description?: string;
  labels: Record<string, unknown>;
  status: { condition: string };
}

interface Input {
  readonly name: string;
  readonly description?: string;
  readonly labels?: Record<string, unknown>;
  readonly statusCondition?: string;
}

/**
 * What happens to the next request: the connection breaks before or after its execution, the response is late, or it is
 * an error.
 */
export type Trouble =
  | { readonly kind: "cutBefore" | "cutAfter" | "nullResult" }
  | { readonly kind: "late"; readonly ms: number }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "error"; readonly code: number; readonly message: string };

const schema = buildSchema(`
  scalar Labels
  enum RuntimeStatusCondition { INITIAL PROVISIONING CONNECTED FAILED }
  input RuntimeInput { name: String!, description: String, labels: Labels, statusCondition: RuntimeStatusCondition }
  input LabelFilter { key: String!, query: String }
  type RuntimeStatus { condition: RuntimeStatusCondition! }
  type Runtime { id: ID!, name: String!, description: String, labels(key: String): Labels, status: RuntimeStatus! }
  type RuntimePage { data: [Runtime!]!, totalCount: Int! }
  type OneTimeTokenForRuntime { token: String!, connectorURL: String! }
  type Query {
    runtime(id: ID!): Runtime
    runtimes(filter: [LabelFilter!], first: Int = 200, after: String): RuntimePage!
  }
  type Mutation {
    registerRuntime(in: RuntimeInput!): Runtime!
    updateRuntime(id: ID!, in: RuntimeInput!): Runtime!
    unregisterRuntime(id: ID!): Runtime!
    requestOneTimeTokenForRuntime(id: ID!): OneTimeTokenForRuntime!
  }
`);

const refuse = (code: number, message: string): GraphQLError =>
  new GraphQLError(`${message} [error code: ${code}]`, { extensions: { error_code: code } });

/** Simulates a Director and its token issuer: see the README in this folder. */
export class DirectorDouble {
  readonly runtimes = new Map<string, Runtime>();
  readonly tenants = new Set(["tenant-1"]);
  readonly oneTimeTokens: { readonly id: string; readonly token: string }[] = [];
  /** Names of the requested fields, in order. */
  readonly asked: string[] = [];
  /** Failures for the next API requests, one each; requests to the token endpoint have none. */
  readonly troubles: Trouble[] = [];
  /** A field that is executed without a response. */
  silentAfter: string | undefined;
  tokensIssued = 0;
  tokenLifeSeconds = 3600;
  readonly client = { id: "client", secret: "s3cret:%" };
  readonly #tokens = new Map<string, number>();
  readonly #server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => void this.#answer(request, Buffer.concat(chunks).toString("utf8"), response));
  });

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", resolve);
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get #base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  get url(): string {
    return `${this.#base}/director/graphql`;
  }
  get tokenUrl(): string {
    return `${this.#base}/oauth2/token`;
  }
  /** Access data for a client. */
  get access() {
    const { url, tokenUrl, client } = this;
    return { url, tokenUrl, clientId: client.id, clientSecret: client.secret, tenant: "tenant-1" };
  }

  /** Invalidates all issued tokens. */
  expireTokens(): void {
    this.#tokens.clear();
  }

  async #answer(request: http.IncomingMessage, body: string, response: http.ServerResponse): Promise<void> {
    const reply = (status: number, answer: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    if (request.url === "/oauth2/token") return void this.#token(request, body, reply);
    if (request.url !== "/director/graphql") return void reply(404, {});
    const trouble = this.troubles.shift();
    if (trouble?.kind === "cutBefore") return void request.socket.destroy();
    if (trouble?.kind === "late") await new Promise((resolve) => setTimeout(resolve, trouble.ms));
    if (trouble?.kind === "status") return void reply(trouble.status, {});
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if ((this.#tokens.get(token) ?? 0) < Date.now()) return void reply(401, { error: "unauthorized" });
    if (trouble?.kind === "error") {
      return void reply(200, { data: null, errors: [refuse(trouble.code, trouble.message)] });
    }
    const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
    const tenant = request.headers["tenant"];
    const rootValue = this.#resolvers(typeof tenant === "string" ? tenant : "");
    const result = await graphql({ schema, source: query, variableValues: variables, rootValue });
    if (this.silentAfter !== undefined && query.includes(this.silentAfter)) return;
    if (trouble?.kind === "cutAfter") return void request.socket.destroy();
    return void reply(200, trouble?.kind === "nullResult" ? { data: { result: null } } : result);
  }

  #token(request: http.IncomingMessage, body: string, reply: (status: number, answer: object) => void): void {
    const [, basic = ""] = /^Basic (.*)$/.exec(request.headers.authorization ?? "") ?? [];
    const [id, secret] = Buffer.from(basic, "base64").toString("utf8").split(":").map(decodeURIComponent);
    const form = new URLSearchParams(body);
    if (id !== this.client.id || secret !== this.client.secret) return reply(401, { error: "invalid_client" });
    if (form.get("grant_type") !== "client_credentials") return reply(400, { error: "unsupported_grant_type" });
    if (form.get("scope") !== "runtime:read runtime:write") return reply(400, { error: "invalid_scope" });
    const token = randomUUID();
    this.tokensIssued += 1;
    this.#tokens.set(token, Date.now() + this.tokenLifeSeconds * 1000);
    reply(200, { access_token: token, expires_in: this.tokenLifeSeconds, token_type: "bearer" });
  }

  #resolvers(tenant: string) {
    const enter = (field: string): void => {
      this.asked.push(field);
      if (tenant === "") throw refuse(CODES.noTenant, "Tenant is required");
      if (!this.tenants.has(tenant)) throw refuse(CODES.tenant, "Tenant not found");
    };
    const own = (id: string): Runtime => {
      const found = this.runtimes.get(id);
      if (found?.tenant !== tenant) throw refuse(CODES.notFound, "Object not found");
      return found;
    };
    const check = (input: Input, except?: string): void => {
      if (!/^[a-z.-][a-z0-9.-]{0,35}$/.test(input.name))
        throw refuse(CODES.invalid, "Invalid data RuntimeInput [name]");
      const keys = Object.keys(input.labels ?? {});
      if (!keys.every((key) => /^[A-Za-z0-9_]+$/.test(key)))
        throw refuse(CODES.invalid, "Invalid data RuntimeInput [labels]");
      const taken = [...this.runtimes.values()].some(
        (one) => one.tenant === tenant && one.name === input.name && one.id !== except,
      );
      if (taken) throw refuse(CODES.notUnique, `Object is not unique [object=runtime]`);
    };
    return {
      runtime: ({ id }: { id: string }) => {
        enter("runtime");
        const found = this.runtimes.get(id);
        return found?.tenant === tenant ? shown(found) : null;
      },
      runtimes: ({ filter = [] }: { filter?: { key: string; query?: string }[] }) => {
        enter("runtimes");
        const matches = ({ labels }: Runtime): boolean =>
          filter.every(({ key, query }) => key in labels && (!query || JSON.stringify(labels[key]) === query));
        const data = [...this.runtimes.values()].filter((one) => one.tenant === tenant && matches(one)).map(shown);
        return { data, totalCount: data.length };
      },
      registerRuntime: ({ in: input }: { in: Input }) => {
        enter("registerRuntime");
        check(input);
        const { name, description, labels = {}, statusCondition = "INITIAL" } = input;
        const runtime = { id: randomUUID(), tenant, name, description, labels, status: { condition: statusCondition } };
        this.runtimes.set(runtime.id, runtime);
        return shown(runtime);
      },
      updateRuntime: ({ id, in: input }: { id: string; in: Input }) => {
        enter("updateRuntime");
        const runtime = own(id);
        check(input, id);
        // Labels are replaced as a whole; a missing condition becomes the initial one.
        const { name, description, labels = {}, statusCondition = "INITIAL" } = input;
        Object.assign(runtime, { name, description, labels, status: { condition: statusCondition } });
        return shown(runtime);
      },
      unregisterRuntime: ({ id }: { id: string }) => {
        enter("unregisterRuntime");
        const runtime = own(id);
        this.runtimes.delete(id);
        return shown(runtime);
      },
      requestOneTimeTokenForRuntime: ({ id }: { id: string }) => {
        enter("requestOneTimeTokenForRuntime");
        own(id);
        const token = randomUUID();
        this.oneTimeTokens.push({ id, token });
        return { token, connectorURL: `${this.#base}/connector/graphql` };
      },
    };
  }
}

const shown = (runtime: Runtime) => ({ ...runtime, labels: () => runtime.labels });
