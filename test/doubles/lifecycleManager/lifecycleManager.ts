import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../../foundation/errors";
import { isConflict, isNotFound } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { UnknownKindError } from "../../../kubernetes/client/discovery";
import { connect } from "../../../kubernetes/connect/connect";
import { at, listAt, refOf, textAt, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { crdOf, readCrds } from "./crds";

const API = "operator.kyma-project.io/v1beta2";
const NAMESPACE = "kcp-system";
const FINALIZER = "operator.kyma-project.io/Kyma";
const IN_CLUSTER: Ref = { apiVersion: API, kind: "Kyma", namespace: "kyma-system", name: "default" };
const PAUSE_MS = 50;

interface ModuleStatus {
  readonly name: string;
  readonly channel: string;
  readonly state: string;
  readonly version?: string;
  readonly message?: string;
  readonly template?: object;
}

/** Plays Lifecycle Manager in a cluster: see the README in this folder. */
export class LifecycleManager {
  /** How modules end, by name, such as `Error`, with a message. Default: Ready. */
  readonly ends = new Map<string, { readonly state: string; readonly message: string }>();
  /** Modules whose removal does not end. */
  readonly stuck = new Set<string>();
  #running = true;
  #done: Promise<void> = Promise.resolve();

  private constructor(private readonly plane: Client) {}

  static async start(plane: Client): Promise<LifecycleManager> {
    const crds = readCrds();
    for (const one of crds) await plane.apply(one);
    for (const one of crds) await established(plane, one);
    await plane.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
    const double = new LifecycleManager(plane);
    double.resume();
    return double;
  }

  async stop(): Promise<void> {
    this.#running = false;
    await this.#done;
  }

  resume(): void {
    this.#running = true;
    this.#done = this.#work();
  }

  /** Releases a module in channels, with a template of each version. */
  async release(name: string, channels: Readonly<Record<string, string>>, labels = {}): Promise<void> {
    const metadata = { namespace: NAMESPACE, name };
    const all = Object.entries(channels).map(([channel, version]) => ({ channel, version }));
    const ocmComponentName = `kyma-project.io/module/${name}`;
    const spec = { moduleName: name, ocmComponentName, channels: all };
    await this.plane.apply({ apiVersion: API, kind: "ModuleReleaseMeta", metadata, spec });
    for (const version of new Set(Object.values(channels))) {
      const own = { namespace: NAMESPACE, name: `${name}-${version}`, labels };
      const content = { version, moduleName: name, descriptor: { component: { name: ocmComponentName } } };
      await this.plane.apply({ apiVersion: API, kind: "ModuleTemplate", metadata: own, spec: content });
    }
  }

  async #work(): Promise<void> {
    while (this.#running) {
      const kymas = await this.plane.list({ apiVersion: API, kind: "Kyma", namespace: NAMESPACE });
      for (const kyma of kymas) {
        try {
          await this.#reconcile(kyma);
        } catch (error) {
          // Somebody else changed it meanwhile, or it is gone.
          if (isConflict(error) || isNotFound(error) || error instanceof UnknownKindError) continue;
          await this.#fail(kyma, messageOf(error));
        }
      }
      await sleep(PAUSE_MS);
    }
  }

  async #reconcile(kyma: KubeObject): Promise<void> {
    const { name, labels = {}, finalizers = [], deletionTimestamp, resourceVersion } = kyma.metadata;
    const label = `operator.kyma-project.io/kyma-name=${name}`;
    const secrets = await this.plane.list({ apiVersion: "v1", kind: "Secret", namespace: NAMESPACE }, { label });
    const [secret] = secrets;
    if (deletionTimestamp !== undefined) return this.#delete(kyma, secret);
    if (labels["operator.kyma-project.io/managed-by"] !== "lifecycle-manager") return;
    if (secret === undefined)
      return this.#fail(kyma, `failed to find the secret with label ${label}: access secret not found`);
    if (secrets.length > 1)
      return this.#fail(kyma, "could not safely identify the rest config source: more than one secret found");
    if (!finalizers.includes(FINALIZER)) {
      await this.plane.merge(refOf(kyma), { metadata: { resourceVersion, finalizers: [...finalizers, FINALIZER] } });
      return;
    }
    const cluster = clusterOf(secret);
    const remote = await inCluster(cluster, kyma);
    await this.#report(kyma, await this.#modules(kyma, remote));
  }

  /** The entries of the status, from the modules of the Kyma in the cluster. */
  async #modules(kyma: KubeObject, remote: KubeObject): Promise<ModuleStatus[]> {
    const before = listAt(kyma, "status", "modules");
    const wanted = listAt(remote, "spec", "modules");
    const common = textAt(remote, "spec", "channel") ?? "regular";
    const made = await Promise.all(
      wanted.map(async (one): Promise<ModuleStatus> => {
        const [name, channel] = [String(one["name"]), textAt(one, "channel") ?? common];
        const had = before.find((each) => each["name"] === name) as ModuleStatus | undefined;
        if (one["managed"] === false) return { name, channel: had?.channel ?? channel, state: "Unmanaged" };
        const found = await this.#versionOf(name, channel);
        if ("message" in found) return { name, channel, ...found };
        const { version } = found;
        if (had?.version !== undefined && had.template !== undefined && older(version, had.version)) {
          const skew = `ignore channel skew (from ${had.channel} to ${channel}), as a higher version (${had.version}) of the module was previously installed`;
          return { ...had, state: "Warning", message: `module template update not allowed: ${skew}` };
        }
        const isNew = had?.version !== version || had.channel !== channel;
        const end = this.ends.get(name) ?? { state: "Ready" };
        return { name, channel, version, template: {}, ...(isNew ? { state: "Processing" } : end) };
      }),
    );
    const leaving = before.filter(
      ({ name }) => !wanted.some((one) => one["name"] === name),
    ) as unknown as ModuleStatus[];
    const held = leaving.filter(({ name, state }) => state !== "Deleting" || this.stuck.has(name));
    return [...made, ...held.map((one) => ({ ...one, state: "Deleting" }))];
  }

  async #versionOf(name: string, channel: string): Promise<{ version: string } | { state: string; message: string }> {
    const fail = (message: string, state = "Error") => ({ state, message });
    const meta = await this.plane.get({ apiVersion: API, kind: "ModuleReleaseMeta", namespace: NAMESPACE, name });
    if (meta === undefined) return fail(`no ModuleReleaseMeta found  for module "${name}" in namespace "${NAMESPACE}"`);
    const version = textAt(
      listAt(meta, "spec", "channels").find((one) => one["channel"] === channel),
      "version",
    );
    if (version === undefined) return fail(`no versions found for channel: ${channel} in module ${name}`);
    const ref = { apiVersion: API, kind: "ModuleTemplate", namespace: NAMESPACE, name: `${name}-${version}` };
    if ((await this.plane.get(ref)) === undefined) return fail(`failed to get module template: ${ref.name} not found`);
    return { version };
  }

  #report(kyma: KubeObject, modules: readonly ModuleStatus[]): Promise<void> {
    const states = modules.map(({ state }) => state);
    const ready = states.every((one) => one === "Ready" || one === "Unmanaged");
    const worst = ["Error", "Warning", "Processing", "Deleting"].find((one) => states.includes(one));
    const state = worst === "Deleting" ? "Processing" : (worst ?? "Ready");
    const conditions = [
      ["Modules", ready],
      ["ModuleCatalog", true],
      ["CRDsSync", true],
    ].map(([type, isTrue]) => ({
      ...{ type, status: isTrue === true ? "True" : "False", reason: "Ready", message: "" },
      ...{ observedGeneration: kyma.metadata.generation, lastTransitionTime: new Date().toISOString() },
    }));
    const operation = ready ? "kyma is ready" : "waiting for all modules to become ready";
    return this.#patch(kyma, { state, modules, conditions, lastOperation: { operation } });
  }

  #fail(kyma: KubeObject, operation: string): Promise<void> {
    return this.#patch(kyma, { state: "Error", lastOperation: { operation } });
  }

  async #patch(kyma: KubeObject, status: object): Promise<void> {
    await this.plane.merge(refOf(kyma), { metadata: { uid: kyma.metadata.uid }, status }, { of: "/status" });
  }

  /** Without the Secret it takes the cluster for deleted. */
  async #delete(kyma: KubeObject, secret: KubeObject | undefined): Promise<void> {
    const cluster = secret && clusterOf(secret);
    const left = listAt(kyma, "status", "modules").filter(({ name }) => cluster && this.stuck.has(String(name)));
    await this.#patch(kyma, { state: "Deleting", modules: left.map((one) => ({ ...one, state: "Deleting" })) });
    if (left.length > 0) return;
    if (cluster) {
      await cluster.remove(refOf(crdOf("kymas")));
      for (const gone = async () => (await cluster.get(refOf(crdOf("kymas")))) === undefined; !(await gone());)
        await sleep(PAUSE_MS);
    }
    const finalizers = (kyma.metadata.finalizers ?? []).filter((one) => one !== FINALIZER);
    await this.plane.merge(refOf(kyma), { metadata: { finalizers } });
  }
}

