/** Stands in for the engine: calls a served provider the way the engine does, and keeps what it logs. */

import { Server, ServerCredentials, credentials } from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as rpc from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { decode, encode } from "../../../foundation/pulumi/protocol/values";

type Callback<T> = (error: ServiceError | null, response: T) => void;

/** What the engine does with a failure that carries a resource. */
export interface PartialFailure {
  readonly id: string;
  readonly properties: object;
  readonly reasons: string[];
}

export class Engine {
  readonly lines: string[] = [];
  readonly #server = new Server();
  readonly #client: ResourceProviderClient;

  constructor(port: number) {
    // A channel of its own, as every real engine has one.
    this.#client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
      "grpc.use_local_subchannel_pool": 1,
    });
  }

  async start(): Promise<this> {
    this.#server.addService(EngineService, {
      log: (call: { request: LogRequest }, callback: Callback<Empty>) => {
        const { request } = call;
        const name = request.getUrn().split("::").at(-1);
        this.lines.push(`${name} ${request.getSeverity()}${request.getEphemeral() ? "~" : ""} ${request.getMessage()}`);
        callback(null, new Empty());
      },
    });
    const port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    const handshake = new rpc.ProviderHandshakeRequest().setEngineAddress(`127.0.0.1:${port}`);
    await unary<rpc.ProviderHandshakeResponse>((callback) => this.#client.handshake(handshake, callback));
    return this;
  }

  stop(): void {
    this.#client.close();
    this.#server.forceShutdown();
  }

  schema(): Promise<rpc.GetSchemaResponse> {
    return unary((callback) => this.#client.getSchema(new rpc.GetSchemaRequest(), callback));
  }

  checkConfig(news: object): Promise<rpc.CheckResponse> {
    return unary((callback) => this.#client.checkConfig(new rpc.CheckRequest().setNews(encode(news)), callback));
  }

  cancel(): Promise<Empty> {
    return unary((callback) => this.#client.cancel(new Empty(), callback));
  }

  /** `seed`: base64. */
  check(type: string, news: object, seed = "", olds: object = {}): Promise<rpc.CheckResponse> {
    const request = new rpc.CheckRequest().setUrn(urn(type)).setNews(encode(news)).setOlds(encode(olds));
    request.setRandomseed(seed);
    return unary((callback) => this.#client.check(request, callback));
  }

  diff(type: string, old: object, news: object): Promise<rpc.DiffResponse> {
    const request = new rpc.DiffRequest().setUrn(urn(type)).setId("id").setOlds(encode(old));
    request.setOldInputs(encode(old)).setNews(encode(news));
    return unary((callback) => this.#client.diff(request, callback));
  }

  create(type: string, properties: object, preview = false, timeout = 0): Promise<rpc.CreateResponse> {
    const request = new rpc.CreateRequest().setUrn(urn(type)).setProperties(encode(properties));
    request.setPreview(preview).setTimeout(timeout);
    return unary((callback) => this.#client.create(request, callback));
  }

  update(type: string, id: string, old: object, news: object, preview = false): Promise<rpc.UpdateResponse> {
    const request = new rpc.UpdateRequest().setUrn(urn(type)).setId(id).setOlds(encode(old));
    request.setOldInputs(encode(old)).setNews(encode(news)).setPreview(preview);
    return unary((callback) => this.#client.update(request, callback));
  }

  read(type: string, id: string, old: object = {}): Promise<rpc.ReadResponse> {
    const request = new rpc.ReadRequest().setUrn(urn(type)).setId(id).setProperties(encode(old)).setInputs(encode(old));
    return unary((callback) => this.#client.read(request, callback));
  }

  /** What a function of the provider answers. */
  async invoke(name: string, args: object): Promise<Record<string, unknown>> {
    const request = new rpc.InvokeRequest().setTok(`stackyard:index:${name}`).setArgs(encode(args));
    return decode((await unary<rpc.InvokeResponse>((callback) => this.#client.invoke(request, callback))).getReturn());
  }

  delete(type: string, id: string, old: object): Promise<Empty> {
    const request = new rpc.DeleteRequest().setUrn(urn(type)).setId(id).setProperties(encode(old));
    return unary((callback) => this.#client.delete(request.setOldInputs(encode(old)), callback));
  }
}

const urn = (type: string): string => `urn:pulumi:dev::stackyard::a:b:C$stackyard:index:${type}::one`;

function unary<T>(call: (callback: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => call((error, response) => (error ? reject(error) : resolve(response))));
}

/** The resource that came along with a failure; undefined when none did. */
export function partialFailure(error: ServiceError): PartialFailure | undefined {
  const [bytes] = error.metadata.get("grpc-status-details-bin");
  if (!(bytes instanceof Buffer)) return undefined;
  const [detail] = Status.deserializeBinary(bytes).getDetailsList();
  if (detail?.getTypeUrl() !== "type.googleapis.com/pulumirpc.ErrorResourceInitFailed") return undefined;
  const failed = rpc.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
  const properties = failed.getProperties()?.toJavaScript() ?? {};
  return { id: failed.getId(), properties, reasons: failed.getReasonsList() };
}
