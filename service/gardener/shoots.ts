import { shootName } from "../../components/runtime/types/gardener/shoot/name";
import type { ShootAccess } from "../../foundation/shootAccess";
import { isObject } from "../../foundation/json/isObject";
import { issueKubeconfig, type IssuedKubeconfig } from "../../kubernetes/access/shoot";
import type { KubeObject, Ref } from "../../kubernetes/client/objects";
import { askForDeletion, forceDeletion } from "../../kubernetes/gardener/deletion";
import { OPERATION_ANNOTATION, shootRef } from "../../kubernetes/gardener/shoot";
import type { GardenOf, Placed } from "./gardens";

/** Requests are small; who waits for an answer asks again anyway. */
const PATIENCE_MS = 5_000;

/** The Shoots of the runtimes, as Gardener has them now. Creates and changes none: that is an engine's. */
export class Shoots {
  /** How each was when somebody looked last, for when Gardener does not answer. */
  private readonly seen = new Map<string, KubeObject>();

  constructor(private readonly gardenOf: GardenOf) {}

  /** Undefined if there is none. Throws if Gardener does not answer. */
  async of(runtime: Placed, signal?: AbortSignal): Promise<KubeObject | undefined> {
    const { client, project } = await this.gardenOf(runtime);
    const shoot = await client.with({ signal, patienceMs: PATIENCE_MS }).get(refOf(runtime, project));
    if (shoot) this.seen.set(runtime.id, shoot);
    else this.seen.delete(runtime.id);
    return shoot;
  }

  /** The same, and within that time: what was seen last where Gardener is slow or away, undefined if nothing was. */
  async soon(runtime: Placed, withinMs: number): Promise<KubeObject | undefined> {
    const late = AbortSignal.timeout(withinMs);
    return orLate(this.of(runtime, late), late).catch(() => this.seen.get(runtime.id));
  }

  /** Asks Gardener to continue with what it gave up. */
  async retry(runtime: Placed): Promise<void> {
    const { client, project } = await this.gardenOf(runtime);
    await client.merge(refOf(runtime, project), { metadata: { annotations: { [OPERATION_ANNOTATION]: "retry" } } });
  }

  /** Has Gardener delete one, or continue with a deletion that it gave up. */
  async remove(runtime: Placed, live: KubeObject, operation: string): Promise<void> {
    const { client, project } = await this.gardenOf(runtime);
    await askForDeletion(client.with({ patienceMs: PATIENCE_MS }), refOf(runtime, project), live, operation);
  }

  /** Has Gardener leave in the cloud what it can't delete. */
  async force(runtime: Placed): Promise<void> {
    const { client, project } = await this.gardenOf(runtime);
    await forceDeletion(client.with({ patienceMs: PATIENCE_MS }), refOf(runtime, project));
  }

  /** A kubeconfig with a limited life. Throws while Gardener gives none. */
  issue(
    runtime: Placed,
    wanted: Pick<ShootAccess, "role" | "expirationSeconds">,
    withinMs: number,
  ): Promise<IssuedKubeconfig> {
    const late = AbortSignal.timeout(withinMs);
    const issue = async (): Promise<IssuedKubeconfig> => {
      const { client, project } = await this.gardenOf(runtime);
      const { namespace = "", name } = refOf(runtime, project);
      const garden = client.with({ signal: late, patienceMs: withinMs });
      return issueKubeconfig(garden, { garden: "", namespace, shoot: name, ...wanted });
    };
    return orLate(issue(), late);
  }

  /** One for an administrator; undefined while the cluster is created or hibernated, or Gardener is unavailable. */
  kubeconfig(runtime: Placed, withinMs: number): Promise<string | undefined> {
    return this.issue(runtime, {}, withinMs).then(
      ({ kubeconfig }) => kubeconfig,
      () => undefined,
    );
  }
}

/** As much of it as operations on clusters need. */
export type ShootsAtWork = Pick<Shoots, "of" | "retry" | "remove" | "force">;

/** What was asked for, what it has been called since, else what it is going to be called. */
function refOf({ id, desiredConfig, outputs }: Placed, project: string): Ref {
  const nameIn = (cluster: unknown): unknown => (isObject(cluster) ? cluster["name"] : undefined);
  const { cluster } = isObject(desiredConfig.deployment) ? desiredConfig.deployment : {};
  const named = nameIn(cluster) ?? nameIn(outputs?.["cluster"]);
  return shootRef(`garden-${project}`, typeof named === "string" ? named : shootName(project, id));
}

/** Reading a platform can't be interrupted, so nothing waits for it longer than this. */
function orLate<T>(work: Promise<T>, late: AbortSignal): Promise<T> {
  const over = new Promise<never>((_resolve, reject) => {
    late.addEventListener("abort", () => reject(new Error("no answer in time")), { once: true });
  });
  return Promise.race([work, over]);
}
