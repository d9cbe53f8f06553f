/** Calls functions of the Kubernetes provider without the Pulumi engine. The provider has no access to a cluster. */

import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { credentials, Metadata, status, type ServiceError } from "@grpc/grpc-js";
import {
  ConfigureRequest,
  InvokeRequest,
  ResourceProviderClient,
  type InvokeResponse,
} from "../../foundation/pulumi/protocol/plugin";
import { decode, encode } from "../../foundation/pulumi/protocol/values";
import { portOf, startProvider } from "./child";
import { EXECUTABLE, findExecutable, WANTED_VERSION } from "./executable";

/** The engine is not available, or it ended or did not respond. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}

/** The engine rejected the request. */
export class EngineRefusal extends Error {
  override readonly name = "EngineRefusal";
}

const MISSING =
  `Helm charts and kustomizations are rendered by the Kubernetes provider of Pulumi, and no ${EXECUTABLE} was found on PATH or among Pulumi's ` +
  `plugins; install it with "pulumi plugin install resource kubernetes v${WANTED_VERSION}"`;

/**
 * An invalid kubeconfig. It must not be a YAML map, because the provider would write that to a temporary file and not
 * delete it.
 */
const NO_CLUSTER = "none, because templates are rendered without a cluster";

interface EngineOptions {
  /** Its whole environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Memory limit in KiB. Default: unlimited. */
  readonly mostKib?: number;
  /** Removed with its content when the engine has ended, for whatever reason. Default: none. */
  readonly folder?: string;
  /** Maximum size of a response in bytes. Default: 64 MiB. */
  readonly mostBytes?: number;
}

export class TemplateEngine {
  #ended = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly client: ResourceProviderClient,
  ) {
    child.once("close", () => (this.#ended = true));
  }

  /** Starts an engine. `search`: the environment to find the executable with. Throws {@link EngineUnavailable}. */
  static async start(search: NodeJS.ProcessEnv, options: EngineOptions = {}): Promise<TemplateEngine> {
    const executable = findExecutable(search);
    if (executable === undefined) throw new EngineUnavailable(MISSING);
    const { mostBytes = 64 * 1024 * 1024, ...others } = options;
    // The provider requires the address of an engine for its logs. Nothing needs to listen there.
    const child = startProvider(executable, { args: ["127.0.0.1:1"], ...others });
    // The child must not keep this process alive. It ends with this process.
    child.unref();
    const streams = [child.stdin, child.stdout] as unknown as (Socket | null)[];
    let port: number;
    try {
      port = await portOf(child);
    } catch (cause) {
      throw new EngineUnavailable(
        `${executable} can't be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    }
    for (const stream of streams) stream?.unref();
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
      "grpc.max_receive_message_length": mostBytes,
      "grpc.max_send_message_length": mostBytes,
    });
    const engine = new TemplateEngine(child, client);
    const request = new ConfigureRequest();
    request.getVariablesMap().set("kubernetes:config:kubeconfig", NO_CLUSTER);
    await engine
      .#call((callback) => client.configure(request, callback))
      .catch((error: unknown) => {
        engine.stop();
        throw error;
      });
    return engine;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Throws {@link EngineRefusal} if the engine rejects the call, {@link EngineUnavailable} if it does not respond in time,
   * or ends.
   */
  async invoke(
    token: string,
    args: object,
    { timeoutMs = 60_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<Record<string, unknown>> {
    const request = new InvokeRequest().setTok(token).setArgs(encode(args));
    const answer = await this.#call<InvokeResponse>(
      (callback) => this.client.invoke(request, new Metadata(), { deadline: Date.now() + timeoutMs }, callback),
      signal,
    );
    const [failure] = answer.getFailuresList();
    if (failure) throw new EngineRefusal(failure.getReason());
    return decode(answer.getReturn());
  }

  async #call<T>(
    call: (callback: (error: ServiceError | null, response: T) => void) => { cancel(): void },
    signal?: AbortSignal,
  ): Promise<T> {
    signal?.throwIfAborted();
    let cancel: (() => void) | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        const running = call((error, response) => (error ? reject(asTrouble(error)) : resolve(response)));
        cancel = () => running.cancel();
        signal?.addEventListener("abort", cancel);
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      if (cancel) signal?.removeEventListener("abort", cancel);
    }
  }

  stop(): void {
    this.#ended = true;
    this.client.close();
    this.child.stdin?.end();
    this.child.stdout?.destroy();
  }
}

function asTrouble(error: ServiceError): Error {
  if (error.code === status.DEADLINE_EXCEEDED) return new EngineUnavailable("it took too long");
  if (error.code === status.RESOURCE_EXHAUSTED) return new EngineUnavailable("its output is too large");
  if (error.code === status.UNAVAILABLE || error.code === status.CANCELLED)
    return new EngineUnavailable("its engine ended, perhaps because it needed more memory than its limit");
  return new EngineRefusal(error.details);
}
