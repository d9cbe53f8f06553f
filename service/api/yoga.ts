import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RateLimiterMemory } from "rate-limiter-flexible";
import { getOperationAST, GraphQLError, type DocumentNode, type ExecutionResult } from "graphql";
import { createSchema, createYoga, type Plugin, type YogaServerInstance } from "graphql-yoga";
import { RIGHTS } from "./rights/rights";
import { admission, type Admit, type Visitor } from "./auth/admission";
import { callerOf, noToken, type Presented, type Verifiers } from "./auth/caller";
import { tenantIdentity } from "./auth/tenant";
import { OperationError } from "../operations/error";
import type { Backend } from "./backend";
import type { Log } from "../log";
import type { ApiContext, RuntimeSettings } from "./context";
import { ApiError, shown } from "./errors";
import { limitPlugins, type Limits } from "./limits";
import { loadersOf } from "./loaders";
import { refusalOf } from "./refusal";
import { withOriginalForm } from "./runtimes/errors";
import { isOriginal } from "./runtimes";
import { resolvers } from "./resolvers";

export interface ApiSettings {
  /** Path of the API. */
  readonly endpoint: string;
  readonly schema: ReturnType<typeof apiSchema>;
  readonly limits: Limits;
  readonly rate?: RateLimiterMemory;
  readonly defaultPlatform: string;
  readonly verifiers: Verifiers;
  /** True if requests without a token may read the schema. Default: false. */
  readonly publicSchema?: boolean;
  /** Settings of the runtime API. */
  readonly runtimes?: RuntimeSettings;
  readonly log: Log;
  /** Called after each request. */
  observe?(this: void, seen: Seen): void;
  /** Additional plugins, such as tracing. */
  readonly plugins?: readonly Plugin[];
}

export interface Seen {
  /** Root field, such as provisionDeployment. */
  readonly field: string;
  /** `ok`, or the code of the first error. */
  readonly outcome: string;
  readonly seconds: number;
}

interface ServerContext {
  readonly req?: IncomingMessage;
  readonly res?: ServerResponse;
  /** The visitor, if it was admitted before the body was read. */
  readonly visitor?: Visitor;
}

export interface Api extends YogaServerInstance<ServerContext, ApiContext> {
  /** Authenticates and rate-limits a request by its headers. Throws an ApiError if it is refused. */
  readonly admit: Admit;
}

/** The schema of the API with its resolvers, by its SDL. */
export const apiSchema = (typeDefs: string) => createSchema<ApiContext>({ typeDefs, resolvers });

/** Creates the GraphQL API on top of a backend. */
export function createApi(backend: Backend, settings: ApiSettings): Api {
  const { endpoint, limits, runtimes = {}, log } = settings;
  const admit = counted(admission(settings), settings);
  const visitors = new WeakMap<Request, Visitor>();
  const yoga = createYoga<ServerContext, ApiContext>({
    schema: settings.schema,
    graphqlEndpoint: endpoint,
    // The server serves the playground, whose path is configurable.
    graphiql: false,
    landingPage: false,
    logging: false,
    // Pages of other origins have no token and need no access.
    cors: false,
    batching: false,
    multipart: false,
    plugins: [
      admissionPlugin(admit, visitors),
      formPlugin(),
      ...limitPlugins(limits),
      observePlugin(settings),
      ...(settings.plugins ?? []),
    ],
    maskedErrors: {
      maskError: (error) => {
        const request = randomUUID();
        const report = (original: unknown) => log.error({ request, error: original }, "unexpected error in the API");
        return withHttp(shown(error, request, report));
      },
    },
    context: ({ request, params }) => {
      const requestId = randomUUID();
      const visitor = visitors.get(request) ?? { presented: {} };
      const { presented } = visitor;
      return {
        backend,
        loaders: loadersOf(backend),
        requestId,
        log: withFields(log, { request: requestId, name: params.operationName ?? undefined }),
        defaultPlatform: settings.defaultPlatform,
        signal: request.signal,
        subAccount: request.headers.get("sub-account") ?? undefined,
        runtimes,
        caller: () => {
          if (!visitor.identity) throw noToken();
          return callerOf(visitor.identity, presented);
        },
        tenantCaller: () => callerOf(tenantIdentity(visitor, runtimes), presented),
      };
    },
  });
  return Object.assign(yoga, { admit });
}

