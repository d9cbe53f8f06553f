/** The gRPC service that the engine calls, on top of resource handlers. */

import { status } from "@grpc/grpc-js";
import type { handleUnaryCall, ServerUnaryCall, ServiceError, UntypedServiceImplementation } from "@grpc/grpc-js";
import * as rpc from "../../foundation/pulumi/protocol/plugin";
import { Empty, PluginInfo, type PluginAttach } from "../../foundation/pulumi/protocol/plugin";
import { encodeDifference } from "./changes";
import { protocolError, toServiceError } from "./errors";
import type { FunctionHandler, Question } from "./function";
import type { Context, ResourceHandler } from "../../foundation/pulumi/resource";
import type { Session, Sessions } from "./session";
import { decode, encode } from "../../foundation/pulumi/protocol/values";

export type AnyHandler = ResourceHandler<object, object>;
export type AnyFunction = FunctionHandler<object, object>;

/** Definition of a provider. */
export interface Provider {
  /** Version without `v`. */
  readonly version: string;
  /** Handlers by type token, loaded when the first resource of the type is used. */
  readonly handlers: Readonly<Record<string, () => Promise<AnyHandler>>>;
  /** Function handlers by token, loaded on first use. */
  readonly functions?: Readonly<Record<string, () => Promise<AnyFunction>>>;
  /** Path of the program, which serves components with the argument `--components`. Default: it has none. */
  readonly program?: string | undefined;
  /** Returns the Pulumi package schema as JSON. */
  schema(): Promise<string>;
}

/** Fields of every request about a resource. */
interface AboutResource {
  getUrn(): string;
  getType(): string;
}

type Forwarded<Request, Response> = (
  components: rpc.ResourceProviderClient,
) => (request: Request, callback: (error: ServiceError | null, response?: Response) => void) => unknown;

interface Verb<Request> {
  readonly request: Request;
  readonly handler: AnyHandler;
  readonly context: Context;
  readonly secrets: readonly string[];
}

