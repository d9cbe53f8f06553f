import assert from "node:assert/strict";
import { IncompleteError } from "../../../foundation/pulumi/resource";
import type { Context } from "../../../foundation/pulumi/resource";
import type { KubeObject, Ref } from "../../../kubernetes/objects/objects";
import type { SetInputs, SetState } from "../../../kubernetes/apply/set";
import { manifestSet } from "../../../provider/resources/manifestSet/manifestSet";
import { HandlerWorld } from "../runtime/handlerWorld";

/** A namespace of its own in the test cluster, and sets in it driven as the engine drives them. */
export class World extends HandlerWorld {
  constructor(kubeconfig: string) {
    super(kubeconfig, "set");
  }

  inputs(objects: readonly object[], more: Partial<SetInputs> = {}): SetInputs {
    return {
      kubeconfig: this.kubeconfig,
      cluster: "https://test",
      name: "acme",
      namespace: this.namespace,
      objects: objects as KubeObject[],
      timeoutSeconds: 20,
      ...more,
    };
  }

  /** `stack`: the stack with the set's state. */
  set(more: Partial<SetInputs> = {}, stack = "test"): TestSet {
    return new TestSet(this, more, `urn:pulumi:${stack}::stackyard::stackyard:index:ManifestSet::acme`);
  }

  ref = (apiVersion: string, kind: string, name: string): Ref => ({
    apiVersion,
    kind,
    namespace: this.namespace,
    name,
  });
  claim = (name: string) => this.must(this.ref("v1", "PersistentVolumeClaim", name));
  statefulSet = (name = "acme") => this.must(this.ref("apps/v1", "StatefulSet", name));
  pod = (name: string) => this.must(this.ref("v1", "Pod", name));

  async must(ref: Ref): Promise<Live> {
    const found = await this.client.get(ref);
    assert.ok(found, `${ref.kind} ${ref.name} is not there`);
    return found as Live;
  }

  /** Kind and name of all there is in the namespace of the kinds that sets of these tests use. */
  async everything(): Promise<string[]> {
    const kinds = [
      ["apps/v1", "StatefulSet"],
      ["apps/v1", "Deployment"],
      ["v1", "Service"],
      ["v1", "PersistentVolumeClaim"],
      ["v1", "Pod"],
    ] as const;
    const found = await Promise.all(
      kinds.map(([apiVersion, kind]) => this.client.list({ apiVersion, kind, namespace: this.namespace })),
    );
    return found
      .flat()
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      .sort();
  }
}

/** An object with all it may have. */
export interface Live extends KubeObject {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly spec: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly status: any;
}

/** One set, with the state that an engine would keep of it. */
export class TestSet {
  id = "";
  inputs: SetInputs | undefined;
  state: SetState | undefined;

  constructor(
    readonly world: World,
    readonly more: Partial<SetInputs>,
    readonly urn: string,
  ) {}

  /** What its handler is called with. */
  context = (more: Partial<Context> = {}): Context => this.world.context({ urn: this.urn, ...more });

  /** Checks, diffs and creates or updates, as `pulumi up` does. */
  async up(
    objects: readonly object[],
    more: Partial<SetInputs> = {},
    context: Partial<Context> = {},
  ): Promise<SetState> {
    const given = this.world.inputs(objects, { ...this.more, ...more });
    const { inputs, failures } = await manifestSet.check(this.context(), { ...given });
    assert.deepEqual(failures, []);
    const next = inputs as unknown as SetInputs;
    try {
      if (this.inputs && this.state) {
        const old = { inputs: this.inputs, state: this.state };
        this.state = await manifestSet.update(this.context(context), this.id, old, next);
      } else {
        const made = await manifestSet.create(this.context(context), next);
        [this.id, this.state] = [made.id, made.state];
      }
      this.inputs = next;
    } catch (error) {
      if (error instanceof IncompleteError) {
        [this.id, this.state, this.inputs] = [error.id, error.state as SetState, next];
      }
      throw error;
    }
    return this.state;
  }

  /** The message with which deploying it fails. */
  async fails(
    objects: readonly object[],
    more: Partial<SetInputs> = {},
    context: Partial<Context> = {},
  ): Promise<string> {
    const before = this.state;
    try {
      await this.up(objects, more, context);
    } catch (error) {
      assert.ok(error instanceof Error);
      return error.message;
    }
    this.state = before;
    return assert.fail("it went well");
  }

  async preview(objects: readonly object[], more: Partial<SetInputs> = {}): Promise<SetState> {
    const next = this.world.inputs(objects, { ...this.more, ...more });
    const context = this.context({ preview: true });
    if (!this.inputs || !this.state) return (await manifestSet.create(context, next)).state;
    return manifestSet.update(context, this.id, { inputs: this.inputs, state: this.state }, next);
  }

  async refresh(context: Partial<Context> = {}): Promise<boolean> {
    const old = { inputs: this.inputs as SetInputs, state: this.state as SetState };
    const found = await manifestSet.read(this.context(context), this.id, old);
    if (found) [this.inputs, this.state] = [found.inputs, found.state];
    return found !== undefined;
  }

  async changes(objects: readonly object[]): Promise<string[]> {
    const next = this.world.inputs(objects, this.more);
    const old = { inputs: this.inputs as SetInputs, state: this.state as SetState };
    return Object.keys((await manifestSet.diff(this.context(), this.id, old, next)).changes);
  }

  async down(more: Partial<Context> = {}): Promise<void> {
    const old = { inputs: this.inputs as SetInputs, state: this.state as SetState };
    await manifestSet.delete(this.context(more), this.id, old);
    this.inputs = this.state = undefined;
  }
}

export interface Workload {
  readonly image?: string;
  readonly replicas?: number;
  readonly storage?: string;
  readonly storageClass?: string;
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
  readonly annotations?: Record<string, string>;
  readonly spec?: object;
  readonly pod?: object;
  readonly cpu?: string;
  readonly name?: string;
}

const template = ({
  image = "example/runtime:1.0.0",
  annotations = {},
  pod = {},
  cpu = "100m",
  name = "acme",
}: Workload) => ({
  metadata: { labels: { app: name }, annotations },
  spec: { containers: [{ name: "main", image, resources: { requests: { cpu } } }], ...pod },
});

export const statefulSet = (workload: Workload = {}) => {
  const { name = "acme", replicas = 1, storage = "1Gi", storageClass, spec = {} } = workload;
  const { whenDeleted = "Delete", whenScaled = "Retain" } = workload;
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name },
    spec: {
      replicas,
      serviceName: name,
      selector: { matchLabels: { app: name } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
      template: template(workload),
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: {
            accessModes: ["ReadWriteOnce"],
            ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
            resources: { requests: { storage } },
          },
        },
      ],
      ...spec,
    },
  };
};

export const deployment = (workload: Workload = {}) => {
  const { name = "acme", replicas = 1, spec = {} } = workload;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: template(workload), ...spec },
  };
};

export const service = (name = "acme") => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { selector: { app: "acme" }, ports: [{ port: 80 }] },
});

export const configMap = (name: string, data: Record<string, string> = { a: "b" }) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});