/** Counts refused requests, which never reach a field. */
const counted =
  (admit: Admit, { observe }: ApiSettings): Admit =>
  async (presented) => {
    const started = performance.now();
    try {
      return await admit(presented);
    } catch (error) {
      const outcome = error instanceof ApiError ? error.parts.code : "INTERNAL";
      observe?.({ field: "other", outcome, seconds: (performance.now() - started) / 1000 });
      throw error;
    }
  };

/** Refuses a request before it is parsed. The HTTP server has already done so before it read the body. */
function admissionPlugin(admit: Admit, visitors: WeakMap<Request, Visitor>): Plugin<object, ServerContext> {
  return {
    async onRequest(received) {
      const { request, serverContext } = received;
      try {
        visitors.set(request, serverContext.visitor ?? (await admit(presentedIn(request, serverContext.req))));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { body, ...init } = refusalOf(error.parts);
        received.endResponse(new Response(body, init));
      }
    },
  };
}

function presentedIn(request: Request, req: IncomingMessage | undefined): Presented {
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
  return { authorization: header("authorization"), tenant: header("tenant"), address: req?.socket.remoteAddress };
}

/** Sets the HTTP status that matches the error if the response has no data. */
function withHttp(error: ReturnType<typeof shown>): ReturnType<typeof shown> {
  const { code, status } = error.extensions as { code?: string; status?: number };
  if (code === "UNAUTHENTICATED") {
    error.extensions["http"] = { status, headers: { "www-authenticate": "Bearer" } };
  } else if (code === "TOO_LARGE") {
    error.extensions["http"] = { status };
  }
  return error;
}

const withFields = (log: Log, fields: object): Log => ({
  info: (more, text) => log.info({ ...fields, ...more }, text),
  warn: (more, text) => log.warn({ ...fields, ...more }, text),
  error: (more, text) => log.error({ ...fields, ...more }, text),
});

/** Errors of queries that were not executed bypass `maskError`; this plugin converts them too. */
function formPlugin(): Plugin {
  return {
    onResultProcess(processed) {
      const { result } = processed;
      if (Array.isArray(result) || !("errors" in result) || !result.errors) return;
      const errors = result.errors.map((error) =>
        typeof error.extensions["class"] === "string" ? error : shown(withoutCode(error), "", () => undefined),
      );
      for (const error of errors) withOriginalForm(error, isOriginal);
      processed.setResult({ ...result, errors });
    },
  };
}

const withoutCode = ({ message, nodes, source, positions, path, extensions }: GraphQLError): GraphQLError =>
  new GraphQLError(message, { nodes, source, positions, path, extensions: { http: extensions["http"] } });

function observePlugin(settings: ApiSettings): Plugin {
  return {
    onExecute({ args }) {
      const started = performance.now();
      const { document, operationName } = args as { document: DocumentNode; operationName?: string };
      const first = getOperationAST(document, operationName)?.selectionSet.selections[0];
      const name = first !== undefined && "name" in first ? (first.name?.value ?? "") : "";
      const field = Object.hasOwn(RIGHTS, name) ? name : "other";
      return {
        onExecuteDone({ result }) {
          const errors = Symbol.asyncIterator in result ? undefined : (result as ExecutionResult).errors;
          const outcome = errors?.[0] ? codeOf(errors[0]) : "ok";
          settings.observe?.({ field, outcome, seconds: (performance.now() - started) / 1000 });
        },
      };
    },
  };
}

/** Errors arrive here unconverted. */
function codeOf({ originalError, extensions }: GraphQLError): string {
  if (originalError instanceof OperationError) return originalError.code;
  return typeof extensions["code"] === "string" ? extensions["code"] : "INTERNAL";
}
