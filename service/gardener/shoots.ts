import { shootName } from "../../components/runtime/types/gardener/shoot/name";
import type { ShootAccess } from "../../foundation/shootAccess";
import { isObject } from "../../foundation/json/isObject";
import { issueKubeconfig, type IssuedKubeconfig } from "../../kubernetes/connect/shootLease";
import type { KubeObject, Ref } from "../../kubernetes/objects/objects";
import { requestDeletion, forceDeletion } from "../../kubernetes/gardener/deletion";
import { OPERATION_ANNOTATION, shootRef } from "../../kubernetes/gardener/shoot";
import type { Client } from "../../kubernetes/client/client";
import type { Garden, GardenOf, PlacedCluster } from "./gardens";
import { Looks } from "./looks";

/** Requests are small, and callers retry. */
const PATIENCE_MS = 5_000;

/**
 * Reads the live Shoots of runtimes. Starts deletions, retries and forced deletions; only the engine creates and
 * updates Shoots.
 */
export class Shoots {
  /** Last seen state of each Shoot, for when Gardener does not answer. */
  private readonly seen = new Map<string, KubeObject>();

  /** By client of a garden, then by project. */
  private readonly looks = new WeakMap<Client, Map<string, Looks>>();

  constructor(private readonly gardenOf: GardenOf) {}

  /**
   * Undefined if there is no Shoot. Throws if Gardener does not answer. Many operations at once share requests, and may
   * wait a second for that.
   */
  async of(runtime: PlacedCluster, signal?: AbortSignal): Promise<KubeObject | undefined> {
    const garden = await this.gardenOf(runtime);
    return this.note(runtime, await this.looksAt(garden).of(refOf(runtime, garden.project), signal));
  }

  private looksAt({ client, project }: Garden): Looks {
    const ofClient = this.looks.get(client) ?? new Map<string, Looks>();
    this.looks.set(client, ofClient);
    const looks = ofClient.get(project) ?? new Looks(client.with({ patienceMs: PATIENCE_MS }));
    ofClient.set(project, looks);
    return looks;
  }

  private async now(runtime: PlacedCluster, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { client, project } = await this.gardenOf(runtime);
    const asking = client.with({ signal, patienceMs: PATIENCE_MS });
    return this.note(runtime, await asking.get(refOf(runtime, project)));
  }

  private note({ id }: PlacedCluster, shoot: KubeObject | undefined): KubeObject | undefined {
    if (shoot) this.seen.set(id, shoot);
    else this.seen.delete(id);
    return shoot;
  }

  /**
   * Like `of`, but at once and within the time limit: if Gardener is slow or unavailable, the last seen state, or
   * undefined.
   */
  async soon(runtime: PlacedCluster, withinMs: number): Promise<KubeObject | undefined> {
    const late = AbortSignal.timeout(withinMs);
    return withDeadline(this.now(runtime, late), late).catch(() => this.seen.get(runtime.id));
  }

  /** Requests Gardener to retry a failed operation. */
  async retry(runtime: PlacedCluster, { metadata: { uid } }: KubeObject): Promise<void> {
    const { client, project } = await this.gardenOf(runtime);
    const annotations = { [OPERATION_ANNOTATION]: "retry" };
    await client.merge(refOf(runtime, project), { metadata: { uid, annotations } });
  }

  /** Requests the deletion of a Shoot, or retries a failed deletion. */
  async remove(runtime: PlacedCluster, live: KubeObject, operation: string): Promise<void> {
    const { client, project } = await this.gardenOf(runtime);
    await requestDeletion(client.with({ patienceMs: PATIENCE_MS }), refOf(runtime, project), live, operation);
  }

  /** Requests Gardener to force the deletion, which may leave cloud resources behind. */
  async force(runtime: PlacedCluster, live: KubeObject): Promise<void> {
    const { client, project } = await this.gardenOf(runtime);
    await forceDeletion(client.with({ patienceMs: PATIENCE_MS }), refOf(runtime, project), live);
  }

  /** Issues a short-lived kubeconfig. Throws while Gardener issues none. */
  issue(
    runtime: PlacedCluster,
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
    return withDeadline(issue(), late);
  }

  /**
   * Issues a kubeconfig for an administrator; undefined while the cluster is being created or hibernated, or Gardener
   * is unavailable.
   */
  kubeconfig(runtime: PlacedCluster, withinMs: number): Promise<string | undefined> {
    return this.issue(runtime, {}, withinMs).then(
      ({ kubeconfig }) => kubeconfig,
      () => undefined,
    );
  }
}

/** The part of {@link Shoots} that operations on clusters need. */
export type ShootsAtWork = Pick<Shoots, "of" | "retry" | "remove" | "force">;

/** The Shoot's name: the requested one, else the current one, else the one that it will get. */
function refOf({ id, desiredConfig, outputs }: PlacedCluster, project: string): Ref {
  const nameIn = (cluster: unknown): unknown => (isObject(cluster) ? cluster["name"] : undefined);
  const { cluster } = isObject(desiredConfig.deployment) ? desiredConfig.deployment : {};
  const named = nameIn(cluster) ?? nameIn(outputs?.["cluster"]);
  return shootRef(`garden-${project}`, typeof named === "string" ? named : shootName(project, id));
}

/** Reading a platform can't be canceled, so callers stop waiting at the deadline. */
function withDeadline<T>(work: Promise<T>, late: AbortSignal): Promise<T> {
  const over = new Promise<never>((_resolve, reject) => {
    late.addEventListener("abort", () => reject(new Error("no answer in time")), { once: true });
  });
  return Promise.race([work, over]);
}