const clusterOf = (secret: KubeObject): Client =>
  connect(Buffer.from(textAt(secret, "data", "config") ?? "", "base64").toString("utf8"), undefined, {});

/** The Kyma in the cluster, made once from that of the control plane. */
async function inCluster(cluster: Client, { spec }: KubeObject): Promise<KubeObject> {
  const there = await cluster.get(IN_CLUSTER).catch((error: unknown) => {
    if (error instanceof UnknownKindError) return undefined;
    throw error;
  });
  if (there !== undefined) return there;
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "kyma-system" } });
  await cluster.apply(crdOf("kymas"));
  await established(cluster, crdOf("kymas"));
  const { apiVersion, kind, namespace, name } = IN_CLUSTER;
  return cluster.create({ apiVersion, kind, metadata: { namespace, name }, spec });
}

/** Waits until a kind is served; until then, its objects are refused. */
export async function established(client: Client, crd: KubeObject): Promise<void> {
  const conditions = async () => listAt(await client.get(refOf(crd)), "status", "conditions");
  while (!(await conditions()).some((one) => one["type"] === "Established" && one["status"] === "True"))
    await sleep(PAUSE_MS);
}

function older(version: string, than: string): boolean {
  const numbers = [version, than].map((one) => one.split(".").map(Number));
  const differs = numbers[0]?.findIndex((part, index) => part !== numbers[1]?.[index]) ?? -1;
  return differs >= 0 && (at(numbers, 0, differs) as number) < (at(numbers, 1, differs) as number);
}
