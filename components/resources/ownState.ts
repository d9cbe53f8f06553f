import * as pulumi from "@pulumi/pulumi";
import { ResourceInvokeRequest } from "@pulumi/pulumi/proto/resource_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

/** A resource of a state. */
export interface StateResource {
  readonly type: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** The resources of a state by URN. */
export type StateResources = Readonly<Record<string, StateResource>>;

/**
 * Reads the resources of this stack's state before this run, without those that are pending deletion. Call it once per
 * program, because the engine decrypts the whole state each time.
 */
export async function readOwnState(): Promise<StateResources> {
  const name = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  if (pulumi.runtime.isDryRun() && (await isEmpty(name))) return {};
  const answer = await invokeSilently("pulumi:pulumi:readStackResourceOutputs", { stackName: name });
  return (answer["outputs"] ?? {}) as StateResources;
}

/**
 * Calls a function of the engine without the SDK's debug messages. One of them would contain the whole response: a
 * state with its secrets.
 */
async function invokeSilently(token: string, args: Readonly<Record<string, string>>): Promise<pulumi.Inputs> {
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

/**
 * Whether a stack has no outputs. The engine (3.259.0, `GetStackResourceOutputs`) crashes when asked for the resources
 * of a stack that was never deployed. This can only happen in a preview, because an update has already written the
 * stack itself.
 */
async function isEmpty(name: string): Promise<boolean> {
  const { outputs } = (await pulumi.runtime.invoke("pulumi:pulumi:readStackOutputs", { name })) as {
    outputs?: Readonly<Record<string, unknown>>;
  };
  return Object.keys(outputs ?? {}).length === 0;
}
