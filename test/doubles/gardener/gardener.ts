import * as fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { isNotFound } from "../../../kubernetes/client/apiError";
import { UnknownKindError } from "../../../kubernetes/client/discovery";
import { textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { credentialsOf } from "../../../toolchain/yard/clusterConfig";
import { layoutOf } from "../../../toolchain/yard/layout";
import type { RuntimeCluster } from "./adminKubeconfig";
import { admission } from "./behaviour/admission";
import { stages } from "./behaviour/stages";
import { exampleShoot } from "./exampleShoot";
import { FrontDoor } from "./frontDoor";
import { definitions, GROUP, VERSION } from "./kinds/definitions";
import { runtimeCluster } from "./runtimeCluster";
import { ROBOT, world } from "./world";

export interface GardenerOptions {
  /** Folder of the yard whose control plane is used as Gardener's. */
  readonly yard: string;
  /** The real cluster that stands for those of all Shoots. Default: the yard's own control plane. */
  readonly cluster?: RuntimeCluster;
  /** The namespace is `garden-<project>`. Default: `dev`. */
  readonly project?: string;
  /** Duration of each of the five steps of an operation, in milliseconds. Default: 50. */
  readonly stepMs?: number;
  /** Release of Gardener whose fields a Shoot has. Default: the newest supported one. */
  readonly release?: string;
  /** Port of the proxy. Default: any free port. */
  readonly port?: number;
}

const LIFE_S = 86_400;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;
const PROBE = "probe";
const PLAY_MS = 15_000;
const PLAYS = 4;

/** Simulates Gardener on a local control plane: see the README in this folder. */
export class Gardener {
  private constructor(
    /** For `stackyard:provisioners.<name>.spec.kubeconfig`: the project's robot account, through the proxy. */
    readonly kubeconfig: string,
    readonly project: string,
    /** The control plane with an administrator's permissions. */
    readonly garden: Client,
    readonly door: FrontDoor,
  ) {}

  /** A provisioner of this project. `more`: further fields of its spec. */
  provisioner(more: object = {}) {
    const { project, kubeconfig } = this;
    return {
      type: "gardener",
      spec: { project, kubeconfig: { content: kubeconfig }, secretBindings: { gcp: "gcp" }, ...more },
    };
  }

  get namespace(): string {
    return `garden-${this.project}`;
  }

  static async start(options: GardenerOptions): Promise<Gardener> {
    const { yard, project = "dev", stepMs = 50, port = 0 } = options;
    const layout = layoutOf(fs.realpathSync(yard));
    const pki = credentialsOf(layout);
    const own = runtimeCluster(yard);
    const garden = connect(fs.readFileSync(layout.kubeconfig, "utf8"), undefined, {});
    await furnish(garden, project, stepMs, options.release);
    const door = new FrontDoor({
      server: new URL(own.server),
      ...pki,
      garden,
      clusterOf: () => Promise.resolve(options.cluster ?? own),
    });
    await door.listen(port);
    const account = { apiVersion: "v1", kind: "ServiceAccount", namespace: `garden-${project}`, name: ROBOT };
    const spec = { expirationSeconds: LIFE_S };
    const issued = await garden.issue(account, "token", {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec,
    });
    const cluster = { server: door.url, "certificate-authority-data": pki.ca.toString("base64") };
    const kubeconfig = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "garden",
      contexts: [{ name: "garden", context: { cluster: "garden", user: ROBOT } }],
      clusters: [{ name: "garden", cluster }],
      users: [{ name: ROBOT, user: { token: textAt(issued, "status", "token") } }],
    };
    return new Gardener(JSON.stringify(kubeconfig), project, garden, door);
  }

  /** Stops the proxy. The kinds and all Shoots stay in the control plane. */
  async stop(): Promise<void> {
    await this.door.close();
  }

  async shoot(name: string): Promise<KubeObject | undefined> {
    return this.garden.get({ apiVersion: `${GROUP}/${VERSION}`, kind: "Shoot", namespace: this.namespace, name });
  }

  /** Waits until a Shoot meets a condition, at most a minute. */
  async until(name: string, good: (shoot: KubeObject | undefined) => boolean): Promise<KubeObject | undefined> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
      const shoot = await this.shoot(name);
      if (good(shoot)) return shoot;
      if (Date.now() > deadline) throw new Error(`Shoot ${name} is still ${JSON.stringify(shoot?.["status"])}`);
    }
  }
}

async function furnish(garden: Client, project: string, stepMs: number, release?: string): Promise<void> {
  const kinds = definitions(release);
  for (const kind of kinds) await garden.apply(kind);
  for (const { spec } of kinds) {
    const kind = textAt(spec, "names", "kind") ?? "";
    const api = `${textAt(spec, "group")}/${textAt(spec, "versions", 0, "name")}`;
    await patiently(`the kind ${kind} is not served`, () =>
      garden.discovery.resource(api, kind).then(Boolean, (error: unknown) => {
        if (error instanceof UnknownKindError) return false;
        throw error;
      }),
    );
  }
  for (const object of [...admission(), ...world(project)]) await garden.apply(object);
  await play(garden, stages(stepMs), exampleShoot(`garden-${project}`, PROBE));
}

/**
 * KWOK ignores a kind that it could not watch when it read the Stages, so they are created again until KWOK handles
 * them.
 */
async function play(garden: Client, all: readonly KubeObject[], probe: KubeObject): Promise<void> {
  const { apiVersion, kind, metadata } = probe;
  const ref = { apiVersion, kind, namespace: metadata.namespace, name: metadata.name };
  for (let attempt = 1; ; attempt++) {
    for (const stage of all) await garden.apply(stage);
    await garden.apply(probe);
    const isPlayed = async () => ((await garden.get(ref))?.metadata.finalizers ?? []).includes("gardener");
    try {
      await patiently("KWOK does not play the Stages of Gardener", isPlayed, PLAY_MS);
      break;
    } catch (error) {
      if (attempt >= PLAYS) throw error;
      for (const stage of all)
        await garden.remove({ apiVersion: stage.apiVersion, kind: "Stage", name: stage.metadata.name });
    }
  }
  await garden.merge(ref, { metadata: { annotations: { "confirmation.gardener.cloud/deletion": "true" } } });
  await garden.remove(ref);
  // The probe has no cluster, so it can be deleted at once. A Stage may be adding its finalizer concurrently.
  await patiently("the probe does not go", async () => {
    if (!(await garden.get(ref))) return true;
    await garden.merge(ref, { metadata: { finalizers: null } }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    return false;
  });
}

async function patiently(late: string, good: () => Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await good()); await sleep(PAUSE_MS)) {
    if (Date.now() > deadline) throw new Error(`${late} after ${patienceMs / 1000} seconds`);
  }
}
