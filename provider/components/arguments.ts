/** The arguments of a component as plain values, which the decoder of a config takes. */

import { randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { dump } from "js-yaml";
import { hiding } from "../../components/platform/create";
import { isObject, type Json } from "../../foundation/json/isObject";
import { valueAt } from "../../foundation/schema/describe";
import type { Path } from "../../foundation/schema/faults";

/** Public at run time, but marked internal in the types. */
interface Inside {
  promise(): Promise<unknown>;
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  allResources(): Promise<Set<pulumi.Resource>>;
}

/** Protected in the types. */
interface Registers {
  registerOutputs(outputs?: pulumi.Inputs): void;
}

/** The state has what a component registers, too. */
function completeOutputs(made: pulumi.Resource, complete: (outputs: pulumi.Inputs) => pulumi.Inputs): void {
  const component = made as unknown as Registers;
  const register = component.registerOutputs.bind(made);
  component.registerOutputs = (outputs = {}) => register(complete(outputs));
}

/** Texts that have to be of a certain form before they are known, by their key, besides kubeconfigs. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  oidcProviderArn: (text) => `arn:aws:iam::000000000000:oidc-provider/${text}`,
  roleArn: (text) => `arn:aws:iam::000000000000:role/${text}`,
  permissionsBoundary: (text) => `arn:aws:iam::000000000000:policy/${text}`,
};

const isKubeconfig = (path: Path): boolean => path.at(-2) === "kubeconfig" && path.at(-1) === "content";

/** Arguments whose values are known, or have stand-ins in a preview. */
export class Arguments {
  /** Without outputs. */
  readonly values: Json = {};
  /** Names of the arguments with secrets. */
  readonly secretKeys = new Set<string>();
  /** The resources that the arguments come from. */
  readonly #sources = new Set<pulumi.Resource>();
  readonly #secrets = new Set<string>();
  /** Outputs that are not known in this preview, by the text that stands for them. */
  readonly #unknown = new Map<string, pulumi.Output<unknown>>();
  readonly #mark = randomBytes(4).toString("hex");

  /** Waits for all outputs in `inputs`. */
  static async of(inputs: pulumi.Inputs): Promise<Arguments> {
    const given = new Arguments();
    for (const [key, value] of Object.entries(inputs)) {
      const plain = await given.#plain(value, [key], inputs);
      if (plain !== undefined && plain !== null) given.values[key] = plain;
    }
    return given;
  }

  /** Whether a text contains what is not known yet. */
  readonly isUnknown = (text: string): boolean => [...this.#unknown.keys()].some((one) => text.includes(one));

  /** A message without stand-ins. */
  readable(message: string): string {
    return [...this.#unknown.keys()].reduce(
      (text, one) => text.replaceAll(JSON.stringify(one), "a value that is not known before the update"),
      message,
    );
  }

  /** Completes what is made of the arguments: what is secret stays secret, and what is not known stays unknown. */
  completing(secrets: readonly string[]): (made: pulumi.Inputs) => pulumi.Inputs {
    const hide = hiding([...secrets, ...this.#secrets]);
    return (made) => hide(this.#unknown.size === 0 ? made : this.#restored(made)) as pulumi.Inputs;
  }

  /** Completes the resources that are made of the arguments, which are deleted before what the arguments come from. */
  transformation(
    complete: (made: pulumi.Inputs) => pulumi.Inputs,
    after: readonly pulumi.Resource[],
  ): pulumi.ResourceTransformation {
    const dependsOn = [...after, ...this.#sources];
    return ({ resource, props, opts }) => {
      if (resource instanceof pulumi.ComponentResource) completeOutputs(resource, complete);
      return {
        props: complete(props),
        opts: { ...opts, dependsOn: pulumi.mergeOptions({ dependsOn: opts.dependsOn }, { dependsOn }).dependsOn },
      };
    };
  }

  async #plain(value: unknown, path: Path, root: pulumi.Inputs, isSecret = false): Promise<unknown> {
    if (pulumi.Output.isInstance(value)) {
      const output = value as unknown as Inside;
      const [isKnown, hidden, sources] = await Promise.all([output.isKnown, output.isSecret, output.allResources()]);
      for (const source of sources) this.#sources.add(source);
      if (hidden) this.secretKeys.add(String(path[0]));
      return isKnown
        ? this.#plain(await output.promise(), path, root, isSecret || hidden)
        : this.#standIn(value, path, root);
    }
    // The language host of YAML parses a text of the stack's config that is a document itself.
    if (isKubeconfig(path) && isObject(value)) return this.#plain(dump(value), path, root, isSecret);
    if (typeof value === "string" && isSecret) this.#secrets.add(value);
    if (Array.isArray(value)) {
      return Promise.all(value.map((each, index) => this.#plain(each, [...path, index], root, isSecret)));
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(
      async ([key, each]) => [key, await this.#plain(each, [...path, key], root, isSecret)] as const,
    );
    return Object.fromEntries((await Promise.all(entries)).filter(([, each]) => each !== undefined && each !== null));
  }

  /** A text that the decoder accepts wherever it accepts any text or name. */
  #standIn(output: pulumi.Output<unknown>, path: Path, root: pulumi.Inputs): string {
    const text = `unknown-${this.#mark}-${this.#unknown.size}`;
    this.#unknown.set(text, output);
    if (!isKubeconfig(path)) return FORMS[String(path.at(-1))]?.(text) ?? text;
    const given = valueAt(root, [...path.slice(0, -2), "context"]);
    const name = typeof given === "string" ? given : text;
    return dump({
      contexts: [{ name, context: { cluster: text, user: text } }],
      clusters: [{ name: text, cluster: { server: `https://${text}` } }],
      users: [{ name: text, user: {} }],
      "current-context": name,
    });
  }

  /** Replaces what contains stand-ins with the outputs that they stand for. */
  #restored(value: unknown): unknown {
    if (typeof value === "string") return this.#outputFor(value) ?? value;
    if (pulumi.Output.isInstance(value)) return value.apply((known) => this.#outputFor(JSON.stringify(known)) ?? known);
    if (Array.isArray(value)) return value.map((each) => this.#restored(each));
    if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#restored(each)]));
  }

  #outputFor(text: string | undefined): pulumi.Output<unknown> | undefined {
    const outputs = [...this.#unknown].filter(([one]) => text?.includes(one)).map(([, output]) => output);
    return outputs.length === 0 ? undefined : pulumi.all(outputs);
  }
}
