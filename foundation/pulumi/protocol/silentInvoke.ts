import * as pulumi from "@pulumi/pulumi";
import { ResourceInvokeRequest } from "@pulumi/pulumi/proto/resource_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

/**
 * Calls a function of the engine without the SDK's debug messages. One of them would contain the whole response: a
 * state with its secrets.
 */
export async function invokeSilently(token: string, args: Readonly<Record<string, string>>): Promise<pulumi.Inputs> {
  const monitor = pulumi.runtime.getMonitor();
  if (!monitor) throw new Error(`${token} can't be called: no engine runs this program`);
  const request = new ResourceInvokeRequest();
  request.setTok(token);
  request.setArgs(Struct.fromJavaScript(args));
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    const answer = await new Promise<Struct | undefined>((resolve, reject) => {
      monitor.invoke(request, (error, response) => {
        if (error) reject(new Error(error.details || error.message));
        else resolve(response.getReturn());
      });
    });
    const outputs = answer ? pulumi.runtime.deserializeProperties(answer) : {};
    return Object.fromEntries(
      Object.entries(outputs).map(([key, value]) => [key, pulumi.runtime.unwrapRpcSecret(value) as unknown]),
    );
  } finally {
    done();
  }
}
