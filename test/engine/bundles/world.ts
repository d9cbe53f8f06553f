import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { dump } from "js-yaml";
import { bundleRelease } from "../../../provider/resources/bundleRelease/bundleRelease";
import type { ReleaseInputs, ReleaseState } from "../../../provider/resources/bundleRelease/inputs";
import { IncompleteError } from "../../../foundation/pulumi/resource";
import type { Context, Properties } from "../../../foundation/pulumi/resource";
import type { KubeObject, Ref } from "../../../kubernetes/objects/objects";
import { HandlerWorld } from "../runtime/handlerWorld";

/** Files of a bundle by their names in `manifests/`; each a text, an object or several. */
export type Files = Readonly<Record<string, string | object | readonly object[]>>;

/** A namespace of its own in the test cluster, and releases in it driven as the engine drives them. */
export class World extends HandlerWorld {
  readonly folder = mkdtempSync(path.join(tmpdir(), "stackyard-bundles-"));
  readonly #cache = process.env["XDG_CACHE_HOME"];

  constructor(kubeconfig: string) {
    super(kubeconfig, "bundle");
  }

  override async open(): Promise<this> {
    process.env["XDG_CACHE_HOME"] = path.join(this.folder, "cache");
    return super.open();
  }

  override async close(): Promise<void> {
    if (this.#cache === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = this.#cache;
    rmSync(this.folder, { recursive: true, force: true });
    await super.close();
  }

  /** Writes a bundle again and returns its folder. */
  bundle(name: string, files: Files): string {
    const folder = path.join(this.folder, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(path.join(folder, "manifests"), { recursive: true });
    for (const [file, content] of Object.entries(files)) {
      const objects = (Array.isArray(content) ? content : [content]) as (object | string)[];
      const text = objects.map((one) => (typeof one === "string" ? one : dump(one))).join("---\n");
      writeFileSync(path.join(folder, "manifests", file), text);
    }
    return folder;
  }

  /** `stack`: the stack that it is in, if not in that of the others. */
  release(name = "shop", more: Properties = {}, stack?: string): Release {
    return new Release(this, name, more, stack);
  }

  ref = (apiVersion: string, kind: string, name: string, namespace = this.namespace): Ref => ({
    apiVersion,
    kind,
    namespace,
    name,
  });

  there = (kind: string, name: string, apiVersion = "v1"): Promise<KubeObject | undefined> =>
    this.client.get(this.ref(apiVersion, kind, name));

  /** A change by another field manager. */
  async changeAs(ref: Ref, patch: object, manager = "somebody", subresource = ""): Promise<void> {
    const path = `${await this.client.discovery.path(ref)}${subresource}?fieldManager=${manager}`;
    const contentType = "application/merge-patch+json";
    const body = JSON.stringify(patch);
    const sent = await this.client.connection.send({ method: "PATCH", path, contentType, body, timeoutMs: 5_000 });
    assert.equal(sent.status, 200);
  }

  /** Names of the ConfigMaps that releases made. */
  async configMaps(namespace = this.namespace): Promise<string[]> {
    const all = await this.client.list({ apiVersion: "v1", kind: "ConfigMap", namespace });
    return all.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
  }
}

/** One release, with the state that an engine would keep of it. */
export class Release {
  id = "";
  inputs: ReleaseInputs | undefined;
  state: ReleaseState | undefined;

  constructor(
    readonly world: World,
    readonly name: string,
    readonly more: Properties,
    readonly stack?: string,
  ) {}

  /** What the engine calls the handler with. */
  context(more: Partial<Context> = {}): Context {
    const urn = `urn:pulumi:${this.stack}::platform::stackyard:index:BundleRelease::${this.name}`;
    return this.world.context({ ...(this.stack !== undefined && { urn }), ...more });
  }

  async check(files: Files, more: Properties = {}): Promise<ReleaseInputs> {
    const given = {
      kubeconfig: this.world.kubeconfig,
      cluster: "https://test",
      name: this.name,
      namespace: this.world.namespace,
      sources: [{ type: "local", path: this.world.bundle(this.name, files) }],
      timeoutSeconds: 20,
      ...this.more,
      ...more,
    };
    const old = (this.inputs ?? {}) as Properties;
    const { inputs, failures } = await bundleRelease.check(this.context(), given, { old, seed: "" });
    assert.deepEqual(failures, []);
    return inputs as unknown as ReleaseInputs;
  }

  /** Checks, diffs and creates or updates, as `pulumi up --skip-preview` does. */
  async up(files: Files, more: Properties = {}, context: Partial<Context> = {}): Promise<ReleaseState> {
    const next = await this.check(files, more);
    try {
      if (this.inputs && this.state) {
        const old = { inputs: this.inputs, state: this.state };
        this.state = await bundleRelease.update(this.context(context), this.id, old, next);
      } else {
        const made = await bundleRelease.create(this.context(context), next);
        [this.id, this.state] = [made.id, made.state];
      }
      this.inputs = next;
    } catch (error) {
      if (error instanceof IncompleteError) {
        [this.id, this.state, this.inputs] = [error.id, error.state as ReleaseState, next];
      }
      throw error;
    }
    return this.state;
  }

  /** The message with which deploying it fails. */
  async fails(files: Files, more: Properties = {}): Promise<string> {
    return messageOf(this.up(files, more));
  }

  async preview(files: Files, more: Properties = {}): Promise<ReleaseState> {
    const next = await this.check(files, more);
    const context = this.context({ preview: true });
    if (!this.inputs || !this.state) return (await bundleRelease.create(context, next)).state;
    return bundleRelease.update(context, this.id, { inputs: this.inputs, state: this.state }, next);
  }

  async changes(files: Files, more: Properties = {}): Promise<string[]> {
    const next = await this.check(files, more);
    const old = { inputs: this.inputs as ReleaseInputs, state: this.state as ReleaseState };
    return Object.keys((await bundleRelease.diff(this.context(), this.id, old, next)).changes);
  }

  async refresh(): Promise<boolean> {
    const old = { inputs: this.inputs as ReleaseInputs, state: this.state as ReleaseState };
    const found = await bundleRelease.read(this.context(), this.id, old);
    if (found) [this.inputs, this.state] = [found.inputs, found.state];
    return found !== undefined;
  }

  async down(more: Partial<Context> = {}): Promise<void> {
    const old = { inputs: this.inputs as ReleaseInputs, state: this.state as ReleaseState };
    await bundleRelease.delete(this.context(more), this.id, old);
    this.inputs = this.state = undefined;
  }
}

export async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof Error);
    return error.message;
  }
  return assert.fail("it went well");
}

/** A kind of its own for one test. */
export const crd = (group: string, properties: object = { size: { type: "integer" } }, kind = "Gadget") => {
  const plural = `${kind.toLowerCase()}s`;
  const status = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const spec = { type: "object", properties, required: ["size"] };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { spec, status } } },
        },
      ],
    },
  };
};

export const gadget = (group: string, name: string, spec: object = { size: 1 }, annotations: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: "Gadget",
  metadata: { name, annotations },
  spec,
});
