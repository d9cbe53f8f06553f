import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { credentials } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  ConfigureRequest,
  type ConfigureResponse,
  InvokeRequest,
  type InvokeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

/**
 * The real Kubernetes provider, which brings the real Go template engine along, without Pulumi's engine around it:
 * invokes of the code under test go straight to it. It needs no cluster.
 */
export class TemplateEngine {
  private constructor(
    private readonly child: ChildProcess,
    private readonly client: ResourceProviderClient,
  ) {}

  static async start(): Promise<TemplateEngine> {
    // It wants the address of an engine to log to; nobody needs to be there.
    const child = spawn("pulumi-resource-kubernetes", ["127.0.0.1:1"], { stdio: ["ignore", "pipe", "inherit"] });
    const port = await new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      createInterface({ input: child.stdout }).once("line", resolve);
    });
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const configure = promisify<ConfigureRequest, ConfigureResponse>(client.configure.bind(client));
    const request = new ConfigureRequest();
    request.getVariablesMap().set("kubernetes:config:kubeconfig", "none: templates are rendered without a cluster");
    await configure(request);
    return new TemplateEngine(child, client);
  }

  /** Lets every invoke of a program in this process end here. */
  attach(): void {
    pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as object }),
      call: async ({ token, inputs }) => {
        const request = new InvokeRequest();
        request.setTok(token);
        request.setArgs(Struct.fromJavaScript(inputs as Record<string, string>));
        const invoke = promisify<InvokeRequest, InvokeResponse>(this.client.invoke.bind(this.client));
        return (await invoke(request)).getReturn()?.toJavaScript() ?? {};
      },
    });
  }

  stop(): void {
    this.client.close();
    this.child.kill();
  }
}
