import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RateLimiterMemory } from "rate-limiter-flexible";
import { getOperationAST, GraphQLError, type DocumentNode, type ExecutionResult } from "graphql";
import { createSchema, createYoga, type Plugin, type YogaServerInstance } from "graphql-yoga";
import { RIGHTS } from "./auth/rights";
import { callerOf, identify, type Presented, type Verifiers } from "./auth/caller";
import { tenantIdentity } from "./auth/tenant";
import { type CallerOfAny, type Identity } from "./auth/identity";
import { OperationError } from "../operations/error";
import type { Backend } from "./backend";
import type { ApiContext, Log, RuntimeSettings } from "./context";
import { ApiError, shown } from "./errors";
import { limitPlugins, type Limits } from "./limits";
import { loadersOf } from "./loaders";
import { withOriginalForm } from "./runtimes/errors";
import { isOriginal } from "./runtimes";
import { resolvers } from "./resolvers";

export interface ApiSettings {
  /** Path of the API. */
  readonly endpoint: string;
  /** The SDL of the API. */
  readonly schema: string;
  readonly limits: Limits;
  readonly rate?: RateLimiterMemory;
  readonly defaultPlatform: string;
  readonly verifiers: Verifiers;
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
}

export type Api = YogaServerInstance<ServerContext, ApiContext>;

/** Creates the GraphQL API on top of a backend. */
export function createApi(backend: Backend, settings: ApiSettings): Api {
  const { endpoint, limits, verifiers, runtimes = {}, log } = settings;
  return createYoga<ServerContext, ApiContext>({
    schema: createSchema({ typeDefs: settings.schema, resolvers }),
    graphqlEndpoint: endpoint,
    // The server serves the playground, whose path is configurable.
    graphiql: false,
    landingPage: false,
    logging: false,
    // Pages of other origins have no token and need no access.
    cors: false,
    batching: false,
    plugins: [formPlugin(), ...limitPlugins(limits), observePlugin(settings), ...(settings.plugins ?? [])],
    maskedErrors: {
      maskError: (error) => {
        const request = randomUUID();
        const report = (original: unknown) => log.error({ request, error: original }, "unexpected error in the API");
        return withHttp(shown(error, request, report));
      },
    },
    context: ({ request, req, params }) => {
      const requestId = randomUUID();
      const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
      const address = req?.socket.remoteAddress;
      const presented = { authorization: header("authorization"), tenant: header("tenant"), address };
      let caller: Promise<CallerOfAny> | undefined;
      let ofTenant: Promise<CallerOfAny> | undefined;
      const identified = () => callerWithin(presented, () => identify(presented, verifiers), settings.rate);
      const identifiedForTenant = () =>
        callerWithin(presented, () => tenantIdentity(presented, verifiers, runtimes), settings.rate);
      return {
        backend,
        loaders: loadersOf(backend),
        requestId,
        log: withFields(log, { request: requestId, name: params.operationName ?? undefined }),
        defaultPlatform: settings.defaultPlatform,
        signal: request.signal,
        subAccount: header("sub-account"),
        runtimes,
        caller: () => (caller ??= identified()),
        tenantCaller: () => (ofTenant ??= identifiedForTenant()),
      };
    },
  });
}

/** Returns the caller if it is within its rate limit. Callers without a valid token are limited by address. */
async function callerWithin(
  presented: Presented,
  identified: () => Promise<Identity>,
  rate: RateLimiterMemory | undefined,
): Promise<CallerOfAny> {
  try {
    const identity = await identified();
    await consume(rate, `actor ${identity.actor}`);
    return callerOf(identity, presented);
  } catch (error) {
    if (error instanceof ApiError && error.parts.code === "UNAUTHENTICATED") {
      await consume(rate, `address ${presented.address ?? ""}`);
    }
    throw error;
  }
}

async function consume(rate: RateLimiterMemory | undefined, key: string): Promise<void> {
  try {
    await rate?.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const { msBeforeNext = 1000 } = refusal as { msBeforeNext?: number };
    const reason = "there were too many requests of this caller";
    const advice = `try again in ${Math.ceil(msBeforeNext / 1000)} s`;
    throw new ApiError({ code: "RATE_LIMITED", reason, advice });
  }
}

/** Sets the HTTP status that matches the error if the response has no data. */
function withHttp(error: ReturnType<typeof shown>): ReturnType<typeof shown> {
  const { code, status } = error.extensions as { code?: string; status?: number };
  if (code === "UNAUTHENTICATED") {
    error.extensions["http"] = { status, headers: { "www-authenticate": "Bearer" } };
  } else if (code === "RATE_LIMITED" || code === "TOO_LARGE") {
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
