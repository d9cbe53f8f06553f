import * as pulumi from "@pulumi/pulumi";

/** A resource as the program registered it. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
  /** Reference of its provider, where it is not the default one. */
  readonly provider?: string;
}

export interface Call {
  readonly token: string;
  readonly inputs: Record<string, unknown>;
}

/** What the engine would do, recorded. */
export class Recorder {
  readonly resources: Registered[] = [];
  readonly calls: Call[] = [];

  only(type: string): Registered {
    const found = this.resources.filter((resource) => resource.type === type);
    if (found.length !== 1) throw new Error(`${found.length} resources of type ${type}`);
    return found[0]!;
  }
}

/** Sets Pulumi's mocks: resources get `outputs`, among them their `id`, invokes get `answer`. */
export function mock(
  outputs: (resource: Registered) => Record<string, unknown>,
  answer: (call: Call) => Record<string, unknown>,
  stack = "acme",
): Recorder {
  const recorder = new Recorder();
  pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs, id, provider }) => {
        const resource = { type, name, inputs: inputs as Record<string, unknown>, ...(provider && { provider }) };
        recorder.resources.push(resource);
        const { id: made = `${name}-id`, ...more } = outputs(resource);
        return { id: id || String(made), state: { ...resource.inputs, ...more } };
      },
      call: ({ token, inputs }) => {
        const call = { token, inputs: inputs as Record<string, unknown> };
        recorder.calls.push(call);
        return answer(call);
      },
    },
    "stackyard-runtime",
    stack,
    false,
    "organization",
  );
  return recorder;
}

/** Waits until the program registers nothing any more. */
export async function settled({ resources }: Recorder): Promise<void> {
  for (let before = -1; before < resources.length;) {
    before = resources.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The value of an output, once it is known. */
export async function valueOf<T>(input: pulumi.Input<T>): Promise<T> {
  return new Promise((resolve) => pulumi.output(input).apply((value) => resolve(value as T)));
}
