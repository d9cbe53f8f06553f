import { existsSync, readFileSync } from "node:fs";
import { shootName } from "../../components/runtime/types/gardener/shoot/name";
import { isObject } from "../../foundation/json/isObject";
import { issueKubeconfig } from "../../kubernetes/access/shoot";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/client/connect";
import type { KubeObject, Ref } from "../../kubernetes/client/objects";
import { OPERATION_ANNOTATION, shootRef } from "../../kubernetes/gardener/shoot";
import type { DeploymentRow } from "../database/tables";
import type { Values } from "../environment";

type Settings = Pick<Values, "APP_GARDENER_PROJECT" | "APP_GARDENER_KUBECONFIG_PATH">;
type Runtime = Pick<DeploymentRow, "id" | "wish">;

/** Requests are small; who waits for an answer asks again anyway. */
const PATIENCE_MS = 5_000;

/** The Shoots of the runtimes, as Gardener has them now. Creates, changes and deletes nothing. */
export class Shoots {
  /** How each was when somebody looked last, for when Gardener does not answer. */
  private readonly seen = new Map<string, KubeObject>();

  constructor(
    private readonly client: Client,
    private readonly project: string,
  ) {}

  /** Undefined where there is none. Throws where Gardener does not answer. */
  async of(runtime: Runtime, signal?: AbortSignal): Promise<KubeObject | undefined> {
    const shoot = await this.client.with({ signal, patienceMs: PATIENCE_MS }).get(this.refOf(runtime));
    if (shoot) this.seen.set(runtime.id, shoot);
    else this.seen.delete(runtime.id);
    return shoot;
  }

  /** The same, and within that time: what was seen last where Gardener is slow or away, undefined where nothing was. */
  async soon(runtime: Runtime, withinMs: number): Promise<KubeObject | undefined> {
    const late = AbortSignal.timeout(withinMs);
    return this.of(runtime, late).catch(() => this.seen.get(runtime.id));
  }

  /** Asks Gardener to go on with what it gave up. */
  async retry(runtime: Runtime): Promise<void> {
    await this.client.merge(this.refOf(runtime), { metadata: { annotations: { [OPERATION_ANNOTATION]: "retry" } } });
  }

  /** A kubeconfig for an administrator with a limited life; undefined while Gardener gives none. */
  async kubeconfig(runtime: Runtime, withinMs: number): Promise<string | undefined> {
    const { namespace = "", name } = this.refOf(runtime);
    const garden = this.client.with({ signal: AbortSignal.timeout(withinMs), patienceMs: withinMs });
    const access = { garden: "", namespace, shoot: name };
    // Gardener refuses while the cluster is created or hibernated, and says nothing while it is away.
    return issueKubeconfig(garden, access).then(
      ({ kubeconfig }) => kubeconfig,
      () => undefined,
    );
  }

  private refOf({ id, wish }: Runtime): Ref {
    const { cluster } = isObject(wish.deployment) ? wish.deployment : {};
    const named = isObject(cluster) ? cluster.name : undefined;
    return shootRef(`garden-${this.project}`, typeof named === "string" ? named : shootName(this.project, id));
  }
}

/** Undefined where the service has no kubeconfig of Gardener: then an engine waits for clusters. */
export function openShoots(values: Settings): Shoots | undefined {
  const { APP_GARDENER_PROJECT: project, APP_GARDENER_KUBECONFIG_PATH: path } = values;
  if (!existsSync(path)) return undefined;
  return new Shoots(connect(readFileSync(path, "utf8"), undefined, {}), project);
}
