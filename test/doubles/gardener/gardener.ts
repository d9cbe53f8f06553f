import * as fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/client/connect";
import { listAt, textAt, type KubeObject } from "../../../kubernetes/client/objects";
import { credentialsOf } from "../../../toolchain/yard/clusterConfig";
import { layoutOf } from "../../../toolchain/yard/layout";
import type { RuntimeCluster } from "./adminKubeconfig";
import { admission } from "./behaviour/admission";
import { stages } from "./behaviour/stages";
import { FrontDoor } from "./frontDoor";
import { definitions, GROUP, VERSION } from "./kinds/definitions";
import { runtimeCluster } from "./runtimeCluster";
import { ROBOT, world } from "./world";

export interface GardenerOptions {
  /** Folder of the yard whose control plane is Gardener's. */
  readonly yard: string;
  /** What all Shoots' clusters really are. Default: the yard's own control plane. */
  readonly cluster?: RuntimeCluster;
  /** Its namespace is `garden-<project>`. Default: `dev`. */
  readonly project?: string;
  /** How long each of the five steps of an operation takes. Default: 50. */
  readonly stepMs?: number;
  /** Where the front door listens. Default: any port. */
  readonly port?: number;
}

const LIFE_S = 86_400;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

/** Gardener, played on a local control plane: see the README beside this file. */
export class Gardener {
  private constructor(
    /** For `stackyard:provisioners.<name>.spec.kubeconfig`: the project's robot, by the front door. */
    readonly kubeconfig: string,
    readonly project: string,
    /** The control plane as its administrator sees it. */
    readonly garden: Client,
    readonly door: FrontDoor,
  ) {}

  get namespace(): string {
    return `garden-${this.project}`;
  }

  static async start(options: GardenerOptions): Promise<Gardener> {
    const { yard, project = "dev", stepMs = 50, port = 0 } = options;
    const layout = layoutOf(fs.realpathSync(yard));
    const pki = credentialsOf(layout);
    const own = runtimeCluster(yard);
    const garden = connect(fs.readFileSync(layout.kubeconfig, "utf8"), undefined, {});
    await furnish(garden, project, stepMs);
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

  /** Ends the front door. The kinds and all Shoots stay with the control plane. */
  async stop(): Promise<void> {
    await this.door.close();
  }

  async shoot(name: string): Promise<KubeObject | undefined> {
    return this.garden.get({ apiVersion: `${GROUP}/${VERSION}`, kind: "Shoot", namespace: this.namespace, name });
  }

  /** Waits until a Shoot is as asked for, at most a minute. */
  async until(name: string, good: (shoot: KubeObject | undefined) => boolean): Promise<KubeObject | undefined> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
      const shoot = await this.shoot(name);
      if (good(shoot)) return shoot;
      if (Date.now() > deadline) throw new Error(`Shoot ${name} is still ${JSON.stringify(shoot?.["status"])}`);
    }
  }
}

async function furnish(garden: Client, project: string, stepMs: number): Promise<void> {
  const kinds = definitions();
  for (const kind of kinds) await garden.apply(kind);
  for (const { apiVersion, kind, metadata } of kinds) {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
      const found = await garden.get({ apiVersion, kind, name: metadata.name });
      const conditions = listAt(found, "status", "conditions");
      if (conditions.some(({ type, status }) => type === "Established" && status === "True")) break;
      if (Date.now() > deadline) throw new Error(`${metadata.name} is not established: ${JSON.stringify(conditions)}`);
    }
  }
  for (const object of [...admission(), ...stages(stepMs), ...world(project)]) await garden.apply(object);
}