/** `backend`: the name of the one that the engines use. */
export function service(provider: Provider, sessions: Sessions, backend: string): UntypedServiceImplementation {
  /** Wraps a call without a resource. */
  const plain =
    <Request, Response>(
      answer: (request: Request, session: Session) => Response | Promise<Response>,
    ): handleUnaryCall<Request, Response> =>
    (call, callback) => {
      Promise.resolve()
        .then(() => answer(call.request, sessions.of(call.getPeer())))
        .then(
          (response) => callback(null, response),
          (error: unknown) => callback(toServiceError(error)),
        );
    };

  /** Wraps a call on a resource: finds its handler, creates its context, and converts errors. */
  const verb =
    <Request extends AboutResource, Response>(
      run: (verb: Verb<Request>) => Promise<Response>,
      inputs: (request: Request) => object | undefined = () => undefined,
    ): handleUnaryCall<Request, Response> =>
    (call, callback) => {
      const session = sessions.of(call.getPeer());
      const work = async () => {
        const { request } = call;
        const handler = await handlerOf(provider, request);
        const secrets = handler.secretProperties ?? [];
        try {
          return await run({ request, handler, secrets, context: contextOf(call, session, backend) });
        } catch (error) {
          throw toServiceError(error, secrets, inputs(request));
        } finally {
          await session.flush();
        }
      };
      work().then(
        (response) => callback(null, response),
        (error: unknown) => callback(isServiceError(error) ? error : toServiceError(error)),
      );
    };

  /** Passes a request on to the program that serves components. */
  const forward =
    <Request, Response>(verb: Forwarded<Request, Response>): handleUnaryCall<Request, Response> =>
    (call, callback) => {
      Promise.resolve()
        .then(() => sessions.of(call.getPeer()).components(provider.program))
        .then(
          (components) => verb(components)(call.request, callback),
          (error: unknown) => callback(toServiceError(error)),
        );
    };

  return {
    handshake: plain((request: rpc.ProviderHandshakeRequest, session) => {
      session.begin(request.getEngineAddress());
      // Components need secrets and outputs. Only they get outputs; resources arrive as plain values.
      return new rpc.ProviderHandshakeResponse().setAcceptSecrets(true).setAcceptOutputs(true);
    }),
    attach: plain((request: PluginAttach, session) => {
      session.begin(request.getAddress());
      return new Empty();
    }),
    cancel: plain((_request, session) => {
      session.cancel();
      return new Empty();
    }),
    getPluginInfo: plain(() => new PluginInfo().setVersion(provider.version)),
    getSchema: plain(async (request: rpc.GetSchemaRequest) => {
      if (request.getVersion() !== 0) {
        const found = `the engine requested schema version ${request.getVersion()}; expected 0`;
        throw protocolError(status.UNIMPLEMENTED, `${found}; use the Pulumi version that this project is made for`);
      }
      return new rpc.GetSchemaResponse().setSchema(await provider.schema());
    }),
    // Our package has the name of the project, so the engine passes the project's whole config to the default provider.
    // Resources don't need it. Dropping it keeps it out of the state.
    checkConfig: plain(() => new rpc.CheckResponse().setInputs(encode({}))),
    diffConfig: plain(() => encodeDifference({ changes: {} })),
    invoke: plain(async (request: rpc.InvokeRequest, session) => {
      const call = await functionOf(provider, request.getTok());
      const question: Question = {
        backend,
        signal: session.signal,
        log: (severity, message) => session.log("", severity, message),
      };
      const answer = await call(question, decode(request.getArgs()));
      return new rpc.InvokeResponse().setReturn(encode(answer));
    }),
    configure: plain(() =>
      new rpc.ConfigureResponse().setSupportspreview(true).setAcceptsecrets(true).setAcceptoutputs(true),
    ),
    construct: forward<rpc.ConstructRequest, rpc.ConstructResponse>((program) => program.construct.bind(program)),
    call: forward<rpc.CallRequest, rpc.CallResponse>((program) => program.call.bind(program)),

    check: verb(async ({ request, handler, context, secrets }: Verb<rpc.CheckRequest>) => {
      const origin = { seed: request.getRandomseed_asB64(), old: decode(request.getOlds()) };
      const news = decode(request.getNews());
      const { inputs, failures } = await handler.check(context, news, origin);
      const response = new rpc.CheckResponse().setInputs(encode(inputs, secrets, news));
      // The path is part of the reason, because the engine prints the value of a failed property, even a secret one.
      response.setFailuresList(
        failures.map(({ property, reason }) => new rpc.CheckFailure().setReason(`${property}: ${reason}`)),
      );
      return response;
    }),
    diff: verb(async ({ request, handler, context }: Verb<rpc.DiffRequest>) => {
      const old = { inputs: decode(request.getOldInputs()), state: decode(request.getOlds()) };
      return encodeDifference(await handler.diff(context, request.getId(), old, decode(request.getNews())));
    }),
    create: verb(
      async ({ request, handler, context, secrets }: Verb<rpc.CreateRequest>) => {
        const inputs = decode(request.getProperties());
        const { id, state } = await handler.create(context, inputs);
        return new rpc.CreateResponse().setId(context.preview ? "" : id).setProperties(encode(state, secrets, inputs));
      },
      (request) => decode(request.getProperties()),
    ),
    read: verb(async ({ request, handler, context, secrets }: Verb<rpc.ReadRequest>) => {
      const old = { inputs: decode(request.getInputs()), state: decode(request.getProperties()) };
      const found = await handler.read(context, request.getId(), old);
      const response = new rpc.ReadResponse();
      // Without an id, the engine treats the resource as deleted.
      if (!found) return response;
      response.setId(request.getId()).setProperties(encode(found.state, secrets, old.state));
      return response.setInputs(encode(found.inputs, secrets, old.inputs));
    }),
    update: verb(
      async ({ request, handler, context, secrets }: Verb<rpc.UpdateRequest>) => {
        const old = { inputs: decode(request.getOldInputs()), state: decode(request.getOlds()) };
        const news = decode(request.getNews());
        const state = await handler.update(context, request.getId(), old, news);
        return new rpc.UpdateResponse().setProperties(encode(state, secrets, news));
      },
      (request) => decode(request.getNews()),
    ),
    delete: verb(async ({ request, handler, context }: Verb<rpc.DeleteRequest>) => {
      const old = { inputs: decode(request.getOldInputs()), state: decode(request.getProperties()) };
      await handler.delete(context, request.getId(), old);
      return new Empty();
    }),
  };
}

async function handlerOf(provider: Provider, request: AboutResource): Promise<AnyHandler> {
  // urn:pulumi:stack::project::parent$type::name, for engines that don't send the type separately.
  const type = request.getType() || (request.getUrn().split("::")[2]?.split("$").at(-1) ?? "");
  const load = Object.hasOwn(provider.handlers, type) ? provider.handlers[type] : undefined;
  if (!load) {
    const known = Object.keys(provider.handlers).join(", ");
    throw protocolError(
      status.UNIMPLEMENTED,
      `the stackyard provider has no resource type "${type}"; it has: ${known}`,
    );
  }
  return load();
}

async function functionOf({ functions = {} }: Provider, token: string): Promise<AnyFunction> {
  const load = Object.hasOwn(functions, token) ? functions[token] : undefined;
  if (load) return load();
  const known = Object.keys(functions).join(", ");
  throw protocolError(status.UNIMPLEMENTED, `the stackyard provider has no function "${token}"; it has: ${known}`);
}

function contextOf(call: ServerUnaryCall<AboutResource, unknown>, session: Session, backend: string): Context {
  const request = call.request as AboutResource & { getPreview?(): boolean; getTimeout?(): number };
  const urn = request.getUrn();
  return {
    urn,
    backend,
    preview: request.getPreview?.() ?? false,
    signal: session.signal,
    timeoutSeconds: request.getTimeout?.() || undefined,
    log: (severity, message) => session.log(urn, severity, message),
  };
}

function isServiceError(error: unknown): error is ReturnType<typeof toServiceError> {
  return error instanceof Error && "code" in error && "details" in error && "metadata" in error;
}
